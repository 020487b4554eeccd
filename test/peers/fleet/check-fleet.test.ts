/** `platen check` of a fleet: the engine and its members, told and left as they are. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Finding } from '../../../src/commands/check/examination.ts';
import type { KeptFleet } from '../../../src/fleet/engine/allegiance.ts';
import { levels } from '../../../src/fleet/engine/levels.ts';
import { systemChance } from '../../../src/core/chance.ts';
import { commandHere } from '../../support/command-here.ts';
import { fleetKey, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { freePort } from '../../support/ports.ts';

interface Checked {
  readonly code: number;
  readonly engine: Finding | undefined;
  readonly fleet: Finding | undefined;
  readonly reader: Finding | undefined;
}

async function check(
  url: string,
  key = fleetKey.reveal(),
  more: object = {},
  kept?: KeptFleet,
): Promise<Checked> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-check-fleet-'));
  try {
    const configFile = join(folder, 'platen.yaml');
    const nowhere = 'http://127.0.0.1:9';
    const config = {
      cloud: { baseUrl: nowhere, authUrl: nowhere, apiKey: 'none' },
      stateDir: join(folder, 'state'),
      fleet: { engine: { url }, key },
      ...more,
    };
    if (kept) {
      await mkdir(config.stateDir, { mode: 0o700 });
      await writeFile(join(config.stateDir, 'fleet.json'), JSON.stringify(kept));
    }
    await writeFile(configFile, stringify(config), { mode: 0o600 });
    const { code, out } = await commandHere(['check', '-c', configFile, '--json']);
    const findings = JSON.parse(out) as Finding[];
    const of = (wanted: string) => findings.find(({ what }) => what === wanted);
    return { code, engine: of('engine'), fleet: of('fleet'), reader: of('reader of lobby') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A pooler as PgBouncer is: it knows nothing of the options of a session, and says so, or takes them away. */
