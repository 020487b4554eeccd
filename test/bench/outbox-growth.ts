/**
 * What a history record's turn takes – found, noted as sent, posted, gone with its key – while more and more wait, and what a
 * release's plan takes then, which asks whether there is room for its own record. The service takes each at once.
 */
import { inMilliseconds, percentile } from './figures.ts';
import type { Measurement } from './figures.ts';
import type { Store } from '../../src/store/store.ts';
import { attempt } from '../support/store/release-samples.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Growth } from './growth.ts';
import { grouped, growthRows, slopeGoals } from './growth.ts';
import { growOutbox } from './grown-books.ts';

/** The last is as many as fit, but for those that are taken and planned here (D8). */
const waiting = [990, 9900, 99_000];
const turns = 400;
const plans = 100;

export async function measureOutboxGrowth(): Promise<Measurement> {
  const measured: { records: number; turn: number; plan: number }[] = [];
  for (const records of waiting) measured.push({ records, ...(await spansWith(records)) });
  const line = (name: 'turn' | 'plan') =>
    measured.map(({ records, [name]: figure }) => ({ work: records, figure }));
  const growth: Growth = {
    title: 'A turn of the outbox, by the records that wait',
    work: 'records waiting',
    unit: 'ms',
    lines: [
      { name: "a record's turn", points: line('turn') },
      { name: 'a plan', points: line('plan') },
    ],
  };
  const [first, last] = [measured[0], measured.at(-1)];
  return {
    title: 'Outbox with up to 99,000 records',
    how:
      `p50 of ${turns} records that go, and of ${plans} releases that are planned. Those that wait are of releases whose ` +
      `events are compacted. With ${grouped(last?.records ?? 0)} a turn takes ${inMilliseconds(last?.turn ?? 0)}.`,
    rows: growthRows(growth),
    goals: [
      ...slopeGoals(growth),
      ...(first && last
        ? [
            {
              what: 'a turn with 99,000 waiting, to one with 990',
              figure: last.turn / first.turn,
              limit: 1.5,
              unit: '×' as const,
            },
          ]
        : []),
    ],
    charts: [growth],
  };
}

async function spansWith(records: number): Promise<{ turn: number; plan: number }> {
  using directory = temporaryDirectory();
  growOutbox(directory.path, records);
  await using store = await openSteadyStore(directory.path);
  return { plan: planned(store, records), turn: await turn(store) };
}

function planned({ ledger }: Store, records: number): number {
  const spans = Array.from({ length: plans }, (_, index) => {
    const release = attempt({ release: records + 1 + index });
    const since = performance.now();
    ledger.plan(release);
    return performance.now() - since;
  });
  return percentile(spans, 0.5);
}

async function turn(store: Store): Promise<number> {
  const moments: number[] = [];
  const stop = new AbortController();
  const post = () => {
    moments.push(performance.now());
    if (moments.length > turns) stop.abort();
    return Promise.resolve();
  };
  const courier = store.courier({
    poster: { post },
    portIdOf: () => 7,
    serviceTime: { at: () => undefined },
    conditions: { raise() {}, clear() {} },
  });
  await courier.run(stop.signal);
  return percentile(
    moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment)),
    0.5,
  );
}
