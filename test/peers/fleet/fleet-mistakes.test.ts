/** What an administrator gets wrong about a fleet costs nobody a document (F1, F4, F11): a sentence, and nothing lost. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Clock } from '../../../src/core/clock.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { hours, milliseconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { commandHere } from '../../support/command-here.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { launchScreen } from '../../support/agent/screen.ts';
import { aliceCard, runAgent, setStage } from '../../support/agent/stage.ts';

interface Made {
  readonly name: string;
  /** Its name in the fleet is the host's. */
  readonly isNameless?: boolean;
  readonly key?: number;
  readonly url: string;
  readonly ahead?: number;
}

const key = (octet: number): string => Buffer.alloc(32, octet).toString('base64');
const clockAhead = (span: number): Clock => ({ ...systemClock, now: () => systemClock.now() + span });

needsPostgres()('a fleet that is set up wrongly', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** The one document is alice's; each gateway has a printer and a reader of its own. */
  async function setScene() {
    await using opened = new AsyncDisposableStack();
    const stage = opened.use(await setStage({ cloud: { seed: { ...sampleData, documents: [] } } }));
    const bytes = samplePdf({ title: 'Report', pages: 4 });
    const document = stage.cloud.addDocument({ owner: 'alice', name: 'Report.pdf', pages: 4, bytes });
    const base = parse(readFileSync(stage.configFile, 'utf8')) as Record<string, object>;
    const held = opened.move();

    async function gateway({ name, isNameless = false, key: octet = 7, url, ahead = 0 }: Made) {
      const printer = held.use(await startVirtualPrinter({ pageTime: milliseconds(400) }));
      const reader = held.use(await startVirtualReader({ link: join(stage.folder, `${name}-reader`) }));
      const folder = join(stage.folder, name);
      mkdirSync(folder);
      const terminal = {
        id: 'lobby',
        serialNumber: `SN-${name}`,
        place: name,
        session: { autoRelease: true },
        printer: { uri: printer.uri },
        readers: [{ type: 'serial', path: reader.path }],
      };
      const file = join(folder, 'platen.yaml');
      const config = {
        ...base,
        stateDir: join(folder, 'state'),
        device: { ...base['device'], ...(isNameless ? {} : { clientId: name }) },
        fleet: { engine: { url }, key: key(octet) },
        terminals: [terminal],
      };
      writeFileSync(file, stringify(config), { mode: 0o600 });
      const agent = held.use(await runAgent(file, { clock: clockAhead(ahead) }));
      const serves = async () => {
        await agent.told('engine found');
        await agent.told('terminal ready');
        await agent.told('reader up');
      };
      return { agent, file, printer, reader, serves };
    }
    return { document, gateway, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  const engineOfOthers = async () => {
    const url = await postgres.newDatabase();
    await using founder = runEngine(url, { key: new Secret(key(9)) });
    await founder.until('up');
    return { url };
  };

  it.each([
    ['another key', 'fleet-key-differs', async (url: string) => ({ url, key: 8 })],
    ['the engine of another fleet', 'fleet-key-differs', engineOfOthers],
    [
      'an engine that is nowhere',
      'fleet-engine-away',
      async (url: string) => ({ url: url.replace(/:\d+\//, ':1/') }),
    ],
    [
      'a password of somebody else',
      'fleet-engine-refused',
      async (url: string) => ({ url: url.replace('a%20password', 'no') }),
    ],
  ])(
    'a gateway with %s says so before it serves anybody, and the other one prints',
    async (_, code, wrong) => {
      await using scene = await setScene();
      const url = await postgres.newDatabase();
      const right = await scene.gateway({ name: 'Entrance', url });
      await right.serves();
      const mistaken = await scene.gateway({ name: 'Library', ...(await wrong(url)) });
      expect(await mistaken.agent.told('engine away')).toMatchObject({ error: { code } });
      mistaken.reader.tap(aliceCard);
      right.reader.tap(aliceCard);
      expect(await right.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      expect(mistaken.agent.records.filter(({ msg }) => msg === 'release started')).toEqual([]);
      expect([right.printer.outputs.length, mistaken.printer.outputs.length]).toEqual([1, 0]);
      await expect.poll(() => scene.document.info.status).toBe(documentStatus.DELETED);
    },
  );

  it('whose engine is lost and begun anew prints nothing before a person has accepted that (F9, I1)', async () => {
    await using scene = await setScene();
    const url = await postgres.newDatabase();
    const one = await scene.gateway({ name: 'Entrance', url });
    await one.serves();
    const name = new URL(url).pathname.slice(1);
    await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await postgres.query(`CREATE DATABASE ${name}`);
    const away = () => one.agent.records.findLast(({ msg }) => msg === 'engine away');
    await expect.poll(away).toMatchObject({ error: { code: 'fleet-differs' } });
    one.reader.tap(aliceCard);
    const { code, out } = await commandHere(['fleet', 'accept', '-c', one.file]);
    expect([code, out]).toEqual([0, expect.stringContaining('takes the place of the old fleet')]);
    expect(one.printer.outputs).toEqual([]);
    await one.agent.told('engine back');
    await expect
      .poll(
        async () => {
          one.reader.tap(aliceCard);
          return scene.document.info.status;
        },
        { interval: 1000 },
      )
      .toBe(documentStatus.DELETED);
    expect(one.printer.outputs).toHaveLength(1);
  });

  it.each(['-infinity', 'infinity'])(
    'by hand, with times of %s in the roll and the holds, goes on beating and prints',
    async (when) => {
      await using scene = await setScene();
      const url = await postgres.newDatabase();
      const one = await scene.gateway({ name: 'Entrance', url });
      const other = await scene.gateway({ name: 'Library', url });
      for (const { serves } of [one, other]) await serves();
      await postgres.query(`UPDATE platen.member SET beating_since = '${when}', beat_at = '${when}'`, url);
      await postgres.query(`UPDATE platen.hold SET since = '${when}'`, url);
      const finite = 'SELECT FROM platen.member WHERE isfinite(beating_since) AND isfinite(beat_at)';
      await expect.poll(() => postgres.query(finite, url)).toHaveLength(2);
      one.reader.tap(aliceCard);
      expect(await one.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      const refused = [one, other].flatMap(({ agent }) =>
        agent.records.filter(({ msg }) => msg === 'engine away'),
      );
      expect(refused).toEqual([]);
    },
  );

  it('that gives two gateways one name prints a document once', async () => {
    await using scene = await setScene();
    const url = await postgres.newDatabase();
    const one = await scene.gateway({ name: 'Entrance', isNameless: true, url });
    const other = await scene.gateway({ name: 'Library', isNameless: true, url });
    await one.serves();
    await other.serves();
    one.reader.tap(aliceCard);
    other.reader.tap(aliceCard);
    await expect.poll(() => scene.document.info.status).toBe(documentStatus.DELETED);
    expect(one.printer.outputs.length + other.printer.outputs.length).toBe(1);
    const members = await postgres.query(
      'SELECT DISTINCT name, count(*) OVER ()::int FROM platen.member',
      url,
    );
    expect(members).toEqual([{ name: hostname(), count: 2 }]);
  });

  it('whose clocks are half a day apart prints a document once, and the other one says where', async () => {
    await using scene = await setScene();
    const url = await postgres.newDatabase();
    const early = await scene.gateway({ name: 'Entrance', url, ahead: hours(5) });
    const late = await scene.gateway({ name: 'Library', url, ahead: 0 - hours(7) });
    await early.serves();
    await late.serves();
    await using screen = await launchScreen(late.agent);
    early.reader.tap(aliceCard);
    await early.agent.told('release started');
    const claims = () => postgres.query('SELECT state FROM platen.claim', url);
    await expect.poll(claims).toEqual([{ state: 'sending' }]);
    late.reader.tap(aliceCard);
    await screen.showed('One document is being printed at Entrance. There is nothing to print.');
    expect(await early.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect([early.printer.outputs.length, late.printer.outputs.length]).toEqual([1, 0]);
    const holds = await postgres.query(
      'SELECT count(*)::int AS held FROM platen.hold WHERE member IS NOT NULL',
      url,
    );
    expect(holds).toEqual([{ held: 4 }]);
  });
});
