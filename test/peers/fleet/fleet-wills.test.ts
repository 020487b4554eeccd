/**
 * A gateway of a fleet is gone with a document in hand: whoever comes to another one gets it there, once; what was
 * printed is recorded, once; and the gateway that comes back finds what others did (F6 to F8).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { milliseconds } from '../../../src/core/duration.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPeer } from '../../support/needs.ts';
import { startCupsd } from '../cupsd.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';
import { reachesEngine, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, bobCard, runAgent, setStage } from '../../support/agent/stage.ts';
import { eventually } from '../../support/patience.ts';

const pages = 4;
/** Most of the time somebody waits. */
const sideBySide = { concurrent: true };
const historyCall = { method: 'POST', path: /history/ };

needsPostgres()('a gateway is gone with a document in hand', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /**
   * Two gateways at one printer, each with a terminal and a reader of its own, and of a site of its own, so that both
   * serve at once (F11); the one document is alice's.
   */
  async function setFleet({
    raw = false,
    queue,
    unknownAfterHours = 0,
  }: {
    readonly raw?: boolean;
    readonly queue?: string;
    readonly unknownAfterHours?: number;
  } = {}) {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const fleet = { engine: { url }, key: Buffer.alloc(32, 7).toString('base64') };
    const session = { autoRelease: true };
    const mute = raw ? opened.use(await startVirtualSocketPrinter()) : undefined;
    const chosen = mute?.uri ?? queue;
    const printerOf = (uri: string) => ({ printer: { uri: chosen ?? uri, stallSeconds: 60 } });
    const stage = opened.use(
      await setStage({
        cloud: { seed: { ...sampleData, documents: [] } },
        printer: { pageTime: milliseconds(300) },
        config: { fleet, history: { unknownAfterHours } },
        terminal: { place: 'Entrance', session, ...(chosen ? printerOf(chosen) : {}) },
      }),
    );
    const { cloud, printer } = stage;
    const reader = opened.use(await startVirtualReader({ link: join(stage.folder, 'upstairs') }));
    const config = parse(readFileSync(stage.configFile, 'utf8')) as Record<string, object>;
    const beside = join(stage.folder, 'beside');
    mkdirSync(beside);
    const terminal = {
      ...{ id: 'lobby', serialNumber: 'SN-0002', place: 'Second floor', session },
      ...{ ...printerOf(printer.uri), readers: [{ type: 'serial', path: reader.path }] },
    };
    const file = join(beside, 'platen.yaml');
    const stateDir = join(beside, 'state');
    writeFileSync(
      file,
      stringify({ ...config, fleet: { ...fleet, site: 'upstairs' }, stateDir, terminals: [terminal] }),
      { mode: 0o600 },
    );
    const entrance = { agent: await stage.start(), reader: stage.reader };
    const upstairs = { agent: opened.use(await runAgent(file, {})), reader };
    for (const { agent } of [entrance, upstairs]) {
      await reachesEngine(agent);
      await agent.told('terminal ready');
      await agent.told('reader up');
    }
    const bytes = samplePdf({ title: 'Report', pages });
    const held = opened.move();
    return {
      ...{ url, stage, cloud, printer, mute, entrance, upstairs },
      waits: (owner: 'alice' | 'bob', name = 'Report.pdf') =>
        cloud.addDocument({ owner, name, pages, bytes }),
      claim: async () =>
        (await postgres.query('SELECT * FROM platen.claim ORDER BY number DESC LIMIT 1', url))[0],
      /** As the engine sees it when so much time has passed; told of all members but those that beat. */
      passes: (time: string) =>
        postgres.query(
          `UPDATE platen.member SET until = until - interval '${time}' WHERE until < clock_timestamp()`,
          url,
        ),
      /** Every member comes back to the engine, and looks what there is to do. */
      lastQuestion: async () =>
        JSON.stringify(
          await postgres.query(
            "SELECT query FROM pg_stat_activity WHERE application_name = 'platen' AND datname = current_database() AND state = 'idle'",
            url,
          ),
        ),
      async looksAgain() {
        await postgres.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          url,
        );
        await upstairs.agent.told('engine back');
      },
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }
  type Fleet = Awaited<ReturnType<typeof setFleet>>;

  /** It ends with the release in the midst: nobody at home, and its claim is left as it is. */
  async function entranceIsGone({ entrance, passes }: Fleet): Promise<void> {
    await entrance.agent.stop();
    await passes('1 minute');
  }

  const wholeOutputs = ({ printer }: Fleet) => printer.outputs.filter(({ complete }) => complete);

  it(
    'F6: nothing had come out: the document is free, and comes out at the other one, once',
    sideBySide,
    async ({ expect }) => {
      await using fleet = await setFleet();
      const { entrance, upstairs, printer, cloud } = fleet;
      // The printer counts while it prints: upstairs has seen so, and its 0 proves something.
      fleet.waits('bob');
      upstairs.reader.tap(bobCard);
      await upstairs.agent.told('history accepted');
      await upstairs.agent.told('session closed');
      await printer.behave({ kind: 'jam', afterPages: 0 });
      const document = fleet.waits('alice');
      entrance.reader.tap(aliceCard);
      await expect.poll(fleet.claim).toMatchObject({ state: 'sending', version: 1 });
      await expect.poll(() => printer.jobs.at(-1)?.state).toBe('processing-stopped');
      await entranceIsGone(fleet);

      await using screen = await watchScreen(upstairs.agent);
      upstairs.reader.tap(aliceCard);
      await screen.showed('One document is being printed at Entrance. There is nothing to print.');
      await upstairs.agent.told('claim taken over');
      expect(
        await upstairs.agent.told('release ended', ({ outcome }) => outcome !== 'completed'),
      ).toMatchObject({
        outcome: 'failed',
      });
      expect(await fleet.claim()).toMatchObject({ version: 2, will: null, job: null });
      await printer.clear();
      await upstairs.agent.told('session closed');
      await untilBadgeMayBeHeldAgain();
      upstairs.reader.tap(aliceCard);
      await upstairs.agent.told('release ended', ({ outcome }) => outcome === 'completed');
      await cloud.waitFor(() => document.info.status === documentStatus.DELETED);
      await cloud.waitFor(() => cloud.state.history.length >= 2);
      expect(wholeOutputs(fleet)).toHaveLength(2);
      expect(cloud.state.history).toHaveLength(2);
    },
  );

  it(
    'F6: some pages had come out: it is unknown, its person is asked, and it is recorded once, whoever comes back',
    sideBySide,
    async ({ expect }) => {
      await using fleet = await setFleet();
      const { entrance, upstairs, printer, cloud, stage } = fleet;
      await printer.behave({ kind: 'jam', afterPages: 2 });
      fleet.waits('alice');
      entrance.reader.tap(aliceCard);
      await expect.poll(() => printer.jobs.at(-1)?.state).toBe('processing-stopped');
      await entranceIsGone(fleet);
      upstairs.reader.tap(aliceCard);
      expect(await upstairs.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
      await upstairs.agent.told('history accepted');
      await expect.poll(fleet.claim).toMatchObject({ state: 'unknown', history: 'posted', will: null });

      const back = await stage.start();
      await reachesEngine(back);
      expect(await back.told('claim refused')).toMatchObject({ code: 'claim-lost' });
      expect(await back.told('release ended')).toMatchObject({ outcome: 'unknown' });
      await back.stop();
      expect(cloud.state.history).toHaveLength(1);
      expect(wholeOutputs(fleet)).toEqual([]);
    },
  );

  it('F8: unasked nothing is taken over before ten minutes have passed', sideBySide, async ({ expect }) => {
    await using fleet = await setFleet();
    const { entrance, upstairs, printer } = fleet;
    await printer.behave({ kind: 'jam', afterPages: 0 });
    fleet.waits('alice');
    entrance.reader.tap(aliceCard);
    await expect.poll(fleet.claim).toMatchObject({ state: 'sending' });
    await entranceIsGone(fleet);
    await fleet.passes('8 minutes');
    // Claims and wills ask in turn, and claims have one question more. It is the last one for a moment only.
    const asked = () => expect.poll(fleet.lastQuestion).toContain('isTakenOver');
    await eventually(async () => {
      await fleet.looksAgain();
      await asked();
    });
    expect(upstairs.agent.records.filter(({ msg }) => msg === 'claim taken over')).toEqual([]);
    await fleet.passes('2 minutes');
    await fleet.looksAgain();
    await upstairs.agent.told('claim taken over');
  });

  it(
    'F6: bytes that were on their way to a raw printer are unknown, and asked about',
    sideBySide,
    async ({ expect }) => {
      await using fleet = await setFleet({ raw: true });
      const { entrance, upstairs, mute, cloud } = fleet;
      await mute?.behave({ kind: 'stop-reading', afterBytes: 1000 });
      fleet.waits('alice');
      entrance.reader.tap(aliceCard);
      await expect.poll(fleet.claim).toMatchObject({ state: 'sending', job: null });
      await entranceIsGone(fleet);
      upstairs.reader.tap(aliceCard);
      expect(await upstairs.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
      await upstairs.agent.told('history accepted');
      expect(cloud.state.history).toHaveLength(1);
    },
  );

  needsPeer('cupsd', 'cups-daemon')('while a real CUPS has it', () => {
    it(
      'F7: it is cancelled there, no copy is kept in the spool, and it comes out at most once',
      sideBySide,
      async ({ expect }) => {
        await using spooler = await startCupsd();
        await spooler.hold();
        await using fleet = await setFleet({ queue: spooler.uri });
        const { entrance, upstairs, cloud } = fleet;
        fleet.waits('alice');
        entrance.reader.tap(aliceCard);
        await expect.poll(fleet.claim).toMatchObject({ state: 'sending' });
        await expect.poll(() => spooler.begun()).toBe(1);
        await entranceIsGone(fleet);
        upstairs.reader.tap(aliceCard);
        await upstairs.agent.told('claim taken over');
        // Nobody knows what a spooler that had begun has let out.
        expect(await upstairs.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
        await spooler.letGo();
        await upstairs.agent.told('history accepted');
        await expect.poll(fleet.claim).toMatchObject({ state: 'unknown', history: 'posted', version: 2 });
        await expect.poll(() => spooler.keptFiles()).toEqual([]);
        expect(await spooler.documents()).toEqual([]);
        expect(cloud.state.history).toHaveLength(1);
      },
    );
  });

  it(
    'a record that a gone gateway owed is posted by another, once, and dropped by the one that comes back',
    sideBySide,
    async ({ expect }) => {
      await using fleet = await setFleet();
      const { entrance, upstairs, cloud, stage } = fleet;
      const document = fleet.waits('alice');
      const away = cloud.always(historyCall, { kind: 'status', status: 503 });
      entrance.reader.tap(aliceCard);
      await entrance.agent.told('history postponed');
      await cloud.waitFor(() => document.info.status === documentStatus.DELETED);
      await expect.poll(fleet.claim).toMatchObject({ state: 'printed', history: 'posting' });
      await entranceIsGone(fleet);
      away();
      await fleet.passes('10 minutes');
      await fleet.looksAgain();
      await upstairs.agent.told('history accepted');
      await expect.poll(fleet.claim).toMatchObject({ history: 'posted', will: null });
      const back = await stage.start();
      await back.told('history left');
      await back.stop();
      expect(cloud.state.history).toHaveLength(1);
    },
  );

  needsPeer('qpdf', 'qpdf')('with qpdf', () => {
    it('I2: missing pages that were printed by themselves are recorded once by whoever posts for a gone gateway', async ({
      expect,
    }) => {
      await using fleet = await setFleet({ unknownAfterHours: 24 });
      const { entrance, upstairs, printer, cloud, stage } = fleet;
      const page = await launchPage(stage, entrance.agent);
      await using screen = await watchScreen(entrance.agent, page);
      const now = () => screen.views.at(-1);
      await printer.behaveOnce({ kind: 'abort', afterPages: 1 });
      const document = fleet.waits('alice');
      entrance.reader.tap(aliceCard);
      expect(await entrance.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
      await entrance.agent.told('session closed');
      await untilBadgeMayBeHeldAgain();
      entrance.reader.tap(aliceCard);
      const missing = { from: 2, to: pages };
      await expect.poll(() => now()?.mayHavePrinted?.[0]).toMatchObject({ missing });
      const away = cloud.always(historyCall, { kind: 'status', status: 503 });
      const { uuid: documentUuid } = document.info;
      const said = { command: 'print-missing', documentUuid, ...missing } as const;
      expect(await page.say({ ...said, generation: now()?.generation ?? 0 })).toBe(204);
      expect(await entrance.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      await entrance.agent.told('history postponed');
      await expect.poll(fleet.claim).toMatchObject({ state: 'printed' });
      await entranceIsGone(fleet);
      away();
      await fleet.passes('10 minutes');
      await fleet.looksAgain();
      for (const _ of ['the first', 'the others']) await upstairs.agent.told('history accepted');
      const counted = cloud.state.history.map(({ totalPages }) => totalPages);
      expect(counted.toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual([1, pages - 1]);
    });
  });

  it(
    'a deletion that a gone gateway owed is made at its owner’s next login at another',
    sideBySide,
    async ({ expect }) => {
      await using fleet = await setFleet();
      const { entrance, upstairs, cloud } = fleet;
      const document = fleet.waits('alice');
      const away = cloud.always({ method: 'DELETE', path: /./ }, { kind: 'status', status: 503 });
      entrance.reader.tap(aliceCard);
      await entrance.agent.told('deletion refused');
      await expect.poll(fleet.claim).toMatchObject({ state: 'printed', deletion_owed: true });
      await entranceIsGone(fleet);
      away();
      upstairs.reader.tap(aliceCard);
      await cloud.waitFor(() => document.info.status === documentStatus.DELETED);
      await upstairs.agent.told('owed deletion made');
      expect(wholeOutputs(fleet)).toHaveLength(1);
    },
  );
});
