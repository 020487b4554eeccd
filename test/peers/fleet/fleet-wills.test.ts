/**
 * A gateway of a fleet is gone with a document in hand: whoever comes to another one gets it there, once; what was
 * printed is recorded, once; and the gateway that comes back finds what others did (F6 to F8).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { milliseconds, minutes } from '../../../src/core/duration.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPeer } from '../../support/needs.ts';
import { startCupsd } from '../cupsd.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';
import { fleetClock } from '../../support/fleet/fleet-clock.ts';
import { reachesEngine } from '../../support/fleet/fleet-stage.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { launchScreen, watchScreen } from '../../support/agent/screen.ts';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard, bobCard, runAgent, setStage } from '../../support/agent/stage.ts';

const pages = 4;
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
    const clock = fleetClock();
    const url = await postgres.newDatabase();
    const fleet = { engine: { url }, key: Buffer.alloc(32, 7).toString('base64') };
    const session = { autoRelease: true };
    const mute = raw ? opened.use(await startVirtualSocketPrinter({ clock })) : undefined;
    const chosen = mute?.uri ?? queue;
    const printerOf = (uri: string) => ({ printer: { uri: chosen ?? uri, stallSeconds: 60 } });
    const stage = opened.use(
      await setStage({
        clock,
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
      id: 'lobby',
      serialNumber: 'SN-0002',
      place: 'Second floor',
      session,
      ...printerOf(printer.uri),
      readers: [{ type: 'serial', path: reader.path }],
    };
    const file = join(beside, 'platen.yaml');
    const stateDir = join(beside, 'state');
    writeFileSync(
      file,
      stringify({ ...config, fleet: { ...fleet, site: 'upstairs' }, stateDir, terminals: [terminal] }),
      { mode: 0o600 },
    );
    const entrance = { agent: await stage.start(), reader: stage.reader };
    const upstairs = { agent: opened.use(await runAgent(file, { clock })), reader };
    for (const { agent } of [entrance, upstairs]) {
      await reachesEngine(agent);
      await clock.hurry(agent.told('terminal ready'));
      await agent.told('reader up');
    }
    const bytes = samplePdf({ title: 'Report', pages });
    const held = opened.move();
    return {
      url,
      clock,
      stage,
      cloud,
      printer,
      mute,
      entrance,
      upstairs,
      /** Their card is read there, long enough after the last one. */
      async badge({ agent, reader: at }: typeof entrance, card: string) {
        stage.awaitSameBadge();
        at.tap(card);
        await agent.told('card read');
      },
      hurried: (agent: Running, ...what: Parameters<Running['told']>) => clock.hurry(agent.told(...what)),
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
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }
  type Fleet = Awaited<ReturnType<typeof setFleet>>;

  /** It ends with the release in the midst: nobody at home, and its claim is left as it is. */
  async function entranceIsGone({ entrance, passes, clock }: Fleet): Promise<void> {
    await clock.hurry(entrance.agent.stop());
    await passes('1 minute');
  }

  const wholeOutputs = ({ printer }: Fleet) => printer.outputs.filter(({ complete }) => complete);

  it('F6: nothing had come out: the document is free, and comes out at the other one, once', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, printer, cloud, clock } = fleet;
    // The printer counts while it prints: upstairs has seen so, and its 0 proves something.
    fleet.waits('bob');
    await fleet.badge(upstairs, bobCard);
    await fleet.hurried(upstairs.agent, 'history accepted');
    await fleet.hurried(upstairs.agent, 'session closed');
    await printer.behave({ kind: 'jam', afterPages: 0 });
    const document = fleet.waits('alice');
    await fleet.badge(entrance, aliceCard);
    await expect.poll(fleet.claim).toMatchObject({ state: 'sending', version: 1 });
    await expect.poll(() => printer.jobs.at(-1)?.state).toBe('processing-stopped');
    await entranceIsGone(fleet);

    await using screen = await launchScreen(upstairs.agent);
    await fleet.badge(upstairs, aliceCard);
    await screen.showed('One document is being printed at Entrance. There is nothing to print.');
    await fleet.hurried(upstairs.agent, 'claim taken over');
    expect(
      await fleet.hurried(upstairs.agent, 'release ended', ({ outcome }) => outcome !== 'completed'),
    ).toMatchObject({
      outcome: 'failed',
    });
    await expect.poll(fleet.claim).toMatchObject({ version: 2, will: null, job: null });
    await printer.clear();
    await fleet.hurried(upstairs.agent, 'session closed');
    await fleet.badge(upstairs, aliceCard);
    await fleet.hurried(upstairs.agent, 'release ended', ({ outcome }) => outcome === 'completed');
    await clock.hurry(cloud.waitFor(() => document.info.status === documentStatus.DELETED));
    await clock.hurry(cloud.waitFor(() => cloud.state.history.length >= 2));
    expect(wholeOutputs(fleet)).toHaveLength(2);
    expect(cloud.state.history).toHaveLength(2);
  });

  it('F6: some pages had come out: it is unknown, its person is asked, and it is recorded once, whoever comes back', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, printer, cloud, stage } = fleet;
    await printer.behave({ kind: 'jam', afterPages: 2 });
    fleet.waits('alice');
    await fleet.badge(entrance, aliceCard);
    await expect.poll(() => printer.jobs.at(-1)?.state).toBe('processing-stopped');
    await entranceIsGone(fleet);
    await fleet.badge(upstairs, aliceCard);
    expect(await fleet.hurried(upstairs.agent, 'release ended')).toMatchObject({ outcome: 'unknown' });
    await fleet.hurried(upstairs.agent, 'history accepted');
    await expect.poll(fleet.claim).toMatchObject({ state: 'unknown', history: 'posted', will: null });

    const back = await stage.start();
    await reachesEngine(back);
    expect(await fleet.hurried(back, 'claim refused')).toMatchObject({ code: 'claim-lost' });
    expect(await fleet.hurried(back, 'release ended')).toMatchObject({ outcome: 'unknown' });
    await fleet.clock.hurry(back.stop());
    expect(cloud.state.history).toHaveLength(1);
    expect(wholeOutputs(fleet)).toEqual([]);
  });

  it('F8: unasked nothing is taken over before ten minutes have passed', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, printer, clock } = fleet;
    await printer.behave({ kind: 'jam', afterPages: 0 });
    fleet.waits('alice');
    await fleet.badge(entrance, aliceCard);
    await expect.poll(fleet.claim).toMatchObject({ state: 'sending' });
    await entranceIsGone(fleet);
    await fleet.passes('8 minutes');
    // It looks about every minute.
    await clock.hurry(clock.sleep(minutes(2)));
    expect(upstairs.agent.records.filter(({ msg }) => msg === 'claim taken over')).toEqual([]);
    await fleet.passes('2 minutes');
    await fleet.hurried(upstairs.agent, 'claim taken over');
  });

  it('F6: bytes that were on their way to a raw printer are unknown, and asked about', async () => {
    await using fleet = await setFleet({ raw: true });
    const { entrance, upstairs, mute, cloud } = fleet;
    await mute?.behave({ kind: 'stop-reading', afterBytes: 1000 });
    fleet.waits('alice');
    await fleet.badge(entrance, aliceCard);
    await expect.poll(fleet.claim).toMatchObject({ state: 'sending', job: null });
    await entranceIsGone(fleet);
    await fleet.badge(upstairs, aliceCard);
    expect(await fleet.hurried(upstairs.agent, 'release ended')).toMatchObject({ outcome: 'unknown' });
    await fleet.hurried(upstairs.agent, 'history accepted');
    expect(cloud.state.history).toHaveLength(1);
  });

  needsPeer('cupsd', 'cups-daemon')('while a real CUPS has it', () => {
    it('F7: it is cancelled there, no copy is kept in the spool, and it comes out at most once', async () => {
      await using spooler = await startCupsd();
      await spooler.hold();
      await using fleet = await setFleet({ queue: spooler.uri });
      const { entrance, upstairs, cloud } = fleet;
      fleet.waits('alice');
      await fleet.badge(entrance, aliceCard);
      await expect.poll(fleet.claim).toMatchObject({ state: 'sending' });
      await expect.poll(() => spooler.begun()).toBe(1);
      await entranceIsGone(fleet);
      await fleet.badge(upstairs, aliceCard);
      await fleet.hurried(upstairs.agent, 'claim taken over');
      // Nobody knows what a spooler that had begun has let out.
      expect(await fleet.hurried(upstairs.agent, 'release ended')).toMatchObject({ outcome: 'unknown' });
      await spooler.letGo();
      await fleet.hurried(upstairs.agent, 'history accepted');
      await expect.poll(fleet.claim).toMatchObject({ state: 'unknown', history: 'posted', version: 2 });
      await expect.poll(() => spooler.keptFiles()).toEqual([]);
      expect(await spooler.documents()).toEqual([]);
      expect(cloud.state.history).toHaveLength(1);
    });
  });

  it('a record that a gone gateway owed is posted by another, once, and dropped by the one that comes back', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, cloud, clock, stage } = fleet;
    const document = fleet.waits('alice');
    const away = cloud.always(historyCall, { kind: 'status', status: 503 });
    await fleet.badge(entrance, aliceCard);
    await fleet.hurried(entrance.agent, 'history postponed');
    await clock.hurry(cloud.waitFor(() => document.info.status === documentStatus.DELETED));
    await expect.poll(fleet.claim).toMatchObject({ state: 'printed', history: 'posting' });
    await entranceIsGone(fleet);
    away();
    await fleet.passes('10 minutes');
    await fleet.hurried(upstairs.agent, 'history accepted');
    await expect.poll(fleet.claim).toMatchObject({ history: 'posted', will: null });
    const back = await stage.start();
    await fleet.hurried(back, 'history left');
    await fleet.clock.hurry(back.stop());
    expect(cloud.state.history).toHaveLength(1);
  });

  needsPeer('qpdf', 'qpdf')('with qpdf', () => {
    it('I2: missing pages that were printed by themselves are recorded once by whoever posts for a gone gateway', async () => {
      await using fleet = await setFleet({ unknownAfterHours: 24 });
      const { entrance, upstairs, printer, cloud, stage } = fleet;
      const page = await launchPage(stage, entrance.agent);
      await using screen = await watchScreen(entrance.agent, page);
      const now = () => screen.views.at(-1);
      await printer.behaveOnce({ kind: 'abort', afterPages: 1 });
      const document = fleet.waits('alice');
      await fleet.badge(entrance, aliceCard);
      expect(await fleet.hurried(entrance.agent, 'release ended')).toMatchObject({ outcome: 'unknown' });
      await fleet.hurried(entrance.agent, 'session closed');
      await fleet.badge(entrance, aliceCard);
      const missing = { from: 2, to: pages };
      await expect.poll(() => now()?.mayHavePrinted?.[0]).toMatchObject({ missing });
      const away = cloud.always(historyCall, { kind: 'status', status: 503 });
      const { uuid: documentUuid } = document.info;
      const said = { command: 'print-missing', documentUuid, ...missing } as const;
      expect(await page.say({ ...said, generation: now()?.generation ?? 0 })).toBe(204);
      expect(await fleet.hurried(entrance.agent, 'release ended')).toMatchObject({ outcome: 'completed' });
      await fleet.hurried(entrance.agent, 'history postponed');
      await expect.poll(fleet.claim).toMatchObject({ state: 'printed' });
      await entranceIsGone(fleet);
      away();
      await fleet.passes('10 minutes');
      for (const _ of ['the first', 'the others']) await fleet.hurried(upstairs.agent, 'history accepted');
      const counted = cloud.state.history.map(({ totalPages }) => totalPages);
      expect(counted.toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual([1, pages - 1]);
    });
  });

  it('a deletion that a gone gateway owed is made at its owner’s next login at another', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, cloud, clock } = fleet;
    const document = fleet.waits('alice');
    const away = cloud.always({ method: 'DELETE', path: /./ }, { kind: 'status', status: 503 });
    await fleet.badge(entrance, aliceCard);
    await fleet.hurried(entrance.agent, 'deletion refused');
    await expect.poll(fleet.claim).toMatchObject({ state: 'printed', deletion_owed: true });
    await entranceIsGone(fleet);
    away();
    await fleet.badge(upstairs, aliceCard);
    await clock.hurry(cloud.waitFor(() => document.info.status === documentStatus.DELETED));
    await fleet.hurried(upstairs.agent, 'owed deletion made');
    expect(wholeOutputs(fleet)).toHaveLength(1);
  });
});
