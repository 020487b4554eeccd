/** What a fleet is reached by is changed while its gateways run, as the guide says, and nobody has to start one anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { FleetKeys } from '../../../src/fleet/engine/fleet-keys.ts';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import type { Certificate } from '../../support/certificates.ts';
import { identityOf, makeCertificate } from '../../support/certificates.ts';
import { fleetKey, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { FleetStage, Gateway } from '../../support/fleet/fleet-stage.ts';
import { reachesEngine, setFleetStage, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import type { Signer } from '../../support/fleet/office.ts';
import { openOffice } from '../../support/fleet/office.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';

needsPostgres()('a fleet whose secrets are changed', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  interface FleetPart {
    fleet: Record<string, unknown> & { engine: { url: unknown } };
  }
  function configure({ configFile }: Gateway, change: (config: FleetPart) => void): void {
    const config = parse(readFileSync(configFile, 'utf8')) as FleetPart;
    change(config);
    writeFileSync(configFile, stringify(config));
  }

  /** The URL lies in a file of each gateway, and is that of a user of the fleet's own. */
  async function fleetOf(
    role: string,
  ): Promise<{ readonly fleet: FleetStage; tell(change: UrlChange): void }> {
    const fleet = await setFleetStage(postgres);
    await postgres.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    await postgres.query(`GRANT CREATE ON DATABASE ${new URL(fleet.url).pathname.slice(1)} TO ${role}`);
    const gateways = [fleet.a, fleet.b];
    const tell = (change: UrlChange) => {
      for (const { folder, line } of gateways) {
        const url = new URL(fleet.url);
        Object.assign(url, { username: role, password: 'first', port: `${line.port}` });
        writeFileSync(join(folder, 'engine-url'), change(url.href), { mode: 0o600 });
      }
    };
    tell((url) => url);
    for (const gateway of gateways) {
      configure(gateway, (config) => void (config.fleet.engine.url = { file: 'engine-url' }));
    }
    return { fleet, tell };
  }
  type UrlChange = (url: string) => string;

  const isRefused = (record: LogRecord) =>
    record['code'] === 'fleet-engine-refused' && record['subject'] === 'engine';
  const wentAway = ({ records }: Running) => records.filter(({ msg }) => msg === 'engine away').length;

  async function prints({ stage }: FleetStage, agent: Running): Promise<void> {
    for (let tap = 0; tap < 2; tap += 1) {
      await untilBadgeMayBeHeldAgain();
      stage.reader.tap(aliceCard);
      if (tap === 0) await agent.told('session opened');
    }
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  }

  it('the password: what the server refuses is read again, and the gateway is back by itself', async () => {
    const { fleet: opened, tell } = await fleetOf('rotated');
    await using fleet = opened;
    const agent = await fleet.a.start();
    await reachesEngine(agent);
    await agent.told('terminal ready');
    await postgres.query(`ALTER ROLE rotated PASSWORD 'second'`);
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'`);
    await agent.told('condition raised', isRefused);
    tell((url) => url.replace('first', 'second'));
    await agent.told('engine back');
    await agent.told('condition cleared', isRefused);
    await prints(fleet, agent);
  });

  it('the password, in the order of the guide: the line of before stands until it is lost, and no gateway is ever away', async () => {
    const { fleet: opened, tell } = await fleetOf('reloaded');
    await using fleet = opened;
    const agents = [await fleet.a.start(), await fleet.b.start()];
    for (const agent of agents) await reachesEngine(agent);
    await agents[0]?.told('terminal ready');
    await postgres.query(`ALTER ROLE reloaded PASSWORD 'second'`);
    tell((url) => url.replace('first', 'second'));
    for (const agent of agents) {
      expect(await agent.reload()).toMatchObject({ changed: ['fleet.engine'], restart: [] });
    }
    expect(agents.map(wentAway)).toEqual([0, 0]);
    fleet.a.line.cut();
    fleet.a.line.mend();
    const [agent] = agents;
    await agent?.told('engine back');
    expect(agent?.records.filter(isRefused)).toEqual([]);
  });

  it('another user, or another name of the server, is in force at the reload', async () => {
    const { fleet: opened, tell } = await fleetOf('former');
    await using fleet = opened;
    await postgres.query(`CREATE ROLE successor LOGIN PASSWORD 'second' IN ROLE former`);
    const agent = await fleet.a.start();
    await reachesEngine(agent);
    await agent.told('terminal ready');
    tell((url) => url.replace('former:first', 'successor:second').replace('127.0.0.1', 'localhost'));
    await agent.reload();
    await agent.told('engine back');
    const users = `SELECT DISTINCT usename FROM pg_stat_activity WHERE usename IN ('former', 'successor')`;
    await expect.poll(() => postgres.query(users)).toEqual([{ usename: 'successor' }]);
    await prints(fleet, agent);
  });

  it('the certificate and its authority: while both authorities are in the file, either is believed', async () => {
    const [former, next] = ['Former', 'Next'].map((commonName) => makeCertificate({ commonName }));
    if (!former || !next) throw new Error('no authorities');
    const shown = (issuer: Certificate) =>
      show(postgres, makeCertificate({ commonName: 'db', hosts: ['127.0.0.1'], issuer }));
    await shown(former);
    await postgres.stop();
    await postgres.start(['ssl=on']);
    const { fleet: opened, tell } = await fleetOf('proved');
    await using fleet = opened;
    const trust = (...authorities: readonly Certificate[]) =>
      writeFileSync(join(fleet.a.folder, 'ca.pem'), authorities.map(({ pem }) => pem).join('\n'));
    trust(former);
    tell((url) => `${url}?sslmode=verify-full&sslrootcert=ca.pem`);
    const agent = await fleet.a.start();
    await reachesEngine(agent);
    await agent.told('terminal ready');

    trust(former, next);
    await agent.reload();
    await agent.told('engine back');
    await shown(next);
    fleet.a.line.cut();
    fleet.a.line.mend();
    await agent.told('engine back');
    trust(next);
    await agent.reload();
    await agent.told('engine back');
    expect(agent.records.filter(isRefused)).toEqual([]);
    await prints(fleet, agent);

    // Whoever forgot the first step is back as soon as the file is right.
    await shown(former);
    fleet.a.line.cut();
    fleet.a.line.mend();
    await agent.told('condition raised', isRefused);
    trust(former);
    await agent.told('engine back');
  });

  it('the key: one gateway after the other, with both keys and then with the new one alone, and none is ever kept out', async () => {
    await using fleet = await setFleetStage(postgres);
    const [former, next] = [7, 8].map((octet) => Buffer.alloc(32, octet).toString('base64'));
    const rekey = (gateway: Gateway, keys: object) => {
      configure(gateway, (config) => {
        const { previousKey: _, ...rest } = config.fleet;
        config.fleet = { ...rest, ...keys };
      });
    };
    const restart = async (gateway: Gateway, running: Running, keys: object) => {
      rekey(gateway, keys);
      await running.stop();
      const again = await gateway.start();
      await reachesEngine(again);
      return again;
    };
    const reconnect = async ({ line }: Gateway, agent: Running) => {
      line.cut();
      line.mend();
      await agent.told('engine back');
    };
    const knownKeys = async () => {
      const rows = await postgres.query(
        'SELECT octet_length(key_check) / 32 AS keys FROM platen.fleet',
        fleet.url,
      );
      return rows[0]?.['keys'];
    };
    const keptOut = (...agents: readonly Running[]) =>
      agents.flatMap(({ records }) => records.filter(({ code }) => code === 'fleet-key-differs'));

    let a = await fleet.a.start();
    let b = await fleet.b.start();
    for (const agent of [a, b]) await reachesEngine(agent);
    const both = { key: next, previousKey: former };
    a = await restart(fleet.a, a, both);
    expect(await knownKeys()).toBe(2);
    // It has the former key alone still.
    await reconnect(fleet.b, b);
    expect(keptOut(a, b)).toEqual([]);
    b = await restart(fleet.b, b, both);
    a = await restart(fleet.a, a, { key: next });
    expect(await knownKeys()).toBe(1);
    await reconnect(fleet.b, b);
    b = await restart(fleet.b, b, { key: next });
    expect([await knownKeys(), keptOut(a, b)]).toEqual([1, []]);
    await a.told('terminal ready');
    await prints(fleet, a);

    rekey(fleet.b, { key: former });
    await b.stop();
    const late = await fleet.b.start();
    await late.told('condition raised', ({ code }) => code === 'fleet-key-differs');
  });

  it('the signers: the new key beside the old one, a version by the new one, and then the new one alone', async () => {
    await using fleet = await setFleetStage(postgres);
    const sql = (text: string) => postgres.query(text, fleet.url);
    const office = await openOffice(join(fleet.stage.folder, 'office'), fleet.url, sql);
    let agents: readonly Running[] = [];
    const believe = async (...signers: readonly Signer[]) => {
      const files = signers.map((which) => office.signer(which));
      const running: Running[] = [];
      for (const [index, gateway] of [fleet.a, fleet.b].entries()) {
        configure(gateway, (config) => void (config.fleet['signers'] = files));
        await agents[index]?.stop();
        const agent = await gateway.start();
        await reachesEngine(agent);
        running.push(agent);
      }
      agents = running;
    };
    const versions = () => Promise.all(agents.map(async (agent) => (await configurationOf(agent)).version));
    const inEuro = { 'base.yaml': { kiosk: { currency: 'EUR' } } };
    await believe('first');
    await office.roll(await office.push(inEuro), 0);
    await office.until('finished');

    await believe('first', 'second');
    expect(await versions()).toEqual([1, 1]);
    await office.roll(await office.push(inEuro, 'second'), 0, 'second');
    await office.until('finished');
    await believe('second');
    expect(await versions()).toEqual([2, 2]);
    const refused = agents.flatMap(({ records }) =>
      records.filter(({ code }) => code === 'fleet-config-refused'),
    );
    expect(refused).toEqual([]);

    await office.roll(await office.push({ 'base.yaml': { kiosk: { currency: 'USD' } } }), 0);
    for (const agent of agents) {
      await agent.told('condition raised', ({ code }) => code === 'fleet-config-refused');
    }
    expect(await versions()).toEqual([2, 2]);
  });

  it('the key, and the change is taken back: the engine forgets the new one, and knows it again while anybody has both', async () => {
    const url = await postgres.newDatabase();
    const [former, next] = [fleetKey, new Secret(Buffer.alloc(32, 8).toString('base64'))];
    const knownKeys = async () => {
      const [row] = await postgres.query(
        'SELECT octet_length(key_check) / 32 AS keys FROM platen.fleet',
        url,
      );
      return row?.['keys'];
    };
    const joins = async (keys: FleetKeys) => {
      const running = runEngine(url, keys);
      await running.until('up');
      return running;
    };
    await using _ = await joins({ key: former });
    {
      await using _both = await joins({ key: next, previousKey: former });
      expect(await knownKeys()).toBe(2);
      await using _later = await joins({ key: former });
      await expect.poll(knownKeys).toBe(2);
    }
    await using _back = await joins({ key: former });
    expect(await knownKeys()).toBe(1);
    await using stranger = runEngine(url, { key: next });
    await expect.poll(() => stranger.condition()?.code).toBe('fleet-key-differs');
  });
});

async function configurationOf({ operations }: Running): Promise<{ readonly version: number | null }> {
  const status = await (await fetch(`${operations}/status`)).json();
  return (status as { fleet: { configuration: { version: number | null } } }).fleet.configuration;
}

async function show(postgres: Postgres, certificate: Certificate): Promise<void> {
  const { cert, key } = identityOf(certificate);
  const data = join(postgres.folder, 'data');
  const { uid, gid } = await stat(data);
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    await writeFile(join(data, name), text);
    await chown(join(data, name), uid, gid);
    await chmod(join(data, name), 0o600);
  }
  await postgres.query('SELECT pg_reload_conf()');
}
