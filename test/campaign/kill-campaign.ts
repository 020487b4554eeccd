/**
 * Kills in their hundreds: cut into batches with a stage each, three at a time, and told as one table. A kill counts as
 * `unknown` when its document waits for a person's word in the end; those that came out all the same are told beside it.
 */
import { table } from '../../src/commands/terminal-text/table.ts';
import { percentile } from '../bench/figures.ts';
import { diceOf } from '../support/dice.ts';
import { violationsOf } from './kill-oracle.ts';
import type { KillReport, KillRun } from './kill-runs.ts';
import type { PowerCuts } from './kill-runs.ts';
import { killOften, randomRuns } from './kill-runs.ts';
import type { FileSystem } from '../support/recorded-disk.ts';
import type { Protocol } from './kill-stage.ts';
import { protocols } from './kill-stage.ts';
import { stepsOf } from './kill-steps.ts';
import type { Program, Result } from '../support/campaign-program.ts';

/** A stage keeps all that was printed on it; a batch is as long as that stays small. */
const batchSize = 40;
/** A part has one of each protocol at random moments, and one before system calls. */
const powerBatch = 20;

export const killRandomly = (protocol: Protocol): Program => ({
  name: `kill-${protocol}`,
  what: 'SIGKILL at random moments',
  runs: 2000,
  part: 6 * batchSize,
  run: ({ seed, runs }) => killInLanes(randomBatches(protocol, runs, seed)),
});

export const killStepwise = (protocol: Protocol): Program => ({
  name: `steps-${protocol}`,
  what: 'SIGKILL before each system call of a release that is durable or visible',
  runs: Number.POSITIVE_INFINITY,
  run: async ({ seed, runs }) => killInLanes(await stepBatches(protocol, runs, seed)),
});

/** The disk of the state directory loses its power with the agent; as many again at each durable or visible step. */
export const cutPower = (fileSystem: FileSystem): Program => ({
  name: `power-${fileSystem}`,
  what: `the power of a disk with ${fileSystem.replace('-', ', data=')} goes at random moments, and before system calls`,
  runs: 2520,
  part: 6 * powerBatch,
  run: async ({ seed, runs }) => killInLanes(await powerBatches(fileSystem, runs, seed)),
});

interface Batch {
  readonly protocol: Protocol;
  readonly runs: readonly KillRun[];
  /** By which it can be made again alone. */
  readonly name: string;
  readonly power?: PowerCuts;
}

/** One more than the smallest computer has processors: half of its time a lane waits for its agent. */
const lanes = 3;

/** `seed` makes the first batch, and each further one a further seed: so any of them can be made again alone. */
export const randomBatches = (protocol: Protocol, runs: number, seed: number): Batch[] =>
  batchesOf(runs, (index, size) => ({
    protocol,
    name: `kill-${protocol}, seed ${seed + index}`,
    runs: randomRuns(diceOf(seed + index), size),
  }));

/** So many of them, evenly spread, from one that the seed chooses on; all of them where there are no more. */
export async function stepBatches(protocol: Protocol, most: number, seed: number): Promise<Batch[]> {
  const steps = await stepsOf(protocol);
  const stride = Math.max(1, steps.length / most);
  const first = seed % Math.floor(stride);
  const chosen = Array.from({ length: Math.min(most, steps.length) }, (_, index) =>
    steps.at(Math.floor(first + index * stride)),
  ).filter((step) => step !== undefined);
  return batchesOf(chosen.length, (index, size) => ({
    protocol,
    name: `steps-${protocol}, seed ${seed}, from step ${index * batchSize}`,
    runs: chosen.slice(index * batchSize, index * batchSize + size),
  }));
}

/** Over each protocol, at random moments and before system calls. */
async function powerBatches(fileSystem: FileSystem, runs: number, seed: number): Promise<Batch[]> {
  const most = Math.ceil(runs / (2 * protocols.length));
  const batches: Batch[] = [];
  for (const protocol of protocols) {
    batches.push(...randomBatches(protocol, most, seed), ...(await stepBatches(protocol, most, seed)));
  }
  return withPowerCuts(batches, fileSystem, seed);
}

export const withPowerCuts = (batches: readonly Batch[], fileSystem: FileSystem, seed: number): Batch[] =>
  batches.map((batch, index) => ({
    ...batch,
    name: `power-${fileSystem}, ${batch.name}`,
    power: { fileSystem, dice: diceOf(seed + index) },
  }));

const batchesOf = (runs: number, batch: (index: number, size: number) => Batch): Batch[] =>
  Array.from({ length: Math.ceil(runs / batchSize) }, (_, index) =>
    batch(index, Math.min(batchSize, runs - index * batchSize)),
  );

export interface KillResult extends Result {
  /** Milliseconds from a start to a terminal that is ready. */
  readonly restarts: readonly number[];
}

export async function killInLanes(batches: readonly Batch[]): Promise<KillResult> {
  const waiting = [...batches];
  const violations: string[] = [];
  const reports: KillReport[] = [];
  async function lane(): Promise<void> {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const { name, protocol, runs, power } = batch;
      const report = await killOften(protocol, runs, power);
      reports.push(report);
      violations.push(...violationsOf(report.verdict).map((violation) => `${name}: ${violation}`));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return {
    table: summaryOf(reports),
    violations,
    played: reports.reduce((sum, { kills }) => sum + kills, 0),
    restarts: reports.flatMap((report) => report.restarts),
  };
}

function summaryOf(reports: readonly KillReport[]): string {
  const played = [...new Set(reports.map(({ protocol }) => protocol))].toSorted();
  const heading = [
    'protocol',
    'kills',
    'late',
    'lossy',
    'documents',
    'unknown',
    'of them printed',
    'double',
    'lost',
  ];
  const rows = played.map((protocol) => {
    const mine = reports.filter((report) => report.protocol === protocol);
    const sum = (figure: (report: KillReport) => number): string =>
      String(mine.reduce((total, report) => total + figure(report), 0));
    const restarts = mine.flatMap((report) => report.restarts);
    return [
      protocol,
      sum(({ kills }) => kills),
      sum(({ late }) => late),
      sum(({ lossy }) => lossy),
      sum(({ verdict }) => verdict.documents),
      sum(({ verdict }) => verdict.unknown.length),
      sum(({ verdict }) => verdict.unknownButPrinted.length),
      sum(({ verdict }) => verdict.double.length),
      sum(({ verdict }) => verdict.lost.length),
      ...[0.5, 0.99].map((share) =>
        restarts.length === 0 ? '–' : `${percentile(restarts, share).toFixed(0)} ms`,
      ),
    ];
  });
  return table([[...heading, 'restart p50', 'p99'], ...rows]);
}
