/**
 * The gate itself, again and again as on a machine that is much too small for it: in a control group with a part of one
 * processor (cgroups(7)). What it says must not depend on that. Each run is a line in the results, so it goes on where it
 * was broken off.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import { eventually } from '../support/patience.ts';
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
    await using group = openGroup(share);
    if (isUnderLoad) for (let loop = 0; loop < availableParallelism(); loop += 1) group.run(busy, 'ignore');
    const output = openSync(log, 'w');
    const [code] = (await once(group.run(command, output), 'exit')) as [number | null];
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

interface Group extends AsyncDisposable {
  run(command: readonly string[], output: number | 'ignore'): ReturnType<typeof spawn>;
}

/** All that is left in it ends with it. */
function openGroup(share: number): Group {
  const { root, version } = groupsHere();
  const path = join(root, `platen-gate-${process.pid}`);
  const [quota, period] = [Math.round(share * 100_000), 100_000];
  try {
    if (version === 2) writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
    mkdirSync(path, { recursive: true });
    // Its share, whatever else this machine does: the load beside the tests is in the group, too.
    if (version === 2) {
      writeFileSync(join(path, 'cpu.max'), `${quota} ${period}`);
      writeFileSync(join(path, 'cpu.weight'), '10000');
    } else {
      writeFileSync(join(path, 'cpu.cfs_period_us'), String(period));
      writeFileSync(join(path, 'cpu.cfs_quota_us'), String(quota));
      writeFileSync(join(path, 'cpu.shares'), '262144');
    }
  } catch (cause) {
    throw new Error(`no control group can be made in ${root}: only root may, and not in every container`, {
      cause,
    });
  }
  const members = () =>
    readFileSync(join(path, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  return {
    run: ([program = '', ...words], output) =>
      spawn('sh', ['-c', 'echo $$ >"$0" && exec "$@"', join(path, 'cgroup.procs'), program, ...words], {
        stdio: ['ignore', output, output],
        env: { ...process.env, NO_COLOR: '1' },
      }),
    async [Symbol.asyncDispose]() {
      await eventually(() => {
        for (const pid of members()) endProcess(pid);
        rmdirSync(path);
      });
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Where groups with a share of the processor can be: version 1 has a tree for that alone; version 2 has one tree for all. */
function groupsHere(): { readonly root: string; readonly version: 1 | 2 } {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const one = mounts.find(
    ([, , type, options]) => type === 'cgroup' && options?.split(',').includes('cpu'),
  )?.[1];
  if (one !== undefined) return { root: one, version: 1 };
  const two = mounts.find(([, , type]) => type === 'cgroup2')?.[1];
  const offered = two === undefined ? '' : readFileSync(join(two, 'cgroup.controllers'), 'utf8');
  if (two === undefined || !offered.split(/\s/).includes('cpu')) {
    throw new Error('this machine has no control groups with a share of the processor (cgroups(7))');
  }
  return { root: two, version: 2 };
}
