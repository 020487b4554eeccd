import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStateDirectory } from '../../src/store/files/state-directory.ts';
import { recordLog } from '../support/recorded-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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
