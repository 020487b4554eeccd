/**
 * The figures of two runs on one machine, pair by pair: what has become worse by more than the noise. The noise is what the
 * samples show. A figure is worse when even the better half of the new samples, by its median, is worse than the worse
 * half of the old ones, by its median, and by more than a margin: what the same program differs by from run to run.
 */
import { percentile } from './figures.ts';
import type { Figure, Figures, Table } from './figures-file.ts';

/** The share by which a figure may be worse; a few samples say little of their noise. */
const margin = { ofMany: 0.1, ofFew: 0.3 };
const many = 8;

/** What decides which machine it was; the day, the free room and the Node differ without that. */
const ofTheMachine = ['processor', 'memory', 'system'] as const;

export interface Pair {
  readonly title: string;
  readonly before: Figure;
  readonly now: Figure;
}

export interface Comparison {
  readonly pairs: readonly Pair[];
  /** Of tables that were measured now. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** In words; `undefined`: they are the same. */
export function otherMachine(before: Figures['machine'], now: Figures['machine']): string | undefined {
  const differs = ofTheMachine.find((fact) => before[fact] !== now[fact]);
  if (differs === undefined) return undefined;
  const [then, here] = [before[differs] ?? 'not told', now[differs] ?? 'not told'];
  return `the figures are of another machine, and say nothing of this one: ${differs} was ${then}, and is ${here}`;
}

export function pairUp(before: readonly Table[], now: readonly Table[]): Comparison {
  const pairs: Pair[] = [];
  const missing: string[] = [];
  const added: string[] = [];
  for (const { title, figures } of now) {
    const old = before.find((table) => table.title === title)?.figures ?? [];
    const isIn = (some: readonly Figure[]) => (one: Figure) => some.some((other) => isSame(one, other));
    missing.push(...old.filter((one) => !isIn(figures)(one)).map(({ name }) => `${title}: ${name}`));
    added.push(...figures.filter((one) => !isIn(old)(one)).map(({ name }) => `${title}: ${name}`));
    for (const figure of figures) {
      const same = old.find((one) => isSame(one, figure));
      if (same) pairs.push({ title, before: same, now: figure });
    }
  }
  return { pairs, missing, added };
}

/** What a share of 0.2 tells: a fifth worse than the noise explains; nothing at all is 0 or less. */
export function worsening({ before, now }: Pick<Pair, 'before' | 'now'>): number {
  const [then, here] = [worseHalf(before), betterHalf(now)];
  const [smaller, larger] = before.better === 'less' ? [then, here] : [here, then];
  // Of nothing there is no share.
  if (then === 0 || smaller < 0) return 0;
  return smaller === 0 ? Number.POSITIVE_INFINITY : larger / smaller - 1;
}

/** `most`: another share than the usual one. */
export function isWorse(pair: Pick<Pair, 'before' | 'now'>, most = marginOf(pair)): boolean {
  return worsening(pair) > most;
}

/** Of an idle agent, in MB: what is resident and what is on the heap when all that nobody holds is collected. */
export const memoryKept = 'idle memory, collected';
export const memoryOfHeap = 'of it on the heap and in buffers';
/** MB that a commit may add to them. */
const mayAdd: Readonly<Record<string, number>> = { [memoryKept]: 1, [memoryOfHeap]: 1 };

/**
 * Beyond what a machine that others use too does by chance. The memory that an idle agent keeps hardly depends on chance:
 * of it every MB counts.
 */
export function isFarWorse(pair: Pick<Pair, 'before' | 'now'>): boolean {
  const most = mayAdd[pair.now.name];
  return most === undefined ? isWorse(pair, pair.now.unit === 'MB' ? 0.3 : 0.5) : rise(pair) > most;
}

/** The least that the samples allow, in the figure's own unit. */
export const rise = ({ before, now }: Pick<Pair, 'before' | 'now'>): number =>
  betterHalf(now) - worseHalf(before);

function marginOf({ before, now }: Pick<Pair, 'before' | 'now'>): number {
  return Math.min(before.samples.length, now.samples.length) < many ? margin.ofFew : margin.ofMany;
}

const isSame = (one: Figure, other: Figure): boolean =>
  one.name === other.name && one.unit === other.unit && one.better === other.better;

/** A quarter of the samples is better than it. */
const betterHalf = ({ better, samples }: Figure): number =>
  percentile(samples, better === 'less' ? 0.25 : 0.75);
const worseHalf = ({ better, samples }: Figure): number =>
  percentile(samples, better === 'less' ? 0.75 : 0.25);

export const usual = ({ samples }: Figure): number => percentile(samples, 0.5);
