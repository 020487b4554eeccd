import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { lockInstance } from '../../src/store/files/state-directory.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';
import { busyWriter } from './writer-process.ts';
import { eventually } from '../support/patience.ts';

const alreadyRunning = expect.objectContaining({ code: 'already-running' });

test('D13: the lock is free again when it is given back', () => {
  using directory = temporaryDirectory();
  for (const _round of [1, 2]) {
    using held = lockInstance(directory.path);
    expect(held).toBeDefined();
    expect(() => lockInstance(directory.path)).toThrow(alreadyRunning);
  }
});

test('D13: another process keeps us out, nothing is touched, and its SIGKILL lets us in', async () => {
  using directory = temporaryDirectory();
  const other = spawn(process.execPath, [busyWriter, directory.path, '1']);
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  other.kill('SIGSTOP');
  await eventually(() => expect(readFileSync(`/proc/${other.pid}/stat`, 'utf8')).toContain(') T '));
  const before = filesBelow(directory.path);
  await expect(openSteadyStore(directory.path)).rejects.toThrow(alreadyRunning);
  expect(filesBelow(directory.path)).toEqual(before);
  other.kill('SIGKILL');
  await once(other, 'close');
  await using store = await openSteadyStore(directory.path);
  expect(store.device.facts().registered).toBe(true);
});

test('D13: who asked in vain in this process has not given the lock to another one', async () => {
  using directory = temporaryDirectory();
  using _ = lockInstance(directory.path);
  expect(() => lockInstance(directory.path)).toThrow(alreadyRunning);
  const other = spawn(process.execPath, [busyWriter, directory.path, '1']);
  expect(await text(other.stdout)).toBe('problem already-running\n');
  expect(existsSync(join(directory.path, 'platen.db'))).toBe(false);
});
