import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Duration } from '../../src/core/duration.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { countStart } from '../../src/store/files/crash-notes.ts';
import { recordLog } from '../support/recorded-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const noon = Date.UTC(2026, 10, 21, 12);

const startIn = (stateDir: string, at: number) =>
  countStart({ stateDir, clock: { now: () => noon + at }, log: recordLog().log });

it.each<[string, readonly Duration[], number]>([
  ['five in five minutes', [0, 60, 120, 180, 290].map(seconds), 5],
  ['four in five minutes, and one before', [0, 100, 200, 300, 390].map(seconds), 4],
  ['one a day', [0, 24, 48].map(hours), 1],
  ['some of which are in the future of a clock that was set back', [60, 61, 62, 0].map(minutes), 1],
])('starts are counted: %s (E)', (_, moments, count) => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  expect(moments.map((at) => startIn(stateDir, at).count).at(-1)).toBe(count);
});

it('a stop in order begins the count anew', () => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  startIn(stateDir, 0);
  startIn(stateDir, 1).forget();
  expect(startIn(stateDir, 2).count).toBe(1);
});

it.each(['', '{}', '[1,', '["soon"]'])('a file that says %j is no start', async (text) => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  await writeFile(join(stateDir, 'starts.json'), text);
  expect(startIn(stateDir, 0).count).toBe(1);
  expect(JSON.parse(await readFile(join(stateDir, 'starts.json'), 'utf8'))).toEqual([noon]);
});

it('where it cannot be kept the agent starts all the same, and says so', () => {
  const recorded = recordLog();
  const start = countStart({ stateDir: '/nowhere', clock: { now: () => noon }, log: recorded.log });
  expect(start.count).toBe(1);
  expect(recorded.records('starts not counted')).toHaveLength(1);
});
