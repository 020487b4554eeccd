/**
 * The gate itself, again and again as on a machine that is much too small for it: in a control group with a part of one
 * processor (cgroups(7)). What it says must not depend on that. Each run is a line in the results, so it goes on where it
 * was broken off.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import type { ControlGroup } from '../support/control-group.ts';
import { openControlGroup } from '../support/control-group.ts';
import { failuresIn } from './vitest-run.ts';

interface Gate {
  readonly name: string;
  readonly what: string;
  readonly command: readonly string[];
  /** Of a processor. */
  readonly share: number;
  /** In its group as many loops as the machine has processors do nothing, as fast as they can. */
  readonly isUnderLoad: boolean;
  readonly runs: number;
}

const gate = ({ name, what, runs, ...how }: Gate): Program => ({
  name,
  what,
  runs,
  part: 1,
  run: ({ runs: count }) => runOften(name, how, count),
});

export const gates: readonly Program[] = [
  gate({
    name: 'gate-unit',
    what: '`npm test` with a quarter of a processor',
    command: ['npm', 'test'],
    share: 0.25,
    isUnderLoad: false,
    runs: 100,
  }),
  gate({
    name: 'gate-agent',
    what: '`npm run test:agent` with half of a processor, beside a load',
    command: ['npm', 'run', 'test:agent'],
    share: 0.5,
    isUnderLoad: true,
    runs: 20,
  }),
];

const folder = 'test-output/gate';
const flaky = 'test-output/flaky.jsonl';
const retriesSoFar = (): number =>
  existsSync(flaky) ? readFileSync(flaky, 'utf8').split('\n').filter(Boolean).length : 0;

async function runOften(
  name: string,
  { command, share, isUnderLoad }: Pick<Gate, 'command' | 'share' | 'isUnderLoad'>,
  runs: number,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const failed: string[] = [];
  const before = retriesSoFar();
  for (let run = 0; run < runs; run += 1) {
    const log = join(folder, `${name}-${Date.now()}.log`);
    await using opened = new AsyncDisposableStack();
    const group = opened.use(openControlGroup({ share }));
    // Its share, whatever else this machine does: the load beside the tests is in the group, too.
    if (isUnderLoad)
      for (let loop = 0; loop < availableParallelism(); loop += 1) runIn(group, busy, 'ignore');
    const output = openSync(log, 'w');
    const [code] = (await once(runIn(group, command, output), 'exit')) as [number | null];
    closeSync(output);
    const failures = failuresIn(readFileSync(log, 'utf8'));
    if (code === 0) rmSync(log);
    // What went wrong outside of any test is a failure, too.
    else
      failed.push(
        ...(failures.length > 0 ? failures : [`ended with ${code}`]).map((one) => `${one} (${log})`),
      );
  }
  const retries = retriesSoFar() - before;
  return {
    table: table([
      ['runs', 'failures', 'tried once more'],
      [String(runs), String(failed.length), String(retries)],
    ]),
    violations: failed,
    facts: { failures: failed.length, retries },
  };
}

const busy = ['sh', '-c', 'while :; do :; done'];

function runIn(group: ControlGroup, command: readonly string[], output: number | 'ignore'): ChildProcess {
  const [program, ...words] = group.inside(command);
  return spawn(program, words, {
    stdio: ['ignore', output, output],
    env: { ...process.env, NO_COLOR: '1' },
  });
}
