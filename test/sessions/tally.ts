/** What many scenes come to, as plain data that adds up over processes, and as the table that is told in the end. */
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Chronicle } from './chronicle.ts';
import type { Readings, Violation } from './judge/readings.ts';

type Counts = Record<string, number>;

export interface Tally {
  scenes: number;
  /** Visits of people to terminals; and those in which the terminal knew the person. */
  sessions: number;
  opened: number;
  outputs: number;
  /** Milliseconds of the scenes' own time. */
  lived: number;
  readonly outcomes: Counts;
  readonly cloudFaults: Counts;
  readonly printerFaults: Counts;
  readonly deaths: Counts;
  /** Sessions at a printer that has it. */
  readonly habits: Counts;
  readonly words: Counts;
  readonly violations: Counts;
  /** By habit and invariant. */
  readonly violationsByHabit: Counts;
  readonly found: Found[];
}

export interface Found {
  readonly scene: number;
  readonly invariant: string;
  readonly what: string;
  readonly habits: string;
}

/** Those that are judged, in the order of the table; a campaign that held has 0 at each. */
export const judged = [
  'I1',
  'I2',
  'I3',
  'I5',
  'I6',
  'I7',
  'I9',
  'I11',
  'I12',
  'D6',
  'patience',
  'wire',
] as const;

/** More of them say nothing new. */
const mostFound = 400;

export const emptyTally = (): Tally => ({
  scenes: 0,
  sessions: 0,
  opened: 0,
  outputs: 0,
  lived: 0,
  outcomes: {},
  cloudFaults: {},
  printerFaults: {},
  deaths: {},
  habits: {},
  words: {},
  violations: {},
  violationsByHabit: {},
  found: [],
});

const count = (counts: Counts, key: string, more = 1): void => {
  if (more > 0) counts[key] = (counts[key] ?? 0) + more;
};

export function tallyScene(
  tally: Tally,
  {
    scene,
    chronicle,
    readings,
    violations,
  }: {
    readonly scene: number;
    readonly chronicle: Chronicle;
    readonly readings: Readings;
    readonly violations: readonly Violation[];
  },
): void {
  const habitsOf = (terminal: string | undefined): string => {
    const habits = chronicle.terminals.find(({ id }) => id === terminal)?.habits ?? [];
    return habits.join(' + ') || 'none';
  };
  tally.scenes += 1;
  tally.sessions += chronicle.visits.length;
  tally.opened += chronicle.visits.filter(({ openedAt }) => openedAt !== undefined).length;
  tally.outputs += chronicle.outputs.length;
  tally.lived += chronicle.healedAt - (chronicle.log[0]?.at ?? chronicle.healedAt);
  for (const { ends } of readings.releases) count(tally.outcomes, ends.at(-1)?.outcome ?? 'not told');
  for (const one of chronicle.disturbances) {
    if (one.kind === 'cloud') count(tally.cloudFaults, one.fault, one.met);
    else if (one.kind === 'printer') count(tally.printerFaults, one.fault);
    else count(tally.deaths, one.kind);
  }
  for (const { terminal } of chronicle.visits) count(tally.habits, habitsOf(terminal));
  for (const { command } of chronicle.words) count(tally.words, command);
  for (const { invariant, what, terminal } of violations) {
    const habits = habitsOf(terminal);
    count(tally.violations, invariant);
    count(tally.violationsByHabit, `${habits}: ${invariant}`);
    if (tally.found.length < mostFound) tally.found.push({ scene, invariant, what, habits });
  }
}

/** Adds the second to the first. */
export function addTally(tally: Tally, more: Tally): void {
  for (const figure of ['scenes', 'sessions', 'opened', 'outputs', 'lived'] as const)
    tally[figure] += more[figure];
  const books = [
    'outcomes',
    'cloudFaults',
    'printerFaults',
    'deaths',
    'habits',
    'words',
    'violations',
    'violationsByHabit',
  ] as const;
  for (const book of books)
    for (const [key, times] of Object.entries(more[book])) count(tally[book], key, times);
  tally.found.push(...more.found.slice(0, mostFound - tally.found.length));
}

export function tallyTable(tally: Tally, seconds: number): string {
  const sum = (counts: Counts): number => Object.values(counts).reduce((total, one) => total + one, 0);
  const listed = (counts: Counts): string =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([what, times]) => `${what} ${times}`)
      .join(', ') || 'none';
  return table([
    ['what', 'how many', 'of them'],
    [
      'sessions',
      String(tally.sessions),
      `in ${tally.scenes} scenes; the person was known in ${tally.opened}`,
    ],
    [
      'a second',
      (tally.sessions / seconds).toFixed(1),
      `${(tally.lived / 3_600_000).toFixed(0)} hours were lived through in ${seconds.toFixed(0)} s`,
    ],
    ['releases', String(sum(tally.outcomes)), listed(tally.outcomes)],
    ['outputs', String(tally.outputs), 'in the trays, in part or whole'],
    ['people’s words', String(sum(tally.words)), listed(tally.words)],
    ['faults of the service met', String(sum(tally.cloudFaults)), listed(tally.cloudFaults)],
    ['printers in trouble', String(sum(tally.printerFaults)), listed(tally.printerFaults)],
    ['ends of the agent', String(sum(tally.deaths)), listed(tally.deaths)],
    ['sessions by habit', String(sum(tally.habits)), listed(tally.habits)],
    ...judged.map((invariant) => [
      `violations of ${invariant}`,
      String(tally.violations[invariant] ?? 0),
      listed(byHabit(tally, invariant)).replace('none', ''),
    ]),
  ]);
}

const byHabit = ({ violationsByHabit }: Tally, invariant: string): Counts =>
  Object.fromEntries(Object.entries(violationsByHabit).filter(([key]) => key.endsWith(`: ${invariant}`)));