async function startPooler(to: number, how: 'refuses them' | 'takes them away') {
  const server = createServer((near) => {
    near
      .on('error', () => {})
      .once('data', (startup) => {
        if (how === 'takes them away') {
          const far = connect(to, '127.0.0.1', () => near.pipe(far).pipe(near));
          far.on('error', () => near.destroy()).write(withoutOptions(startup));
        } else near.end(refusal('unsupported startup parameter: options'));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

/** StartupMessage and ErrorResponse (PostgreSQL 15, 55.7). */
const withoutOptions = (startup: Buffer): Buffer =>
  withLength(Buffer.from(startup.toString('latin1', 4).replace(/(?<=\0)options\0[^\0]*\0/, ''), 'latin1'));
const refusal = (message: string): Buffer =>
  Buffer.concat([Buffer.from('E'), withLength(Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`))]);
function withLength(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([length, content]);
}

needsPostgres()('a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** An engine alone enters and does not beat: it would be away after 5 s, and a slow machine needs longer to look. */
  const keepOnTheRoll = (url: string) =>
    postgres.query(`UPDATE platen.member SET until = now() + interval '1 hour'`, url);

  it('that nobody has founded yet is not founded by looking at it', async () => {
    const url = await postgres.newDatabase();
    const { engine, fleet } = await check(url);
    expect(engine).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(
        /^127\.0\.0\.1:\d+: PostgreSQL 1\d\.\d.*, primary; fsync on, full_page_writes on, synchronous_commit on, no synchronous standby; round trip \d+ ms; its clock is the same as ours$/,
      ),
      facts: {
        role: 'primary',
        settings: { fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on', synchronousStandbys: '' },
        roundTripMilliseconds: expect.any(Number),
        clockAheadMilliseconds: expect.any(Number),
      },
    });
    expect(fleet).toMatchObject({
      state: 'waiting',
      detail: `the database ${new URL(url).pathname.slice(1)} at 127.0.0.1:${postgres.port} has no fleet in it, so this gateway would begin a new fleet there. If your other gateways are already in a fleet, correct fleet.engine.url`,
    });
    expect(await postgres.query(`SELECT to_regnamespace('platen') AS schema`, url)).toEqual([
      { schema: null },
    ]);
  });

  it('that this gateway belongs to, and that is gone from there, fails with what to do (F9)', async () => {
    const url = await postgres.newDatabase();
    const kept = { fleetId: systemChance.uuid(), members: [] };
    const { code, engine } = await check(url, undefined, {}, kept);
    expect([code, engine?.code]).toEqual([1, 'fleet-differs']);
    expect(engine?.detail).toMatch(
      new RegExp(`begun anew. This gateway belongs to the fleet ${kept.fleetId}. .*platen fleet accept`),
    );
  });

  it.each([
    ['refuses them', 'it does not answer like PostgreSQL'],
    ['takes them away', 'does not keep the settings of a session'],
  ] as const)(
    'behind a pooler that %s, the options of a session, is told what the agent would be told',
    async (how, why) => {
      const direct = await postgres.newDatabase();
      const url = direct.replace(`:${postgres.port}/`, `:${await startPooler(postgres.port, how)}/`);
      await using member = runEngine(url);
      const { engine } = await check(url);
      expect(engine).toMatchObject({ state: 'failed', code: 'fleet-engine-refused' });
      expect(engine?.detail).toContain(why);
      expect(engine?.detail).toContain('not of a pooler (PgBouncer)');
      await expect.poll(() => member.condition()).toMatchObject({ code: 'fleet-engine-refused' });
      expect(engine?.detail).toContain(member.condition()?.detail);
    },
  );

  it('in whose database the user may make nothing is told what the agent would be told', async () => {
    const url = await postgres.newDatabase();
    await postgres.query(`CREATE ROLE visitor LOGIN PASSWORD 'visitor'`);
    const { code, engine } = await check(url.replace(/\/\/.*@/, '//visitor:visitor@'));
    expect([code, engine?.code]).toEqual([1, 'fleet-engine-refused']);
    expect(engine?.detail).toMatch(/the user lacks a permission \(permission denied for database/);
  });

  it('whose claims cannot be written is told so', async () => {
    const url = await postgres.newDatabase();
    const member = runEngine(url);
    await member.until('up');
    await member[Symbol.asyncDispose]();
    expect((await check(url)).engine).toMatchObject({ state: 'ok' });
    expect(await postgres.query('SELECT 1 FROM platen.claim', url)).toEqual([]);
    await postgres.query('ALTER TABLE platen.claim RENAME TO claim_before', url);
    const { code, engine } = await check(url);
    expect([code, engine?.code]).toEqual([1, 'fleet-engine-refused']);
    expect(engine?.detail).toContain('relation "platen.claim" does not exist');
  });

  it('is told with its members, those that are gone too', async () => {
    const url = await postgres.newDatabase();
    await using lobby = runEngine(url, { member: { name: 'lobby' } });
    const gone = runEngine(url, { member: { name: 'attic', site: 'annex' } });
    await Promise.all([lobby, gone].map((member) => member.until('up')));
    await keepOnTheRoll(url);
    await gone[Symbol.asyncDispose]();
    await postgres.query(
      `UPDATE platen.member SET beat_at = beat_at - interval '3 h' WHERE name = 'attic'`,
      url,
    );
    const { fleet } = await check(url);
    expect(fleet).toMatchObject({
      state: 'ok',
      detail: '2 members: attic at annex, away for 3 h, lobby at main',
      facts: {
        level: levels.length,
        minimum: 1,
        members: [
          { name: 'attic', isBeating: false },
          { name: 'lobby', isBeating: true },
        ],
      },
    });
    expect(await postgres.query('SELECT 1 FROM platen.member', url)).toHaveLength(2);
  });

  it('whose other gateway serves a terminal keeps its reader: it is not dialled (F11)', async () => {
    const url = await postgres.newDatabase();
    await using other = runEngine(url, { member: { name: 'gateway-a' } });
    await other.until('up');
    const calls: string[] = [];
    const reader = createServer(({ remoteAddress = '' }) => void calls.push(remoteAddress));
    await once(reader.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void reader.close());
    const { port } = reader.address() as { port: number };
    const lobby = {
      id: 'lobby',
      serialNumber: 'LOBBY-1',
      printer: { uri: 'socket://127.0.0.1:9' },
      readers: [{ type: 'tcp-connect', address: `127.0.0.1:${port}` }],
    };
    const { id, incarnation } = other.member;
    await postgres.query(
      `INSERT INTO platen.hold VALUES ('main', 'a printer', '${id}', '${incarnation}', 1, now());
      INSERT INTO platen.set_up VALUES ('${id}', '{"lobby": "a printer"}')`,
      url,
    );
    await keepOnTheRoll(url);
    const fleet = { engine: { url }, key: fleetKey.reveal(), site: 'main' };
    const held = await check(url, undefined, { fleet, terminals: [lobby] });
    expect(held.reader).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/ was not tried, because gateway-a serves the terminal$/),
    });
    const away = { ...fleet, engine: { url: `postgresql://u@127.0.0.1:${await freePort()}/d` } };
    const unknown = await check(url, undefined, { fleet: away, terminals: [lobby] });
    expect(unknown.reader).toMatchObject({
      state: 'waiting',
      detail: expect.stringContaining('the engine does not say which gateway serves the terminal'),
    });
    expect(calls).toEqual([]);
  });

  it('of which a member has not told yet what an engine that was restored should know is told so (F9)', async () => {
    const url = await postgres.newDatabase();
    const gone = runEngine(url, { member: { name: 'gateway-c' } });
    await gone.until('up');
    await gone[Symbol.asyncDispose]();
    await postgres.query('UPDATE platen.fleet SET forgot = 1', url);
    const { fleet } = await check(url);
    expect(fleet).toMatchObject({ state: 'failed', code: 'fleet-forgot' });
    expect(fleet?.detail).toMatch(
      /^gateway-c has not reported the prints there yet\. .* platen fleet retire NAME\. /,
    );
  });

  it('with one name for two members is told so', async () => {
    const url = await postgres.newDatabase();
    await using one = runEngine(url);
    await using other = runEngine(url);
    await Promise.all([one, other].map((member) => member.until('up')));
    await keepOnTheRoll(url);
    expect((await check(url)).fleet).toMatchObject({
      state: 'failed',
      detail: 'two gateways have the name gateway. Give each its own host name or its own device.clientId',
    });
  });

  it('in which this gateway would take the name of another one says so before it starts', async () => {
    const url = await postgres.newDatabase();
    const other = runEngine(url, { member: { name: hostname().toUpperCase() } });
    await other.until('up');
    await keepOnTheRoll(url);
    expect((await check(url)).fleet).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(`two gateways have the name ${hostname()}`),
    });
    // Its machine is replaced by this one.
    await other[Symbol.asyncDispose]();
    expect((await check(url)).fleet).toMatchObject({ state: 'ok' });
  });

  it('whose key is another fails with what to do', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    const { code, engine, fleet } = await check(url, Buffer.alloc(32, 9).toString('base64'));
    expect([code, engine?.state, engine?.code, fleet?.state]).toEqual([
      1,
      'failed',
      'fleet-key-differs',
      'skipped',
    ]);
    expect(engine?.detail).toMatch(/Give every member the same key, or correct fleet\.engine\.url\.$/);
  });

  it('whose engine is away fails, and its members are not looked for', async () => {
    const { code, engine, fleet } = await check(`postgresql://u@127.0.0.1:${await freePort()}/d`);
    expect([code, engine?.state, engine?.code]).toEqual([1, 'failed', 'fleet-engine-away']);
    expect(fleet).toMatchObject({ state: 'skipped', because: 'engine' });
  });
});
