/**
 * Configuration from one place: an administrator pushes a directory, rolls it out, sees a bad one halt, and goes back; the
 * gateways are whole agents on one PostgreSQL (F15, F16).
 */
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { keptFile } from '../../../src/config/pushed/kept.ts';
import { createSigner } from '../../support/fleet/signed-fleet.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import type { Said } from '../../support/command-here.ts';
import { commandHere } from '../../support/command-here.ts';
import { addressOf, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import type { FleetStage, Gateway } from '../../support/fleet/fleet-stage.ts';
import { reachesEngine, setFleetStage } from '../../support/fleet/fleet-stage.ts';
import type { Running } from '../../support/agent/stage.ts';
import { patience } from '../../support/patience.ts';

needsPostgres()("a fleet's configuration", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  interface Office {
    readonly folder: string;
    readonly key: string;
    fleet(...args: readonly string[]): Promise<Said>;
    /** The directory is these files, and no others. */
    directory(files: Readonly<Record<string, string>>): string;
  }

  /** Whoever pushes, on a machine that is no gateway. */
  async function officeOf({ stage, url, a, b }: FleetStage): Promise<Office> {
    const folder = join(stage.folder, 'office');
    mkdirSync(folder);
    const office = await officeIn(folder, url);
    for (const { configFile } of [a, b]) {
      change(configFile, ({ fleet, ...rest }) => ({
        ...rest,
        fleet: { ...fleet, signers: [`${office.key}.pub`] },
      }));
    }
    return office;
  }

  async function officeIn(folder: string, url: string): Promise<Office> {
    const config = join(folder, 'fleet.yaml');
    const key = Buffer.alloc(32, 7).toString('base64');
    writeFileSync(config, stringify({ fleet: { engine: { url }, key } }), { mode: 0o600 });
    const signer = join(folder, 'signer');
    expect(await commandHere(['fleet', 'keygen', signer])).toMatchObject({ code: 0 });
    return {
      folder,
      key: signer,
      fleet: (...args) => commandHere(['fleet', ...args, ...(args[0] === 'keygen' ? [] : ['-c', config])]),
      directory(files) {
        const to = join(folder, 'dir');
        rmSync(to, { recursive: true, force: true });
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(dirname(join(to, name)), { recursive: true });
          writeFileSync(join(to, name), text);
        }
        return to;
      },
    };
  }

  const change = (file: string, edit: (config: Record<string, object>) => object) =>
    writeFileSync(file, stringify(edit(parse(readFileSync(file, 'utf8')) as Record<string, object>)), {
      mode: 0o600,
    });

  interface Configuration {
    readonly version: number | null;
    readonly shadowed: readonly string[];
  }
  const statusOf = async ({ operations }: Running) =>
    (await (await fetch(`${operations}/status`)).json()) as {
      readonly fleet: { readonly configuration: Configuration };
      readonly conditions: readonly { readonly code: string; readonly detail: string }[];
    };
  const versionOf = async (agent: Running) => (await statusOf(agent)).fleet.configuration.version;

  /** Each tells of itself, and they look at once what is to be done, as they would within half a minute. */
  async function digested(url: string, agents: Readonly<Record<string, Running>>): Promise<void> {
    for (const [name, agent] of Object.entries(agents)) {
      const { version } = (await statusOf(agent)).fleet.configuration;
      const said = agent.records.findLast(({ msg }) => msg === 'config version refused');
      const refused = said ? { version: said['version'], why: said['why'] } : null;
      const terminals = { configured: 1, served: 1, ready: 1 };
      const body = JSON.stringify({ config: { version, wanted: null, refused }, terminals });
      await postgres.query(
        `INSERT INTO platen.digest SELECT id, clock_timestamp(), '${body.replaceAll("'", "''")}' FROM platen.member
          WHERE name = '${name}' ON CONFLICT (member) DO UPDATE SET at = excluded.at, body = excluded.body`,
        url,
      );
    }
    await postgres.query('UPDATE platen.rollout SET looked_at = NULL', url);
    await postgres.query("NOTIFY platen_rollout, ''", url);
  }

  const rolloutOf = async (url: string) =>
    (await postgres.query('SELECT * FROM platen.rollout ORDER BY number DESC LIMIT 1', url))[0];

  async function started(gateway: Gateway): Promise<Running> {
    const agent = await gateway.start();
    await reachesEngine(agent);
    return agent;
  }

  it('F15, F16: goes to all gateways; a bad one stops at the first and says why; undo leads back', async () => {
    await using stage = await setFleetStage(postgres);
    const { url } = stage;
    const office = await officeOf(stage);
    const agents = { 'gateway-a': await started(stage.a), 'gateway-b': await started(stage.b) };
    const all = Object.values(agents);
    const digest = () => digested(url, agents);
    const until = async (look: () => Promise<unknown>, wanted: unknown) => {
      await expect.poll(async () => digest().then(look), { interval: 300 }).toEqual(wanted);
    };
    await digest();

    const good = {
      'base.yaml': 'kiosk: { currency: EUR }\n',
      'gateways/gateway-b.yaml': 'log: { level: debug }\n',
    };
    const pushed = await office.fleet('push', office.directory(good), '--key', office.key);
    expect(pushed).toMatchObject({ code: 0, error: '' });
    expect(pushed.out).toContain(
      'Version 1 is in the engine. It is checked for 2 gateways and signed by SHA256:',
    );
    expect(await Promise.all(all.map(versionOf))).toEqual([null, null]);

    const order = ['roll', '1', '--key', office.key, '--steps', '1%,100%', '--soak', '0s'];
    const rolled = await office.fleet(...order);
    expect(rolled.out).toContain('Roll-out 1: version 1, to 2 gateways: 1 % (1), 100 % (2)');
    expect(await office.fleet(...order)).toMatchObject({ code: 1 });
    await until(() => rolloutOf(url).then((row) => row?.['state']), 'finished');
    expect(await Promise.all(all.map(versionOf))).toEqual([1, 1]);
    for (const [name, agent] of Object.entries(agents)) {
      expect(await agent.told('config version taken')).toMatchObject({ version: 1, rollout: 1 });
      const changed = name === 'gateway-b' ? ['kiosk.currency', 'log'] : ['kiosk.currency'];
      expect(await agent.told('config reloaded')).toMatchObject({ changed });
    }

    // The engine's word is enough for the check here, and a gateway misses a file.
    const bad = { ...good, 'base.yaml': 'kiosk: { currency: USD }\ncloud: { caFile: missing.pem }\n' };
    const dry = await office.fleet('push', office.directory(bad), '--dry-run');
    expect(dry.out.split('\n')).toEqual([
      '2 gateways, from version 1: gateway-b, gateway-a',
      '  ~ kiosk.currency: EUR -> USD',
      '  + cloud: {"caFile":"missing.pem"}',
    ]);
    await office.fleet('push', office.directory(bad), '--key', office.key);
    const watching = office.fleet('roll', '2', '--key', office.key, '--steps', '1%,100%', '--watch');
    await until(() => rolloutOf(url).then((row) => row?.['state']), 'halted');
    const watched = await watching;
    expect(watched.code).toBe(1);
    expect(watched.out).toMatch(
      /Halted at 1 %: gateway-[ab] refuses it: .*cloud\.caFile: cannot read .*missing\.pem/,
    );
    expect((await office.fleet('status')).out).toMatch(
      /^ {2}roll-out 2, to version 2, has halted: gateway-[ab] refuses it: /m,
    );
    expect(await Promise.all(all.map(versionOf))).toEqual([1, 1]);
    const refusals = await Promise.all(all.map(async (agent) => (await statusOf(agent)).conditions));
    expect(refusals.flat().map(({ code }) => code)).toEqual(['fleet-config-refused']);

    const undone = await office.fleet('undo', '--key', office.key);
    expect(undone.out).toContain('Roll-out 3: back to version 1');
    await until(() => rolloutOf(url).then((row) => row?.['state']), 'finished');
    expect((await statusOf(agents['gateway-a'])).conditions.map(({ code }) => code)).not.toContain(
      'fleet-config-refused',
    );
    expect(await office.fleet('pause')).toMatchObject({ code: 1, error: 'platen: Roll-out 3 is finished' });

    // Without the engine a gateway starts on its last good one, and goes back to its own file only by an order.
    await agents['gateway-b'].stop();
    stage.b.line.cut();
    const again = await stage.b.start();
    expect(await versionOf(again)).toBe(1);
    expect(loadConfig(stage.b.configFile, {})).toMatchObject({ kiosk: { currency: 'EUR' } });
    await again.stop();
    stage.b.line.mend();

    const kept = keptFile(join(dirname(stage.b.configFile), 'state'));
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('EUR', 'CHF'), { mode: 0o600 });
    const suspicious = await stage.b.start();
    expect(await versionOf(suspicious)).toBeNull();
    expect((await statusOf(suspicious)).conditions).toMatchObject([
      {
        code: 'fleet-config-refused',
        detail: expect.stringContaining('the part base.yaml was changed after it was signed') as string,
      },
    ]);
  });

  it('F16: where no gateway names a signer, a roll-out halts at once and says so', async () => {
    await using stage = await setFleetStage(postgres);
    const { url } = stage;
    const folder = join(stage.stage.folder, 'office');
    mkdirSync(folder);
    const office = await officeIn(folder, url);
    const agents = { 'gateway-a': await started(stage.a) };
    const { key } = office;
    await office.fleet('push', office.directory({ 'base.yaml': 'kiosk: { currency: EUR }\n' }), '--key', key);
    expect(await office.fleet('roll', '1', '--key', key)).toMatchObject({ code: 0 });
    await expect
      .poll(() => agents['gateway-a'].records.findLast(({ msg }) => msg === 'rollout halted'))
      .toMatchObject({
        gateway: 'gateway-a',
        why: 'has no fleet.signers, and uses only its own file',
      });
    expect(await office.fleet('status')).toMatchObject({ code: 1 });
  });

  it('F15: a key that root does not own signs nothing, and says whose it is', async () => {
    await using stage = await setFleetStage(postgres);
    const office = await officeOf(stage);
    const file = `${office.key}.pub`;
    expect(statSync(office.key).mode & 0o777).toBe(0o600);
    const reading = () => loadConfig(stage.a.configFile, {});
    expect(reading().fleet?.signers).toMatchObject([{ file }]);
    chownSync(file, 65_534, 65_534);
    expect(reading).toThrow(
      /fleet\.signers\[0\]: only root may choose the signers, but .*signer\.pub belongs to nobody/,
    );
    chownSync(file, 0, 0);
    chownSync(office.folder, 65_534, 65_534);
    expect(reading).toThrow(/office belongs to nobody/);
    expect(await office.fleet('keygen', office.key)).toMatchObject({
      code: 1,
      error: `platen: ${office.key}: exists already. This command never overwrites a key`,
    });
  });

  it('F16: two members that go on with a roll-out at once make one step, and one of them has the turn', async () => {
    const url = await postgres.newDatabase();
    await using one = runEngine(url);
    await using other = runEngine(addressOf(url));
    const { createOrders, createRolloutTable } = await import(
      '../../../src/fleet/configuration/rollout-table.ts'
    );
    const signal = new AbortController().signal;
    const tables = await Promise.all(
      [one, other].map(async (running) => {
        await running.until('up');
        const ask = (statement: { name: string; text: string }, values: readonly unknown[]) =>
          running.engine.ask(statement, values, { within: patience() });
        return {
          orders: createOrders(ask),
          table: createRolloutTable(ask, (at, hear) => running.engine.onNotice(at, hear)),
        };
      }),
    );
    const order = createSigner().order({});
    const given = await Promise.all(tables.map(({ orders }) => orders.give(1, order, signal)));
    expect(given.filter(Boolean)).toHaveLength(1);
    const turns = await Promise.all(tables.map(({ table }) => table.turn(9000, signal)));
    const [rollout, ...rest] = turns.filter((turn) => turn !== undefined);
    expect(rest).toEqual([]);
    expect(rollout).toMatchObject({ number: 1, step: 0, total: 2, soakingFor: null });
    if (!rollout) return;
    const progress = { state: 'running', step: 1, soaks: false } as const;
    const gone = await Promise.all(tables.map(({ table }) => table.progress(rollout, progress, signal)));
    expect(gone.filter(Boolean)).toHaveLength(1);
    const [{ table, orders } = {}] = tables;
    expect(await table?.gateways(1, 2, signal)).toMatchObject([
      { rank: 0, well: 0, told: null, lowFor: null },
      { rank: 1, told: null },
    ]);
    const [first] = (await table?.gateways(1, 2, signal)) ?? [];
    await table?.mark(1, [first?.member ?? ''], [], signal);
    expect((await table?.gateways(1, 1, signal))?.[0]?.lowFor).toBeGreaterThan(0);
    const now = await orders?.newest(signal);
    expect(now).toMatchObject({ step: 1, state: 'running', revision: 2 });
    if (!now) return;
    expect(await orders?.pause(now, signal)).toBe(true);
    expect(await table?.turn(0, signal)).toBeUndefined();
    expect(await orders?.resume({ ...now, revision: 3 }, signal)).toBe(true);
    expect(await orders?.resume(now, signal)).toBe(false);
  });

  it('F16: what one gateway tells of itself in another form keeps nobody from pushing, rolling out and going back', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    await postgres.query(`UPDATE platen.member SET until = until + interval '10 min'`, url);
    using temporary = temporaryDirectory();
    const { key, fleet, directory } = await officeIn(temporary.path, url);
    const strange = [
      {
        config: { version: 'new', refused: 'yes' },
        terminals: { configured: 'all', served: null, ready: 1 },
      },
      { config: { version: 1.5 }, terminals: 'all' },
      { config: { version: Number.MAX_SAFE_INTEGER }, terminals: { configured: -1, served: {}, ready: [] } },
      [],
    ];
    const { createRolloutTable } = await import('../../../src/fleet/configuration/rollout-table.ts');
    const ask = (statement: { name: string; text: string }, values: readonly unknown[]) =>
      member.engine.ask(statement, values, { within: patience() });
    const table = createRolloutTable(ask, (at, hear) => member.engine.onNotice(at, hear));
    for (const [index, body] of strange.entries()) {
      await postgres.query(
        `INSERT INTO platen.digest SELECT id, clock_timestamp(), '${JSON.stringify(body)}' FROM platen.member
          ON CONFLICT (member) DO UPDATE SET body = excluded.body`,
        url,
      );
      const files = { 'base.yaml': `kiosk: { askAbovePages: ${index + 1} }\n` };
      expect(await fleet('push', directory(files), '--key', key)).toMatchObject({ code: 0, error: '' });
      expect(await fleet('roll', String(index + 1), '--key', key)).toMatchObject({ code: 0, error: '' });
      expect(await table.gateways(2 * index + 1, 1, new AbortController().signal)).toMatchObject([
        { well: 0, told: { version: null, refused: null, well: 0 } },
      ]);
      expect(await fleet('pause')).toMatchObject({ code: 0, error: '' });
      expect(await fleet('resume')).toMatchObject({ code: 0, error: '' });
      expect(await fleet('undo', '--key', key)).toMatchObject({ code: 0, error: '' });
      await postgres.query(`UPDATE platen.rollout SET state = 'finished'`, url);
    }
  });

  it('F15: a version is newer than what any gateway runs on, also in an engine that was restored', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    using temporary = temporaryDirectory();
    const { key, fleet, directory } = await officeIn(temporary.path, url);
    const push = async () => (await fleet('push', directory({ 'base.yaml': '{}\n' }), '--key', key)).out;
    expect(await push()).toContain('Version 1 is in the engine');
    const body = JSON.stringify({ config: { version: 7 } });
    await postgres.query(
      `INSERT INTO platen.digest SELECT id, clock_timestamp(), '${body}' FROM platen.member`,
      url,
    );
    expect(await push()).toContain('Version 8 is in the engine');
    expect(await push()).toBe('Nothing has changed since version 8.');
  });

  it('F15: an unchanged directory is signed again where a person says so, or where none of the trusted keys has signed it', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    using temporary = temporaryDirectory();
    const { folder, key, fleet, directory } = await officeIn(temporary.path, url);
    const other = join(folder, 'other');
    expect(await fleet('keygen', other)).toMatchObject({ code: 0 });
    const trust = (...keys: readonly string[]) =>
      change(join(folder, 'fleet.yaml'), (config) => ({
        fleet: { ...config['fleet'], signers: keys.map((one) => `${one}.pub`) },
      }));
    const push = async (by: string, ...options: readonly string[]) =>
      (await fleet('push', directory({ 'base.yaml': '{}\n' }), '--key', by, ...options)).out;
    trust(key, other);
    expect(await push(key)).toContain('Version 1 is in the engine');
    expect(await push(other)).toMatch(
      /^Nothing has changed since version 1\. It is signed by SHA256:\S+, a key in fleet\.signers\. To sign it with your key as well: --sign-again$/,
    );
    expect(JSON.parse(await push(other, '--json'))).toMatchObject({ version: 1, isNew: false });
    expect(await push(other, '--sign-again')).toContain('Version 2 is in the engine');
    expect(await push(other, '--sign-again')).toBe('Nothing has changed since version 2.');
    trust(key);
    expect(await push(key)).toContain('Version 3 is in the engine');
  });

  it('F16: undo leads back through what has finished, once at a time, and not to what was halted', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    await postgres.query(`UPDATE platen.member SET until = until + interval '10 min'`, url);
    using temporary = temporaryDirectory();
    const { key, fleet, directory } = await officeIn(temporary.path, url);
    const ends = (state: string) =>
      postgres.query(`UPDATE platen.rollout SET state = '${state}' WHERE state = 'running'`, url);
    for (const [version, state] of [
      [1, 'finished'],
      [2, 'halted'],
      [3, 'finished'],
    ] as const) {
      const files = { 'base.yaml': `kiosk: { askAbovePages: ${version} }\n` };
      expect(await fleet('push', directory(files), '--key', key)).toMatchObject({ code: 0 });
      expect(await fleet('push', directory(files), '--key', key)).toMatchObject({
        code: 0,
        out: `Nothing has changed since version ${version}.`,
      });
      expect(await fleet('roll', String(version), '--key', key)).toMatchObject({ code: 0, error: '' });
      await ends(state);
    }
    expect((await fleet('undo', '--key', key)).out).toContain('Roll-out 4: back to version 1, to 1 gateway');
    expect(await fleet('undo', '--key', key)).toMatchObject({ code: 1 });
    await ends('finished');
    expect((await fleet('undo', '--key', key)).out).toContain("back to only each gateway's own file");
    await ends('finished');
    expect((await fleet('undo', '--key', key)).error).toContain('There is nothing to undo');
    expect((await fleet('roll', '9', '--key', key)).error).toBe(
      'platen: There is no version 9 in the engine. The newest is 3',
    );

    expect((await fleet('roll', '2', '--key', key)).error).toContain('Version 2 is older than version 3');

    // Whoever has the engine can make nobody sign what they like.
    await postgres.query(
      `UPDATE platen.config_version SET body = replace(body, '"version":3', '"version":4') WHERE version = 3`,
      url,
    );
    expect((await fleet('roll', '3', '--key', key)).error).toContain(
      'Platen cannot trust version 3 in the engine',
    );
    await postgres.query(`UPDATE platen.rollout SET body = replace(body, 'undo', 'roll')`, url);
    expect((await fleet('undo', '--key', key)).error).toContain('Platen cannot trust an order in the engine');
  });

  it('says with 69 that the engine is away, and with 78 what is wrong in the file', async () => {
    await using stage = await setFleetStage(postgres);
    const office = await officeOf(stage);
    const directory = office.directory({ 'base.yaml': 'log: { level: warn }\n' });
    const file = join(office.folder, 'other.yaml');
    writeFileSync(
      file,
      `fleet: { engine: { url: "postgresql://p@127.0.0.1:9/p" }, key: "${'00'.repeat(32)}" }\n`,
    );
    expect(await commandHere(['fleet', 'push', directory, '--dry-run', '-c', file])).toMatchObject({
      code: 69,
    });
    writeFileSync(file, 'cloud: {}\n');
    expect(await commandHere(['fleet', 'pause', '-c', file])).toMatchObject({
      code: 78,
      error: `platen: ${file}: fleet: is missing`,
    });
  });
});
