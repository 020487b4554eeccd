/**
 * A part of this machine for programs that are run in it, and end with it: a share of a processor, and so much memory
 * (cgroups(7)). Version 1 has a tree of groups for each of the two, version 2 one tree for all. Only root may make a
 * group, and not in every container.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './patience.ts';

export interface MachinePart {
  /** Of one processor, whatever else this machine does. */
  readonly share: number;
  /** Microseconds, in which the share is spent: in a long period a program runs at full speed, and then stands still. */
  readonly period?: number;
  /** Bytes, what the kernel keeps of files included, and nothing is swapped. Without it, as much as there is. */
  readonly memory?: number;
}

export interface ControlGroup extends AsyncDisposable {
  /** The command that runs this one in the group. */
  inside(command: readonly string[]): readonly [program: string, ...words: string[]];
  /** How many of its programs the kernel has ended because the memory was used up. */
  outOfMemory(): number;
}

/** What the kernel tells a process of the groups here (proc(5)): mounts, and the groups that the process is in. */
export interface KernelsWord {
  readonly mounts: string;
  readonly own: string;
}

/** A group in one tree. */
interface Branch {
  readonly path: string;
  readonly limits: Readonly<Record<string, string>>;
  /** The file in which the kernel counts those it has ended. */
  readonly kills?: string;
}

let made = 0;

/** Throws, in words, where no such group can be made. */
export function openControlGroup(part: MachinePart, kernel = kernelHere()): ControlGroup {
  made += 1;
  const branches = branchesOf(part, `platen-${process.pid}-${made}`, kernel);
  try {
    for (const { path, limits } of branches) {
      // Version 1 may have one tree for both.
      if (!existsSync(path)) mkdirSync(path);
      for (const [file, value] of Object.entries(limits)) writeFileSync(join(path, file), value);
    }
  } catch (cause) {
    throw new Error('no control group can be made: only root may, and not in every container', { cause });
  }
  const doors = branches.map(({ path }) => join(path, 'cgroup.procs'));
  const enter = doors.map((door) => `echo $$ >'${door}' && `).join('');
  return {
    inside: (command) => ['sh', '-c', `${enter}exec "$@"`, 'sh', ...command],
    outOfMemory: () =>
      branches.reduce((sum, { path, kills }) => sum + (kills ? killsIn(join(path, kills)) : 0), 0),
    async [Symbol.asyncDispose]() {
      await eventually(() => {
        for (const door of doors) for (const pid of membersIn(door)) endProcess(pid);
        for (const { path } of branches) if (existsSync(path)) rmdirSync(path);
      });
    },
  };
}

function kernelHere(): KernelsWord {
  const read = (name: string) => readFileSync(`/proc/self/${name}`, 'utf8');
  return { mounts: read('mounts'), own: read('cgroup') };
}

function branchesOf(part: MachinePart, name: string, kernel: KernelsWord): readonly Branch[] {
  const mounts = kernel.mounts.split('\n').map((line) => line.split(' '));
  const period = part.period ?? 100_000;
  const quota = String(Math.round(part.share * period));
  const memory = part.memory === undefined ? undefined : String(part.memory);

  const treeOf = (controller: string): string | undefined =>
    mounts.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(controller))?.[1];
  const cpu = treeOf('cpu');
  if (cpu !== undefined) {
    const below = (tree: string, controller: string) => join(ownIn(tree, controller, kernel.own), name);
    const ofProcessor: Branch = {
      path: below(cpu, 'cpu'),
      limits: { 'cpu.cfs_period_us': String(period), 'cpu.cfs_quota_us': quota, 'cpu.shares': '262144' },
    };
    if (memory === undefined) return [ofProcessor];
    const tree = treeOf('memory');
    if (tree === undefined)
      throw new Error('this machine has no control groups with a limit of memory (cgroups(7))');
    const limits = { 'memory.limit_in_bytes': memory, 'memory.swappiness': '0' };
    return [ofProcessor, { path: below(tree, 'memory'), limits, kills: 'memory.oom_control' }];
  }

  const root = mounts.find(([, , type]) => type === 'cgroup2')?.[1];
  const needed = memory === undefined ? ['cpu'] : ['cpu', 'memory'];
  const offered = root === undefined ? '' : readFileSync(join(root, 'cgroup.controllers'), 'utf8');
  if (root === undefined || needed.some((controller) => !offered.split(/\s/).includes(controller))) {
    throw new Error(`this machine has no control groups with ${needed.join(' and ')} (cgroups(7))`);
  }
  return [
    {
      path: join(root, name),
      limits: {
        '../cgroup.subtree_control': needed.map((controller) => `+${controller}`).join(' '),
        'cpu.max': `${quota} ${period}`,
        'cpu.weight': '10000',
        ...(memory === undefined ? {} : { 'memory.max': memory, 'memory.swap.max': '0' }),
      },
      ...(memory === undefined ? {} : { kills: 'memory.events' }),
    },
  ];
}

/** Where this process is in that tree, so that what limits it goes on to; the whole tree where a container does not show that. */
function ownIn(tree: string, controller: string, own: string): string {
  const line = own.split('\n').find((one) => one.split(':')[1]?.split(',').includes(controller));
  const path = join(tree, line?.split(':')[2] ?? '');
  return existsSync(path) ? path : tree;
}

const membersIn = (door: string): readonly number[] =>
  existsSync(door) ? readFileSync(door, 'utf8').split('\n').filter(Boolean).map(Number) : [];

const killsIn = (file: string): number =>
  Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
