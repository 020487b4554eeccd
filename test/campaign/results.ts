/**
 * What was played here, a line of JSON for each part of a campaign in test-output/campaign.jsonl: so one that was broken
 * off goes on, and anybody sees what was played, when and how often.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { table } from '../../src/commands/terminal-text/table.ts';
import { thisMachine } from '../bench/machine.ts';
import type { Order, Program, Result } from '../support/campaign-program.ts';

export const resultsFile = 'test-output/campaign.jsonl';

export interface Played {
  readonly time: string;
  readonly program: string;
  readonly commit: string;
  readonly seed: number;
  readonly machine: string;
  readonly runs: number;
  /** It was asked for all that there are, and has played them. */
  readonly isAll: boolean;
  readonly violations: number;
  readonly minutes: number;
  readonly [fact: string]: unknown;
}

const withChanges = ' with changes';

export function commitHere(): string {
  const git = (...words: readonly string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? withChanges : ''}`;
  } catch {
    return 'no commit';
  }
}

export function resultsHere(): readonly Played[] {
  if (!existsSync(resultsFile)) return [];
  const lines = readFileSync(resultsFile, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Played);
}

export function note(
  { name }: Program,
  { seed, runs }: Order,
  {
    result: { violations, played = runs, facts },
    commit,
    minutes,
  }: { readonly result: Result; readonly commit: string; readonly minutes: number },
): void {
  const { processor, memory } = thisMachine();
  const line: Played = {
    time: new Date().toISOString(),
    program: name,
    commit,
    seed,
    machine: `${processor}, ${memory}`,
    runs: played,
    isAll: runs === Number.POSITIVE_INFINITY,
    violations: violations.length,
    minutes: Number(minutes.toFixed(1)),
    ...facts,
  };
  mkdirSync(dirname(resultsFile), { recursive: true });
  appendFileSync(resultsFile, `${JSON.stringify(line)}\n`);
}

/** Runs that are still to be played at this commit, of so many in all; a tree with changes is another one each time. */
export function runsLeft({ name }: Program, wanted: number, commit: string): number {
  if (commit.endsWith(withChanges)) return wanted;
  const mine = resultsHere().filter((one) => one.program === name && one.commit === commit);
  if (mine.some(({ isAll }) => isAll)) return 0;
  return Math.max(0, wanted - mine.reduce((sum, { runs }) => sum + runs, 0));
}

/** Each program by its name, and what of it was played here. */
export function listOf(programs: readonly Program[]): string {
  const results = resultsHere();
  const rows = programs.map(({ name, what, runs }) => {
    const mine = results.filter(({ program }) => program === name);
    const last = mine.at(-1);
    const size = runs === Number.POSITIVE_INFINITY ? 'all' : String(runs);
    if (!last) return [name, size, 'never here', '', '', what];
    const played = mine.filter(({ commit }) => commit === last.commit);
    const sum = played.reduce((total, one) => total + one.runs, 0);
    const broken = mine.reduce((total, { violations }) => total + violations, 0);
    const day = last.time.slice(0, 16).replace('T', ' ');
    return [name, size, `${day}, ${last.commit}`, String(sum), String(broken), what];
  });
  return table([['program', 'size', 'last played', 'runs then', 'violations ever', 'plays'], ...rows]);
}
