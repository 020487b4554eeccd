/** Whether an update made it worse: what `platen status` tells of the last seven days. */
import { expect, it } from 'vitest';
import { byVersion } from '../../../src/commands/status/by-version.ts';
import { statusText } from '../../../src/commands/status/view.ts';
import type { EndedRelease } from '../../../src/domain/ports/ledger.ts';
import { sampleNow, sampleStatus } from '../sample-status.ts';

const ended = (startedAt: string, outcome: EndedRelease['outcome'], seconds: number): EndedRelease => ({
  startedAt: `2026-11-21T${startedAt}:00.000Z`,
  outcome,
  seconds,
});
const starts = [
  { time: '2026-11-21T10:00:00.000Z', version: '0.1.0' },
  { time: '2026-11-21T11:00:00.000Z', version: '0.1.0' },
  { time: '2026-11-21T12:00:00.000Z', version: '0.2.0' },
];

it('releases count for the version that ran when they began, the newest version first; one that completed has a time', () => {
  const releases = [
    ended('09:59', 'completed', 1),
    ended('10:01', 'completed', 4),
    ended('11:01', 'completed', 5),
    ended('11:02', 'completed', 9),
    ended('11:03', 'failed', 600),
    ended('12:01', 'unknown', 700),
    ended('12:02', 'completed', 2),
    ended('12:03', 'completed', 4),
  ];
  expect(byVersion(releases, starts)).toEqual([
    { version: '0.2.0', releases: 3, failed: 0, unknown: 1, medianSeconds: 3 },
    { version: '0.1.0', releases: 4, failed: 1, unknown: 0, medianSeconds: 5 },
    { version: null, releases: 1, failed: 0, unknown: 0, medianSeconds: 1 },
  ]);
});

it('a version under which nothing completed has no median, and one under which nothing ended is not told', () => {
  expect(byVersion([ended('12:01', 'failed', 1)], starts)).toEqual([
    { version: '0.2.0', releases: 1, failed: 1, unknown: 0, medianSeconds: null },
  ]);
  expect(byVersion([], starts)).toEqual([]);
});

it('is a table in the status', () => {
  const look = { width: 80, dot: '●', paint: (text: string) => text, isWhole: false };
  const lastSevenDays = [
    { version: '0.2.0', releases: 812, failed: 3, unknown: 1, medianSeconds: 4.21 },
    { version: null, releases: 1, failed: 1, unknown: 0, medianSeconds: null },
  ];
  const sight = { status: sampleStatus(), releases: [], lastSevenDays, now: sampleNow };
  expect(statusText(sight, look)).toContain(`
LAST 7 DAYS BY VERSION
VERSION  RELEASES  FAILED  UNKNOWN  MEDIAN
0.2.0    812       3       1        4.2 s
earlier  1         1       0        -
`);
  expect(statusText({ ...sight, lastSevenDays: [] }, look)).not.toContain('LAST 7 DAYS');
});
