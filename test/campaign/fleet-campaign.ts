/**
 * Faults of a fleet in their thousands, by kind and protocol: cut into batches with a stage each, some at a time, told
 * as one table.
 */
import { spread } from './creation-kills.ts';
import type { Dice } from '../support/dice.ts';
import { diceOf } from '../support/dice.ts';
import { edgeKinds } from './fleet-edges.ts';
import type { Fault, FaultKind } from './fleet-faults.ts';
import { apartKinds, usualKinds } from './fleet-faults.ts';
import type { FleetReport, FleetRun } from './fleet-runs.ts';
import { strikeOften } from './fleet-runs.ts';
import { fleetStepsOf } from './fleet-steps.ts';
import { lineOf, tablesOf } from './fleet-table.ts';
import { sizes } from './kill-runs.ts';
import type { Protocol } from './kill-stage.ts';
import { protocols } from './kill-stage.ts';
import type { Order, Program, Result } from '../support/campaign-program.ts';

export interface FleetBatch {
  readonly protocol: Protocol;
  readonly runs: readonly FleetRun[];
  /** By which it can be made again alone. */
  readonly name: string;
}

/** Fewer where one takes longer, or there are few in all: each protocol is to have its share. */
const batchSizes: Readonly<Record<FaultKind, number>> = {
  kill: 30,
  pause: 20,
  cut: 20,
  'engine-kill': 20,
  promotion: 10,
  restore: 5,
  vanish: 10,
  'disk-full': 8,
  'slow-line': 10,
  certificate: 10,
  'no-rights': 10,
  'one-reaches': 10,
  'long-pause': 3,
  'dump-restore': 8,
  'signer-withdrawn': 6,
  'listener-taken': 4,
  'undo-halted': 6,
  unplugged: 12,
  power: 12,
};

/** Milliseconds of a whole campaign; CI has no half minute to wait. */
export interface Spans {
  readonly longest: number;
}
const spans: Spans = { longest: 30_000 };

export function randomFault(kind: FaultKind, dice: Dice, { longest }: Spans = spans): Fault {
  const span = 2000 + dice.number(longest - 2000);
  switch (kind) {
    case 'pause':
      return { kind, span };
    case 'cut': {
      const how = dice.one(['cut', 'both', 'there', 'back'] as const);
      return { kind, how, whom: dice.happens(75) ? 'one' : 'all', span: span / 2 };
    }
    case 'engine-kill':
      return { kind, span: dice.number(5000) };
    case 'restore':
      return { kind, isLate: dice.happens(50) };
    case 'unplugged':
    case 'power':
      return { kind, span: span / 2 };
    case 'kill':
    case 'promotion':
    case 'vanish':
      return { kind };
    default:
      return { kind, span: span / 2, variant: dice.number(1) };
  }
}

export const randomFleetRuns = (faults: readonly Fault[], dice: Dice): FleetRun[] =>
  faults.map((fault) => ({
    fault,
    share: dice.number(1),
    bytes: dice.one(sizes),
    since: dice.happens(25) ? 'badge' : 'start',
  }));

/** `seed` makes the first batch, and each further one a further seed: so any of them can be made again alone. */
function randomBatches(kind: FaultKind, runs: number, seed: number): FleetBatch[] {
  const batchSize = batchSizes[kind];
  return Array.from({ length: Math.ceil(runs / batchSize) }, (_, index) => {
    const dice = diceOf(seed + index);
    const size = Math.min(batchSize, runs - index * batchSize);
    const faults = Array.from({ length: size }, () => randomFault(kind, dice));
    const protocol = protocols[(seed + index) % protocols.length] ?? 'ipp';
    return {
      protocol,
      runs: randomFleetRuns(faults, dice),
      name: `fleet-${kind}, seed ${seed + index}, ${size} runs`,
    };
  });
}

const runsOf: Readonly<Record<FaultKind, number>> = {
  kill: 10_000,
  pause: 1000,
  cut: 500,
  'engine-kill': 200,
  promotion: 50,
  restore: 20,
  vanish: 200,
  'disk-full': 100,
  'slow-line': 200,
  certificate: 100,
  'no-rights': 200,
  'one-reaches': 200,
  'long-pause': 20,
  'dump-restore': 100,
  'signer-withdrawn': 50,
  'listener-taken': 30,
  'undo-halted': 50,
  unplugged: 300,
  power: 300,
};
const runsInAll = usualKinds.reduce((sum, kind) => sum + runsOf[kind], 0);

const random = (kind: FaultKind): Program => ({
  name: `fleet-${kind}`,
  what: `three gateways and a person who badges at all: ${kind} while a document is let out`,
  runs: runsOf[kind],
  part: 6 * batchSizes[kind],
  run: (order) => strikeInLanes(randomBatches(kind, order.runs, order.seed), order),
});

