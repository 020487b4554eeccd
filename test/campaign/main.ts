/**
 * `npm run campaign`: the long runs, one program after the other (INVARIANTS.md, "Gates"). `npm run campaign -- list`
 * tells which there are and what of them was played here. Broken off, it goes on: what was played at this commit is not
 * played again. A part of it: `npm run campaign -- [NAME] --runs N`; the same once more, and nothing else: `--seed N`; of
 * the sessions: `sessions --sessions N`, or `--from K --to L` for these scenes alone; of the fleet: `fleet --minutes N
 * --lanes N`. Ends with 1 when an invariant was broken. `npm run lab` is the same of the programs that have a disk or a
 * kernel of their own, and lists them without a name.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { table } from '../../src/commands/terminal-text/table.ts';
import { thisMachine } from '../bench/machine.ts';
import type { Order, Program } from '../support/campaign-program.ts';
import { lab, programs } from './programs.ts';
import { commitHere, listOf, note, runsLeft } from './results.ts';

const tell = (text: string): unknown => process.stdout.write(`${text}\n`);

const text = { type: 'string' } as const;
const {
  values: chosen,
  positionals: [named],
} = parseArgs({
  allowPositionals: true,
  options: {
    lab: { type: 'boolean' },
    program: text,
    seed: text,
    runs: text,
    sessions: text,
    from: text,
    to: text,
    minutes: text,
    lanes: text,
  },
});
const known = chosen.lab ? lab : programs;
// A whole campaign goes on for days, and the lab is asked for what it has.
const asked = named ?? chosen.program ?? (chosen.lab ? 'list' : '');
const begun = performance.now();
const commit = commitHere();
const minutesLeft = () => Number(chosen.minutes ?? Infinity) - (performance.now() - begun) / 60_000;

if (asked === 'list') tell(listOf(known));
else await playAll();

async function playAll(): Promise<void> {
  const isAsked = known.some(({ name }) => name === asked)
    ? (name: string) => name === asked
    : (name: string) => name.startsWith(asked);
  const wanted = known.filter(({ name }) => isAsked(name));
  if (wanted.length === 0)
    throw new RangeError(`no such program: ${known.map(({ name }) => name).join(', ')}`);
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  tell(table(Object.entries(thisMachine())));
  for (const program of wanted) {
    const runs = Number(chosen.sessions ?? chosen.runs ?? program.runs);
    if (chosen.seed !== undefined || chosen.from !== undefined) {
      await play(program, { seed: Number(chosen.seed ?? aSeed()), runs });
    } else await goOn(program, runs);
  }
}

/** Until so many runs were played at this commit; what is named and has no parts is played whenever it is asked for. */
async function goOn(program: Program, runs: number): Promise<void> {
  const isResumed = program.part !== undefined || asked !== program.name;
  let left = isResumed ? runsLeft(program, runs, commit) : runs;
  if (left === 0) tell(`\n${program.name}: played already at ${commit}`);
  while (left > 0 && minutesLeft() > 0) {
    const played = await play(program, { seed: aSeed(), runs: Math.min(left, program.part ?? left) });
    left = played < left ? left - played : 0;
  }
}

/** Printed, and in the results: the same again is made of it. */
function aSeed(): number {
  return Math.floor(Math.random() * 1_000_000_000);
}

/** How many runs it took part in; infinite where it played all that there are. */
async function play(program: Program, { seed, runs }: Pick<Order, 'seed' | 'runs'>): Promise<number> {
  const since = performance.now();
  const order: Order = {
    seed,
    runs,
    ...(chosen.from !== undefined && { from: Number(chosen.from) }),
    ...(chosen.to !== undefined && { to: Number(chosen.to) }),
    ...(chosen.minutes !== undefined && { minutes: minutesLeft() }),
    ...(chosen.lanes !== undefined && { lanes: Number(chosen.lanes) }),
  };
  const result = await program.run(order);
  const minutes = (performance.now() - since) / 60_000;
  // Some scenes of a whole are looked at again, and say nothing of it.
  if (chosen.from === undefined) note(program, order, { result, commit, minutes });
  const { name, what } = program;
  tell(`\n${name}: ${what}, seed ${seed}, ${minutes.toFixed(1)} minutes\n\n${result.table}`);
  for (const violation of result.violations) tell(`VIOLATION: ${violation}`);
  if (result.violations.length > 0) process.exitCode = 1;
  return runs === Number.POSITIVE_INFINITY ? runs : Math.max(1, result.played ?? runs);
}
