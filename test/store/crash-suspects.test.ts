import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hours, minutes } from '../../src/core/duration.ts';
import { countSuspects } from '../../src/store/files/crash-notes.ts';
import { recordLog } from '../support/recorded-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const noon = Date.UTC(2026, 10, 21, 12);

function startIn(
  stateDir: string,
  { at = 0, open = [] as string[], wasCrash = true, log = recordLog().log } = {},
) {
  const suspects = countSuspects({ stateDir, wasCrash, open, clock: { now: () => noon + at }, log });
  return Object.fromEntries(suspects.map(({ documentUuid, crashes }) => [documentUuid, crashes]));
}

it('a document is counted at each crash that found it in hand, and no other (E, Restart)', () => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  expect(startIn(stateDir, { open: ['report', 'report', 'invoice'] })).toEqual({ report: 1, invoice: 1 });
  expect(startIn(stateDir, { at: minutes(5), open: ['report'] })).toEqual({ report: 2, invoice: 1 });
  expect(startIn(stateDir, { at: minutes(6), open: [] })).toEqual({ report: 2, invoice: 1 });
});

it('a stop in order counts nothing, whatever it left open', () => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  startIn(stateDir, { open: ['report'] });
  expect(startIn(stateDir, { open: ['report'], wasCrash: false })).toEqual({ report: 1 });
});

it('after a day it is forgotten, and by a clock that was set back', () => {
  using directory = temporaryDirectory();
  const stateDir = directory.path;
  startIn(stateDir, { open: ['report'] });
  startIn(stateDir, { at: hours(23), open: ['invoice'] });
  expect(startIn(stateDir, { at: hours(24) })).toEqual({ invoice: 1 });
  expect(startIn(stateDir, { at: -1 })).toEqual({});
});

it.each(['', '[]', '{"report":', '{"report":2}', '{"report":{"crashes":"many","at":0}}'])(
  'a file that says %j suspects nobody, and is written anew',
  async (text) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'suspects.json');
    await writeFile(path, text);
    expect(startIn(directory.path, { open: ['report'] })).toEqual({ report: 1 });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ report: { crashes: 1, at: noon } });
  },
);

it('where it cannot be written the start goes on, and the log says so', () => {
  using directory = temporaryDirectory();
  const { log, records } = recordLog();
  expect(startIn(join(directory.path, 'absent'), { open: ['report'], log })).toEqual({ report: 1 });
  expect(records('documents of crashes not counted')).toHaveLength(1);
});