/** So many of each kind as in a whole one, and side by side: whenever it ends, it has had its share of each. */
function mixedBatches({ seed, runs }: Order): FleetBatch[] {
  return usualKinds
    .flatMap((kind) => {
      const batches = randomBatches(kind, Math.ceil((runsOf[kind] * runs) / runsInAll), seed);
      return batches.map((batch, index) => ({ batch, at: (index + 0.5) / batches.length }));
    })
    .toSorted((one, other) => one.at - other.at)
    .map(({ batch }) => batch);
}

const mixed: Program = {
  name: 'fleet',
  what: 'three gateways and a person who badges at all, and whatever befalls them while a document is let out',
  runs: runsInAll,
  part: 200,
  run: (order) => strikeInLanes(mixedBatches(order), order),
};

/** All that there is befalls each fleet, in any order. */
function edgeBatches({ seed, runs }: Order): FleetBatch[] {
  return Array.from({ length: Math.ceil(runs / edgeBatchSize) }, (_, index) => {
    const dice = diceOf(seed + index);
    const size = Math.min(edgeBatchSize, runs - index * edgeBatchSize);
    const faults = Array.from({ length: size }, () => {
      const kind = dice.one(dice.happens(70) ? edgeKinds : usualKinds);
      // A pause of two minutes, once in so many.
      return randomFault(kind === 'long-pause' && dice.happens(80) ? 'pause' : kind, dice);
    });
    const protocol = protocols[(seed + index) % protocols.length] ?? 'ipp';
    return {
      protocol,
      runs: randomFleetRuns(faults, dice),
      name: `fleet-edges, seed ${seed + index}, ${size} runs`,
    };
  });
}

const edgeBatchSize = 12;

const atTheEdges: Program = {
  name: 'fleet-edges',
  what: 'three gateways and a person who badges at all, and all faults of the fleet at once: full disks, slow lines, changed certificates, taken rights, restores, roll-outs that halt',
  runs: 600,
  part: 5 * edgeBatchSize,
  run: (order) => strikeInLanes(edgeBatches(order), order),
};

/**
 * So many of them for each protocol, evenly spread, from one that the seed chooses on; all of them where there are no
 * more.
 */
export async function stepBatches(
  kind: 'kill' | 'pause',
  most: number,
  { seed, longest }: { readonly seed: number } & Spans,
): Promise<FleetBatch[]> {
  const dice = diceOf(seed);
  const batchSize = batchSizes[kind];
  const batches: FleetBatch[] = [];
  for (const protocol of protocols) {
    const steps = spread(await fleetStepsOf(protocol), Math.ceil(most / protocols.length), seed);
    for (let from = 0; from < steps.length; from += batchSize) {
      const faults = steps
        .slice(from, from + batchSize)
        .map((at) => ({ ...randomFault(kind, dice, { longest }), at }) as Fault);
      batches.push({
        protocol,
        runs: faults.map((fault) => ({ fault, since: 'badge', share: 0, bytes: 0 })),
        name: `fleet-${kind}-steps, seed ${seed}, from step ${from} over ${protocol}`,
      });
    }
  }
  return batches;
}

const stepwise = (kind: 'kill' | 'pause'): Program => ({
  name: `fleet-${kind}-steps`,
  what: `${kind} before each system call of a release in a fleet that is durable or visible`,
  runs: Number.POSITIVE_INFINITY,
  run: async (order) =>
    strikeInLanes(await stepBatches(kind, order.runs, { seed: order.seed, ...spans }), order),
});

export const fleetFaults: readonly Program[] = [
  mixed,
  atTheEdges,
  stepwise('kill'),
  stepwise('pause'),
  ...[...usualKinds, ...edgeKinds].map(random),
];

/** With networks for one stage at a time. */
export const fleetApart: readonly Program[] = apartKinds.map((kind) => {
  const { run, ...program } = random(kind);
  return { ...program, part: batchSizes[kind], run: (order) => run({ ...order, lanes: 1 }) };
});

/** A lane waits for its gateways most of the time. */
const usualLanes = 3;

/** After so many `minutes` no further batch is begun. */
export async function strikeInLanes(
  batches: readonly FleetBatch[],
  { minutes = Number.POSITIVE_INFINITY, lanes = usualLanes }: Pick<Order, 'minutes' | 'lanes'> = {},
): Promise<Result> {
  const end = performance.now() + minutes * 60_000;
  const waiting = [...batches];
  const violations: string[] = [];
  const reports: FleetReport[] = [];
  async function lane(): Promise<void> {
    for (let batch = waiting.shift(); batch && performance.now() < end; batch = waiting.shift()) {
      const { name, protocol, runs } = batch;
      try {
        const report = await strikeOften(protocol, runs);
        reports.push(report);
        violations.push(...report.violations.map((violation) => `${name}: ${violation}`));
        process.stderr.write(`${name}: ${lineOf(report)}\n`);
      } catch (error) {
        const sentence = `${name}: not played to its end: ${String(error)}`;
        violations.push(sentence);
        process.stderr.write(`${sentence}\n`);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return {
    table: tablesOf(reports, { asked: runsOf, lanes }),
    violations,
    played: reports.reduce((sum, { runs }) => sum + runs.length, 0),
  };
}
