import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockInstance } from '../../src/store/instance-lock.ts';
import { openSteadyStore } from './steady-store.ts';
import { filesBelow, temporaryDirectory } from './temporary-directory.ts';
import { busyWriter } from './writer-process.ts';

const alreadyRunning = expect.objectContaining({ code: 'already-running' });

test('D13: the lock is free again when it is given back', async () => {
  using directory = temporaryDirectory();
  for (const _round of [1, 2]) {
    await using held = await lockInstance(directory.path);
    expect(held).toBeDefined();
    await expect(lockInstance(directory.path)).rejects.toThrow(alreadyRunning);
  }
});

test('D13: another process keeps us out, nothing is touched, and its SIGKILL lets us in', async () => {
  using directory = temporaryDirectory();
  const other = spawn(process.execPath, [busyWriter, directory.path, '1']);
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  other.kill('SIGSTOP');
  await vi.waitUntil(() => readFileSync(`/proc/${other.pid}/stat`, 'utf8').includes(') T '));
  const before = filesBelow(directory.path);
  await expect(openSteadyStore(directory.path)).rejects.toThrow(alreadyRunning);
  expect(filesBelow(directory.path)).toEqual(before);
  other.kill('SIGKILL');
  await once(other, 'close');
  await using store = await openSteadyStore(directory.path);
  expect(store.device.facts().registered).toBe(true);
});

test('D13: the socket alone keeps us out, before the lock file is made', async () => {
  using directory = temporaryDirectory();
  const name = `platen-${createHash('sha256').update(directory.path).digest('hex')}`;
  await using holder = createServer();
  await once(holder.listen({ path: `\0${name}` }), 'listening');
  await expect(lockInstance(directory.path)).rejects.toThrow(alreadyRunning);
  expect(filesBelow(directory.path)).toEqual([]);
});

test('D13: the lock file alone keeps us out, as from another network namespace', async () => {
  using directory = temporaryDirectory();
  using holder = new DatabaseSync(join(directory.path, 'lock.db'));
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  await expect(lockInstance(directory.path)).rejects.toThrow(alreadyRunning);
});
