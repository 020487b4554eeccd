/**
 * `npm run campaign`: the long runs, one program after the other (INVARIANTS.md, "Gates"). A part of it: `npm run
 * campaign -- [NAME] --seed N --runs N`; of the sessions: `sessions --sessions N`, or `--from K --to L` for these
 * scenes alone; of the fleet: `fleet --minutes N --lanes N`. Ends with 1 when an invariant was broken.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { thisMachine } from '../bench/machine.ts';
import { table } from '../../src/commands/terminal-text/table.ts';
import { programs } from './programs.ts';

const tell = (text: string): unknown => process.stdout.write(`${text}\n`);

const text = { type: 'string' } as const;
const {
  values: chosen,
  positionals: [named],
} = parseArgs({
  allowPositionals: true,
  options: {
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
const seed = Number(chosen.seed ?? Date.now() % 1_000_000);
const asked = named ?? chosen.program ?? '';
const isAsked = programs.some(({ name }) => name === asked)
  ? (name: string) => name === asked
  : (name: string) => name.startsWith(asked);
const wanted = programs.filter(({ name }) => isAsked(name));
if (wanted.length === 0)
  throw new RangeError(`no such program: ${programs.map(({ name }) => name).join(', ')}`);

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
tell(`${table(Object.entries(thisMachine()))}\nseed ${seed}`);
for (const { name, what, runs, run } of wanted) {
  const since = performance.now();
  const result = await run({
    ...{ seed, runs: Number(chosen.sessions ?? chosen.runs ?? runs) },
    ...(chosen.from !== undefined && { from: Number(chosen.from) }),
    ...(chosen.to !== undefined && { to: Number(chosen.to) }),
    ...(chosen.minutes !== undefined && { minutes: Number(chosen.minutes) }),
    ...(chosen.lanes !== undefined && { lanes: Number(chosen.lanes) }),
  });
  const minutes = ((performance.now() - since) / 60_000).toFixed(1);
  tell(`\n${name}: ${what}, ${minutes} minutes\n\n${result.table}`);
  for (const violation of result.violations) tell(`VIOLATION: ${violation}`);
  if (result.violations.length > 0) process.exitCode = 1;
}
