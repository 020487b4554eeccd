/**
 * One person at two gateways of a fleet: every document comes out once, and the person reads where it is (F5, F12; I1).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { seconds } from '../../../src/core/duration.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { fleetClock } from '../../support/fleet/fleet-clock.ts';
import { reachesEngine } from '../../support/fleet/fleet-stage.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { launchScreen, watchScreen } from '../../support/agent/screen.ts';
import { aliceCard, bobCard, runAgent, setStage } from '../../support/agent/stage.ts';

needsPostgres()('one person at two gateways', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** Each with its own printer and reader; the one document is alice's. */
  async function setFleet({ pageTime = seconds(0.005), documents = 1 } = {}) {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const fleet = { engine: { url }, key: Buffer.alloc(32, 7).toString('base64') };
    const session = { autoRelease: true };
    const clock = fleetClock();
    const stage = opened.use(
      await setStage({
        clock,
        cloud: { seed: { ...sampleData, documents: [] } },
        printer: { pageTime },
        config: { fleet },
        terminal: { place: 'Entrance', session },
      }),
    );
    const bytes = samplePdf({ title: 'Report', pages: 4 });
    const waiting = Array.from({ length: documents }, (_, index) =>
      stage.cloud.addDocument({ owner: 'alice', name: `Report ${index}.pdf`, pages: 4, bytes }),
    );
    const printer = opened.use(await startVirtualPrinter({ clock }));
    const reader = opened.use(await startVirtualReader({ link: join(stage.folder, 'other-reader') }));
    const config = parse(readFileSync(stage.configFile, 'utf8')) as Record<string, object>;
    const beside = join(stage.folder, 'beside');
    mkdirSync(beside);
    const terminal = {
      id: 'lobby',
      serialNumber: 'SN-0002',
      place: 'Second floor',
      session,
      printer: { uri: printer.uri },
      readers: [{ type: 'serial', path: reader.path }],
    };
    const file = join(beside, 'platen.yaml');
    const stateDir = join(beside, 'state');
    writeFileSync(file, stringify({ ...config, stateDir, terminals: [terminal] }), { mode: 0o600 });
    const entrance = await stage.start();
    const upstairs = opened.use(await runAgent(file, { clock }));
    for (const agent of [entrance, upstairs]) {
      await reachesEngine(agent);
      await clock.hurry(agent.told('terminal ready'));
      await agent.told('reader up');
    }
    // Who does not know yet what the other one is set up for does not serve without the engine (F12).
    for (const { operations } of [entrance, upstairs]) {
      const known = () => fetch(`${operations}/status`).then((answer) => answer.json());
      const both = { fleet: { members: [{ isBeating: true }, { isBeating: true }] } };
      await expect.poll(known).toMatchObject(both);
    }
    const held = opened.move();
    return {
      url,
      clock,
      cloud: stage.cloud,
      waiting,
      awaitSameBadge: stage.awaitSameBadge,
      entrance: { agent: entrance, printer: stage.printer, reader: stage.reader },
      upstairs: { agent: upstairs, printer, reader, folder: beside },
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  const claimsOf = (url: string) =>
    postgres.query('SELECT document::text, place, state FROM platen.claim ORDER BY number', url);

  it('reads upstairs that the document is being printed at the entrance, and it comes out there, once', async () => {
    await using fleet = await setFleet({ pageTime: seconds(10) });
    const { entrance, upstairs, cloud, clock } = fleet;
    await using screen = await launchScreen(upstairs.agent);
    entrance.reader.tap(aliceCard);
    await entrance.agent.told('release started');
    await expect.poll(async () => (await claimsOf(fleet.url)).map(({ state }) => state)).toEqual(['sending']);
    upstairs.reader.tap(aliceCard);
    await screen.showed('One document is being printed at Entrance. There is nothing to print.');
    expect(await clock.hurry(entrance.agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await clock.hurry(entrance.agent.told('history accepted'));
    await clock.hurry(upstairs.agent.told('session closed'));
    expect([entrance.printer.outputs.length, upstairs.printer.outputs.length]).toEqual([1, 0]);
    expect(cloud.state.history).toHaveLength(1);
    await expect
      .poll(() => claimsOf(fleet.url))
      .toEqual([{ document: fleet.waiting[0]?.info.uuid, place: 'Entrance', state: 'printed' }]);
  });

  it('who badges at both at the same moment gets each document once', async () => {
    await using fleet = await setFleet({ documents: 4 });
    const { entrance, upstairs, cloud, clock } = fleet;
    entrance.reader.tap(aliceCard);
    upstairs.reader.tap(aliceCard);
    for (const { agent } of [entrance, upstairs]) await agent.told('card read');
    for (const { agent } of [entrance, upstairs]) await clock.hurry(agent.told('session closed'));
    const outputs = () => [...entrance.printer.outputs, ...upstairs.printer.outputs];
    const settled = () => fleet.waiting.every(({ info }) => info.status === documentStatus.DELETED);
    await clock.hurry(cloud.waitFor(() => settled() && cloud.state.history.length >= 4));
    expect(outputs()).toHaveLength(4);
    expect(cloud.state.history).toHaveLength(4);
    const refused = [entrance, upstairs].flatMap(({ agent }) =>
      agent.records.filter(({ msg }) => msg === 'claim refused'),
    );
    expect(refused.every(({ code }) => code === 'document-claimed')).toBe(true);
    // The other gateway has the document: nobody failed.
    for (const { agent } of [entrance, upstairs]) {
      const metrics = await (await fetch(`${agent.operations}/metrics`)).text();
      expect(metrics).toMatch(/^platen_releases_total\{.*outcome="failed".*\} 0$/m);
    }
    expect((await claimsOf(fleet.url)).map(({ state }) => state)).toEqual(Array(4).fill('printed'));
  });

  it('F12: while the engine is away the person waits, reads so, and is refused with nothing lost; then it prints', async () => {
    await using fleet = await setFleet();
    const { upstairs, waiting, clock } = fleet;
    const [document] = waiting;
    await using screen = await launchScreen(upstairs.agent);
    await postgres.kill();
    await upstairs.agent.told('engine away');
    upstairs.reader.tap(aliceCard);
    const { releaseId } = await upstairs.agent.told('release started');
    const ended = upstairs.agent.told('release ended', (record) => record['releaseId'] === releaseId);
    expect(await clock.hurry(ended)).toMatchObject({ outcome: 'failed', code: 'fleet-engine-away' });
    await screen.showed('Asking the other printers…');
    await screen.showed('The terminal cannot print at the moment. Please try again later.');
    expect(document?.info.status).toBe(documentStatus.READY);
    expect(upstairs.printer.outputs).toEqual([]);

    await postgres.start();
    await upstairs.agent.told('engine back');
    await clock.hurry(upstairs.agent.told('session closed'));
    fleet.awaitSameBadge();
    upstairs.reader.tap(aliceCard);
    await upstairs.agent.told('session opened', ({ terminal }) => terminal === 'lobby');
    expect(await clock.hurry(upstairs.agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await clock.hurry(upstairs.agent.told('history accepted'));
    expect(upstairs.printer.outputs).toHaveLength(1);
  });

  it('an end that the engine did not hear of is made up for when it is back (F12)', async () => {
    await using fleet = await setFleet({ pageTime: seconds(10) });
    const { entrance, upstairs, clock } = fleet;
    entrance.reader.tap(aliceCard);
    await expect.poll(async () => (await claimsOf(fleet.url)).map(({ state }) => state)).toEqual(['sending']);
    await postgres.kill();
    expect(await clock.hurry(entrance.agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await postgres.start();
    await upstairs.agent.told('engine back');
    await expect.poll(async () => (await claimsOf(fleet.url)).map(({ state }) => state)).toEqual(['printed']);
    expect(entrance.printer.outputs).toHaveLength(1);
  });

  it('I1: what may have printed at the entrance, and did not come out upstairs when it was asked for there, is asked about there once more', async () => {
    await using fleet = await setFleet();
    const { entrance, upstairs, cloud, clock } = fleet;
    // The printer counts while it prints: upstairs has seen so, and its 0 proves something.
    const bytes = samplePdf({ title: 'Report', pages: 4 });
    cloud.addDocument({ owner: 'bob', name: 'Report.pdf', pages: 4, bytes });
    upstairs.reader.tap(bobCard);
    await upstairs.agent.told('session opened');
    await clock.hurry(upstairs.agent.told('history accepted'));
    await clock.hurry(upstairs.agent.told('session closed'));
    await entrance.printer.behaveOnce({ kind: 'abort', afterPages: 2 });
    entrance.reader.tap(aliceCard);
    await entrance.agent.told('session opened');
    expect(await clock.hurry(entrance.agent.told('release ended'))).toMatchObject({ outcome: 'unknown' });
    const [document] = fleet.waiting;
    const documentUuid = document?.info.uuid ?? '';
    const inDoubt = { document: documentUuid, place: 'Entrance', state: 'unknown' };
    await expect.poll(() => claimsOf(fleet.url)).toContainEqual(inDoubt);

    const page = await launchPage(upstairs, upstairs.agent);
    await using screen = await watchScreen(upstairs.agent, page);
    const now = () => screen.views.at(-1);
    const asked = () => now()?.mayHavePrinted?.map(({ documentUuid: uuid, place }) => [uuid, place]);
    upstairs.reader.tap(aliceCard);
    await expect.poll(asked).toEqual([[documentUuid, 'Entrance']]);
    await upstairs.printer.behave({ kind: 'jam', afterPages: 0 });
    const sayAgain = () =>
      page.say({ command: 'print-again', documentUuid, generation: now()?.generation ?? 0 });
    expect(await sayAgain()).toBe(204);
    await expect.poll(() => upstairs.printer.jobs.at(-1)?.state).toBe('processing-stopped');
    // Whoever goes leaves nothing behind that would come out later (T29).
    await page.say({ command: 'log-out', generation: now()?.generation ?? 0 });
    const ended = upstairs.agent.told('release ended', ({ outcome }) => outcome !== 'completed');
    expect(await clock.hurry(ended)).toMatchObject({ outcome: 'failed' });
    await expect.poll(() => claimsOf(fleet.url)).toContainEqual(inDoubt);

    await upstairs.printer.clear();
    await clock.hurry(upstairs.agent.told('session closed'));
    fleet.awaitSameBadge();
    upstairs.reader.tap(aliceCard);
    await expect.poll(asked).toEqual([[documentUuid, 'Entrance']]);
    expect(upstairs.printer.outputs.filter(({ complete }) => complete)).toHaveLength(1);
    // Its printer is found to be well again meanwhile.
    await expect.poll(sayAgain).toBe(204);
    await clock.hurry(cloud.waitFor(() => document?.info.status === documentStatus.DELETED));
    expect(upstairs.printer.outputs.filter(({ complete }) => complete)).toHaveLength(2);
  });
});
