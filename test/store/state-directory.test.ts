import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { lockInstance, openStateDirectory } from '../../src/store/files/state-directory.ts';
import { eventually } from '../support/patience.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';
import { busyWriter } from './writer-process.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a missing directory is made for its owner only, with the spool in it', () => {
  using directory = temporaryDirectory();
  const { log } = recordLog();
  const { path, spoolPath } = openStateDirectory({ path: join(directory.path, 'var/platen'), log });
  expect([modeOf(path), modeOf(spoolPath)]).toEqual([0o700, 0o700]);
  expect(spoolPath).toBe(join(path, 'spool'));
});

test('a directory that others may enter is told of and used', () => {
  using directory = temporaryDirectory();
  chmodSync(directory.path, 0o755);
  const recorded = recordLog();
  openStateDirectory({ path: directory.path, log: recorded.log });
  expect(recorded.records('directory is open to other users')).toMatchObject([
    { level: 'warn', mode: '755' },
  ]);
  expect(modeOf(directory.path)).toBe(0o755);
});

test.each([
  ['a file in its place', 'state'],
  ['a file on the way to it', 'state/platen'],
])('%s makes it unusable, with the path and what to do', (_name, below) => {
  using directory = temporaryDirectory();
  const { log } = recordLog();
  writeFileSync(join(directory.path, 'state'), '');
  const path = join(directory.path, below);
  expect(() => openStateDirectory({ path, log })).toThrow(
    expect.objectContaining({
      code: 'state-unusable',
      message: expect.stringMatching(`^${path}: .*stateDir`),
    }),
  );
});

test('a file where the spool should be makes it unusable', () => {
  using directory = temporaryDirectory();
  const { log } = recordLog();
  mkdirSync(join(directory.path, 'state'));
  writeFileSync(join(directory.path, 'state/spool'), '');
  expect(() => openStateDirectory({ path: join(directory.path, 'state'), log })).toThrow(
    /spool: is not a directory/,
  );
});

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
