import { expect, test } from 'vitest';
import { nextOf, pagesText, stateText, storyOf } from '../../../src/commands/releases/story.ts';
import { localTime } from '../../../src/commands/terminal-text/local-time.ts';
import type { FoundRelease } from '../../../src/domain/ports/ledger.ts';
import { forgottenRelease } from '../../../src/domain/release.ts';

const at = '2026-11-21T12:00:00.000Z';
const event = (state: string, facts: Record<string, unknown> = {}) => ({ state, at, facts });

const found = (row: Partial<FoundRelease['row']>, more: Partial<FoundRelease> = {}): FoundRelease => ({
  row: {
    releaseId: 'ab'.repeat(16),
    terminal: 'lobby',
    documentUuid: 'doc-1',
    state: 'UNKNOWN',
    outcome: 'unknown',
    confirmation: undefined,
    pages: undefined,
    problem: undefined,
    startedAt: at,
    endedAt: at,
    deletionOwed: false,
    ...row,
  },
  events: [],
  ...more,
});

test('a release tells what each event means, and the evidence', () => {
  const story = storyOf([
    event('PLANNED', { userId: 41, providerId: 7, pages: 3, copies: 2, again: 'cd'.repeat(16) }),
    event('INTENT', { printerUri: 'ipp://p/ipp/print' }),
    event('JOB', { jobId: 12, jobUri: 'ipp://p/jobs/12' }),
    event('SENT', { digest: 'ef', length: 9 }),
    event('PARTIAL', {
      problem: 'printer-stalled',
      reportedBy: 'device',
      report: { state: 'canceled', reasons: ['job-canceled-by-user'], impressionsCompleted: 2 },
    }),
    event('CONFIRMED-BY-USER'),
  ]);
  expect(story.map(([, state, sentence]) => `${state}: ${sentence}`)).toEqual([
    'PLANNED: wanted by user 41 of provider 7: 3 pages, 2 copies; a person asked to print the document of release cdcdcdcd again',
    'INTENT: Platen begins to send to ipp://p/ipp/print; from now on the document may have been printed',
    'JOB: the printer accepted job 12 (ipp://p/jobs/12)',
    'SENT: the printer has all bytes, SHA-256 ef',
    'PARTIAL: a part of it was printed: the device reports canceled (job-canceled-by-user) 2 impressions; ' +
      'printer-stalled: The printer accepted no data for stallSeconds, or the job made no progress for jobStallSeconds or when its owner left. Platen stopped the job.',
    'CONFIRMED-BY-USER: a person found it in the tray',
  ]);
});

test.each([
  ['printer-not-ready', ['media-empty-error'], 'The printer is out of paper. Add paper.'],
  ['printer-not-ready', ['door-open'], 'A door of the printer is open. Close the doors.'],
  ['printer-not-ready', undefined, 'The display of the printer shows the reason.'],
  ['printer-unreachable', [], 'Check the power, the network and the address of the printer.'],
])('a release that failed for %s with %j says what to do', (problem, reasons, said) => {
  const [row] = storyOf([event('NOOUTPUT', { problem, ...(reasons && { reasons }) })]);
  expect(row?.[2]).toBe(`nothing was printed; ${problem}: ${said}`);
});

test.each([
  [1, 1, '1 page, 1 copy'],
  [2, 3, '2 pages, 3 copies'],
])('%i pages and %i copies are counted as a person counts', (pages, copies, said) => {
  const [row] = storyOf([event('PLANNED', { userId: 1, providerId: 1, pages, copies })]);
  expect(row?.[2]).toBe(`wanted by user 1 of provider 1: ${said}`);
});

test('an event of a kind it does not know is told with its facts', () => {
  expect(storyOf([event('FUTURE', { x: 1 })])).toEqual([[localTime(at), 'FUTURE', '{"x":1}']]);
});

test('a repetition of what is no longer recorded says only that it is one', () => {
  const [row] = storyOf([event('PLANNED', { userId: 1, providerId: 1, again: forgottenRelease })]);
  expect(row?.[2]).toMatch(/unknown pages, unknown copies; a person asked for it again$/);
});

test.each<[string, FoundRelease, RegExp[]]>([
  [
    'an unknown one: whom it asks, and when its record goes',
    found({}, { history: { dueAt: '2026-11-22T12:00:00.000Z' } }),
    [
      /^Platen does not print it again automatically/,
      new RegExp(`sends it after ${localTime('2026-11-22T12:00:00.000Z')}\\.$`),
    ],
  ],
  [
    'one that a person found: nobody is asked any more',
    found({}, { events: [event('CONFIRMED-BY-USER')], history: { dueAt: at } }),
    [/^Its history record is waiting/],
  ],
  ['one that failed', found({ state: 'NOOUTPUT', outcome: 'failed' }), [/printed again now/]],
  ['one under way', found({ state: 'INTENT', outcome: undefined }), [/^It is being printed/]],
  [
    'one whose deletion is owed and whose record was refused',
    found(
      { state: 'CONFIRMED', outcome: 'completed', deletionOwed: true },
      { history: { dueAt: at, rejected: 'cloud-rejected: 400' } },
    ),
    [/must still be deleted/, /refused its history record \(cloud-rejected: 400\)/],
  ],
  [
    'one that is over and recorded',
    found({ state: 'CONFIRMED', outcome: 'completed' }),
    [/^The service has its history record/],
  ],
])('what comes next of %s', (_what, release, sentences) => {
  const next = nextOf(release);
  expect(next).toHaveLength(sentences.length);
  for (const [index, sentence] of sentences.entries()) expect(next[index]).toMatch(sentence);
});

test('a page count never goes without its label', () => {
  expect([
    pagesText({ source: 'device-confirmed', pages: 6 }),
    pagesText({ source: 'device-confirmed', sheets: 3 }),
    pagesText({ source: 'document-estimate', pages: 6 }),
    pagesText({ source: 'unknown' }),
    pagesText(undefined),
  ]).toEqual(['6, device-confirmed', '3 sheets, device-confirmed', '6, document estimate', 'unknown', '-']);
  const partial = found({ state: 'PARTIAL', pages: { source: 'device-confirmed', pages: 2 } });
  expect([stateText(partial.row), stateText(found({ state: 'PARTIAL' }).row)]).toEqual([
    'PARTIAL(2)',
    'PARTIAL(?)',
  ]);
});
