/** What is asked of the kernel, by a tree of folders in place of its own: of its two versions a machine has one alone. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openControlGroup } from './control-group.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const quarter = { share: 0.25, period: 20_000, memory: 512 * 1024 * 1024 };

it('asks version 1 for a share and a limit in two trees, below the groups that this process is in', () => {
  using room = temporaryDirectory();
  for (const path of ['cpu', 'memory/office']) mkdirSync(join(room.path, path), { recursive: true });
  const mounts = `x ${room.path}/cpu cgroup rw,cpu,cpuacct 0 0\nx ${room.path}/memory cgroup rw,memory 0 0\n`;
  const group = openControlGroup(quarter, { mounts, own: '4:memory:/office\n1:cpu,cpuacct:/\n' });
  expect(filesBelow(join(room.path, 'cpu'))).toEqual({
    'cpu.cfs_period_us': '20000',
    'cpu.cfs_quota_us': '5000',
    'cpu.shares': '262144',
  });
  expect(filesBelow(join(room.path, 'memory', 'office'))).toEqual({
    'memory.limit_in_bytes': '536870912',
    'memory.swappiness': '0',
  });
  expect(group.inside(['true']).join(' ')).toMatch(
    /^sh -c echo \$\$ >'\S+\/cpu\/platen-[\d-]+\/cgroup\.procs' && echo \$\$ >'\S+\/memory\/office\/platen-[\d-]+\/cgroup\.procs' && exec "\$@" sh true$/,
  );
});

it('asks version 2 for both in its one tree', () => {
  using room = temporaryDirectory();
  writeFileSync(join(room.path, 'cgroup.controllers'), 'cpuset cpu io memory\n');
  openControlGroup(quarter, { mounts: `x ${room.path} cgroup2 rw 0 0\n`, own: '0::/office\n' });
  expect(readFileSync(join(room.path, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu +memory');
  expect(filesBelow(room.path)).toEqual({
    'cpu.max': '5000 20000',
    'cpu.weight': '10000',
    'memory.max': '536870912',
    'memory.swap.max': '0',
  });
});

it('tells whom the kernel has ended for want of memory', () => {
  using room = temporaryDirectory();
  mkdirSync(join(room.path, 'memory'));
  const mounts = `x ${room.path} cgroup rw,cpu 0 0\nx ${room.path}/memory cgroup rw,memory 0 0\n`;
  const group = openControlGroup(quarter, { mounts, own: '' });
  writeFileSync(
    join(groupIn(join(room.path, 'memory')), 'memory.oom_control'),
    'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n',
  );
  expect(group.outOfMemory()).toBe(2);
});

it.each([
  ['none at all', '', 'no control groups with cpu and memory'],
  ['a share alone', 'x /proc/nowhere cgroup rw,cpu 0 0', 'no control groups with a limit of memory'],
  ['none that this process may change', 'x /proc/nowhere cgroup rw,cpu,memory 0 0', 'only root may'],
])('says in words what is missing: %s', (_, mounts, words) => {
  expect(() => openControlGroup(quarter, { mounts, own: '' })).toThrow(words);
});

const groupIn = (tree: string): string =>
  join(tree, readdirSync(tree).find((name) => name.startsWith('platen-')) ?? 'no group');

const filesBelow = (tree: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(groupIn(tree)).map((name) => [name, readFileSync(join(groupIn(tree), name), 'utf8')]),
  );
