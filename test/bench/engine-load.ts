/**
 * What a large fleet asks of its PostgreSQL: a look at what is under way, and a beat, of one of 1,000 gateways of one site,
 * beside a million claims that are over. The time until the answer depends on the disk and on who else is at the machine, so
 * the processor time of the server process stands beside it, and the goals are of that.
 */
import { loadavg } from 'node:os';
import { seconds } from '../../src/core/duration.ts';
import { openClaims } from '../../src/fleet/claim-statements.ts';
import type { Statement } from '../../src/fleet/engine/line.ts';
import { createHoldTable } from '../../src/fleet/hold-table.ts';
import { claimsLeft, recordsOwed } from '../../src/fleet/will-statements.ts';
import { notStopped } from '../contracts/claims.ts';
import { runEngine } from '../support/fleet/fleet-engine.ts';
import { startPostgres } from '../support/fleet/postgres.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import { processorTimeOf } from './process-time.ts';

const members = 1000;
const claims = 1_000_000;
/** Under way at the same moment. */
const open = 200;
const times = 2000;
const shares = [0.5, 0.95, 1] as const;
const beat = 'a beat';
const look = 'a look';

export async function measureEngineLoad(): Promise<Measurement> {
  await using postgres = await startPostgres(['max_wal_size=4GB']);
  const url = await postgres.newDatabase();
  await using one = runEngine(url);
  await one.until('up');
  await postgres.query(largeFleet, url);
  await postgres.query('VACUUM ANALYZE', url);
  const { engine, member, memberId } = one;
  const ask = (statement: Statement, values: readonly unknown[]) =>
    engine.ask(statement, values, { within: seconds(3) });
  const table = createHoldTable(engine, member);
  const [row] = await ask({ name: 'process', text: 'SELECT pg_backend_pid() AS process' }, []);
  const server = Number(row?.['process']);
  const prices = {
    [look]: await priceOf(server, async () => {
      await ask(openClaims, [memberId]);
      await ask(recordsOwed, [memberId]);
      await ask(claimsLeft, [memberId, [], []]);
    }),
    [beat]: await priceOf(server, () => table.beat(['printer 5', 'printer 6'], notStopped.signal)),
  };
  const [load = 0] = loadavg();
  return {
    title: 'Engine of a large fleet',
    how:
      `${members} gateways of one site, ${claims} claims that are over and ${open} under way, no network in between. ` +
      `The load of the machine was ${load.toFixed(1)}.`,
    rows: [
      ['', 'p50', 'p95', 'max', 'of the server'],
      ...Object.entries(prices).map(([what, { spans, ofServer }]) => [
        what,
        ...[...shares.map((share) => percentile(spans, share)), ofServer].map(inMilliseconds),
      ]),
    ],
    goals: [
      { what: `${look}, of the server`, figure: prices[look].ofServer, limit: 2, unit: 'ms' },
      { what: `${beat}, of the server`, figure: prices[beat].ofServer, limit: 1, unit: 'ms' },
    ],
  };
}

/** Milliseconds until the answer, each time, and of the server's processor, on average. */
async function priceOf(server: number, deed: () => Promise<unknown>) {
  const spans: number[] = [];
  const before = processorTimeOf(server);
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    await deed();
    spans.push(performance.now() - begun);
  }
  return { spans, ofServer: ((processorTimeOf(server) - before) / times) * 1000 };
}

const largeFleet = `
INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until, beating_since, groups)
  SELECT gen_random_uuid(), gen_random_uuid(), 'gateway ' || n, 'main', '1', 1, now(), now() + interval '1 hour', now(),
    ARRAY['printer ' || n, 'printer ' || n + 1] FROM generate_series(1, ${members}) n;
INSERT INTO platen.claim (document, member, release_id, terminal, place, state, history)
  SELECT gen_random_uuid(), member.id, gen_random_uuid()::text, 'lobby', 'Entrance',
    CASE WHEN n > ${claims} THEN 'claimed' ELSE 'printed' END, 'none'
  FROM generate_series(1, ${claims + open}) n JOIN platen.member ON member.name = 'gateway ' || 1 + n % ${members}`;
