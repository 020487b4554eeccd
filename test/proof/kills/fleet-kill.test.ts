/**
 * A gateway of a fleet is killed at any durable or visible step of a release, and its person badges at the other one:
 * the document comes out at most once, and has one history record, judged by what the printer and the cloud have (I1,
 * I2; F6).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExpectStatic } from 'vitest';
import { afterAll, beforeAll, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { judge, violationsOf } from '../../campaign/kill-oracle.ts';
import type { Protocol } from '../../campaign/kill-stage.ts';
import { addDocument, setKillStage } from '../../campaign/kill-stage.ts';
import { durableOrVisible, fatalCalls } from '../../campaign/kill-steps.ts';
import type { FatalCall } from '../../support/agent/mortal-agent.ts';
import { killingBefore, recordingInto, startMortalAgent } from '../../support/agent/mortal-agent.ts';
import { reachesEngine, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import { aliceCard, runAgent } from '../../support/agent/stage.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';
import { needsPeer } from '../../support/needs.ts';

const killsEach = 3;

needsPostgres()('a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /**
   * The gateway that is killed is in a process of its own; the other one has its terminal as well, and one beside it,
   * in a site of its own: both serve at once (F11).
   */
  async function setFleet(protocol: Protocol, expect: ExpectStatic) {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const fleet = { engine: { url }, key: Buffer.alloc(32, 7).toString('base64') };
    const scene = opened.use(await setKillStage(protocol, { fleet }));
    const folder = mkdtempSync(join(tmpdir(), 'platen-beside-'));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const reader = opened.use(await startVirtualReader({ link: join(folder, 'reader') }));
    const config = parse(readFileSync(scene.configFile, 'utf8')) as { terminals: readonly object[] };
    const [lobby] = config.terminals;
    const annex = { id: 'annex', serialNumber: 'SN-0002', readers: [{ type: 'serial', path: reader.path }] };
    const terminals = [
      { ...lobby, readers: [] },
      { ...lobby, ...annex },
    ];
    const file = join(folder, 'platen.yaml');
    writeFileSync(
      file,
      stringify({
        ...config,
        fleet: { ...fleet, site: 'beside' },
        stateDir: join(folder, 'state'),
        terminals,
      }),
      {
        mode: 0o600,
      },
    );
    const other = opened.use(await runAgent(file, {}));
    await reachesEngine(other);
    await other.told('reader up');
    const [mine] = await postgres.query('SELECT id FROM platen.member', url);
    const held = opened.move();
    /** Documents of which nobody knows yet what becomes of them. */
    const pending = async () => {
      const rows = await postgres.query('SELECT document::text, state FROM platen.claim', url);
      const states = new Map(rows.map(({ document, state }) => [document, state]));
      return scene.cloud.state.documents
        .filter(({ info }) => info.status === documentStatus.READY && states.get(info.uuid) !== 'unknown')
        .map(({ info }) => [info.documentName, states.get(info.uuid)]);
    };
    /** As the engine sees it a minute later. */
    const missed = (ago = '1 minute') =>
      postgres.query(
        `UPDATE platen.member SET until = now() - interval '${ago}' WHERE id <> '${String(mine?.['id'])}'`,
        url,
      );
    async function entered(): Promise<void> {
      const others = `SELECT 1 FROM platen.member WHERE id <> '${String(mine?.['id'])}' AND until > now()`;
      await expect.poll(() => postgres.query(others, url)).toHaveLength(1);
    }
    return {
      scene,
      missed,
      entered,
      async settles() {
        await missed();
        // Who finds a document in the hands of the dead one badges again.
        for (let badges = 0; badges < 6 && (await pending()).length > 0; badges += 1) {
          reader.tap(aliceCard);
          await untilBadgeMayBeHeldAgain();
        }
        await expect.poll(pending).toEqual([]);
      },
      async records() {
        const { cloud } = scene;
        // Of what had come out nobody asks: it is posted after ten minutes.
        await missed('1 hour');
        await postgres.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          url,
        );
        const titles = () => new Set(cloud.state.history.map(({ title }) => title));
        const names = cloud.state.documents.map(({ info }) => info.documentName);
        await expect.poll(titles).toEqual(new Set(names));
        return cloud.state.history.length;
      },
      waiting: () =>
        scene.cloud.state.documents.filter(({ info }) => info.status === documentStatus.READY).length,
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }
  type Fleet = Awaited<ReturnType<typeof setFleet>>;

  /** The first start enrols; the second is as all later ones. */
  async function callsOf({ scene, missed, entered }: Fleet): Promise<readonly FatalCall[]> {
    const file = join(scene.folder, 'calls');
    for (const tracing of [[], recordingInto(file, durableOrVisible)]) {
      addDocument(scene, `Recorded ${tracing.length}.pdf`, 0);
      await using agent = startMortalAgent(scene.configFile, tracing);
      await agent.told('terminal ready', 'reader up');
      await entered();
      scene.reader.tap(aliceCard);
      await agent.told('session closed', 'history accepted');
      await agent.kill();
      await missed();
    }
    return fatalCalls(readFileSync(file, 'utf8'));
  }

  needsPeer('strace', 'strace')('one of whose gateways is killed', () => {
    // Side by side: most of the time somebody waits.
    it.for(['ipp', 'socket'] as const)(
      `before ${killsEach} of the system calls of a release at a printer by %s`,
      { concurrent: true },
      async (protocol, { expect }) => {
        await using fleet = await setFleet(protocol, expect);
        const { scene, entered } = fleet;
        const calls = await callsOf(fleet);
        const chosen = Array.from(
          { length: killsEach },
          (_, index) => calls[Math.floor(((index + 0.5) * calls.length) / killsEach)],
        );
        for (const [index, call] of chosen.entries()) {
          if (!call) throw new Error('a release without system calls');
          addDocument(scene, `Killed ${index}.pdf`, 0);
          await using agent = startMortalAgent(scene.configFile, killingBefore(call));
          if (await agent.told('terminal ready', 'reader up')) {
            await entered();
            scene.reader.tap(aliceCard);
          }
          await agent.told('session closed', 'history accepted');
          await agent.kill();
          await fleet.settles();
        }
        const released = await fleet.records();
        expect(violationsOf(judge(scene))).toEqual([]);
        expect(released).toBe(killsEach + 2);
        process.stdout.write(`${protocol}: ${fleet.waiting()} of ${killsEach} unknown\n`);
      },
    );
  });
});
