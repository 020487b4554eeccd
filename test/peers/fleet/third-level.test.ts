/** A gateway and an engine of an earlier version (`third-level/README.md`) go on with this one: nothing twice, nothing lost (F4, I1, I2). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import type { CloudState } from '../../../src/simulator/cloud/state.ts';
import { openReleaseRegister } from '../../../src/store/ledger/release-register.ts';
import { aliceCard, setStage } from '../../support/agent/stage.ts';
import { fleetClock } from '../../support/fleet/fleet-clock.ts';
import { fleetKey } from '../../support/fleet/fleet-engine.ts';
import { reachesEngine } from '../../support/fleet/fleet-stage.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';

const left = (name: string) => join(import.meta.dirname, 'third-level', name);
const madeAt = Date.UTC(2026, 10, 29, 17, 41);
const leftBehind = 'ab97718b-e0ab-418f-b7f1-8ac6714f17bb';

needsPostgres()('what an earlier version left', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function setScene() {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    await postgres.query(readFileSync(left('engine.sql'), 'utf8'), url);
    // It is the engine of then, and not a backup of it; and whoever was there has been gone for a minute.
    await postgres.query(
      `UPDATE platen.fleet SET life = NULL; UPDATE platen.member SET until = clock_timestamp() - interval '1 minute'`,
      url,
    );
    const clock = fleetClock();
    const since = madeAt - clock.now();
    const printer = opened.use(await startVirtualSocketPrinter());
    const stage = opened.use(
      await setStage({
        clock: { ...clock, now: () => clock.now() + since },
        cloud: { seed: { ...sampleData, documents: [] } },
        config: { device: { clientId: 'gateway-a' }, fleet: { engine: { url }, key: fleetKey.reveal() } },
        terminal: { session: { autoRelease: true }, printer: { uri: printer.uri, stallSeconds: 60 } },
      }),
    );
    execFileSync('tar', ['-xzf', left('state.tar.gz'), '-C', stage.folder]);
    const kept = JSON.parse(readFileSync(left('device.json'), 'utf8')) as Pick<
      CloudState,
      'endpoints' | 'refreshTokens'
    >;
    Object.assign(stage.cloud.state, kept);
    const held = opened.move();
    return {
      stage,
      printer,
      clock,
      sql: (text: string) => postgres.query(text, url),
      waits: (name: string, uuid?: string) =>
        stage.cloud.addDocument({
          owner: 'alice',
          name,
          bytes: samplePdf({ title: name, pages: 1 }),
          ...(uuid === undefined ? {} : { info: { uuid } }),
        }),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  it('I1, I2: the gateway keeps its token and its ledger, posts what it owed, and asks about what another one left', async () => {
    await using scene = await setScene();
    const { stage, printer, clock, sql, waits } = scene;
    const { cloud, reader } = stage;
    waits('Left behind.pdf', leftBehind);
    const agent = await stage.start();
    await reachesEngine(agent);
    await clock.hurry(agent.told('terminal ready'));
    await agent.told('reader up');
    await clock.hurry(agent.told('history accepted'));
    expect(cloud.state.history.map(({ title }) => title)).toEqual(['Printed and not recorded.pdf']);
    expect(cloud.state.endpoints).toHaveLength(1);
    expect(cloud.state.deviceCodes).toEqual([]);
    expect(await sql('SELECT level FROM platen.fleet')).toEqual([{ level: 5 }]);

    reader.tap(aliceCard);
    await clock.hurry(agent.told('session closed'));
    await expect
      .poll(() => sql(`SELECT state FROM platen.claim WHERE document = '${leftBehind}'`))
      .toEqual([{ state: 'unknown' }]);
    waits('Next.pdf');
    stage.awaitSameBadge();
    reader.tap(aliceCard);
    await clock.hurry(agent.told('history accepted'));
    await clock.hurry(agent.stop());
    expect(cloud.state.history.map(({ title }) => title)).toEqual([
      'Printed and not recorded.pdf',
      'Next.pdf',
    ]);
    expect(printer.outputs.map(({ jobName }) => jobName)).toEqual([expect.stringMatching(/^Next\.pdf/)]);
    using register = openReleaseRegister({ stateDir: join(stage.folder, 'state') });
    expect(register.list(10).map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed']);
    expect(cloud.deviations).toEqual([]);
  });
});
