/** When a document was sent, as one says it in each language. */
import { describe, expect, it } from 'vitest';
import { createAge, createSentTime } from '../../../src/kiosk/page/languages/words.ts';

/** In the time of the machine that the page runs on. */
const at = (local: string): Date => new Date(local);
const now = at('2026-03-04T14:30:00');

it.each([
  ['en', '2026-03-04T14:05:00', /^today 2:05\sPM$/],
  ['de', '2026-03-04T14:05:00', /^heute 14:05$/],
  ['fr', '2026-03-04T14:05:00', /^aujourd’hui 14:05$/],
  ['es', '2026-03-04T14:05:00', /^hoy 14:05$/],
  ['ja', '2026-03-04T14:05:00', /^今日 14:05$/],
  ['ar', '2026-03-04T14:05:00', /^اليوم /],
  ['en', '2026-03-04T00:00:00', /^today 12:00\sAM$/],
  ['en', '2026-03-03T23:59:00', /^yesterday$/],
  ['de', '2026-03-03T00:00:00', /^gestern$/],
  ['ja', '2026-03-03T12:00:00', /^昨日$/],
  ['en', '2026-03-02T23:59:00', /^Mar 2$/],
  ['de', '2026-03-01T08:00:00', /^1\. März$/],
  ['en', '2025-12-31T08:00:00', /^Dec 31, 2025$/],
  // By a clock that is ahead.
  ['en', '2026-03-05T08:00:00', /^Mar 5$/],
])('says in %s of %s: %s', (code, sentAt, said) => {
  expect(createSentTime(code)(at(sentAt), now)).toMatch(said);
});

it('knows yesterday over the end of a year, and over a change of the clocks', () => {
  const english = createSentTime('en');
  expect(english(at('2025-12-31T23:00:00'), at('2026-01-01T01:00:00'))).toBe('yesterday');
  expect(english(at('2026-03-28T23:30:00'), at('2026-03-29T23:30:00'))).toBe('yesterday');
  expect(english(at('2026-10-25T00:30:00'), at('2026-10-25T23:30:00'))).toMatch(/^today/);
});

describe('how long ago a document was printed', () => {
  const noon = new Date('2026-11-21T12:00:00Z');
  it.each([
    ['2026-11-21T11:59:58Z', '1 minute ago'],
    ['2026-11-21T12:00:05Z', '1 minute ago'],
    ['2026-11-21T11:48:00Z', '12 minutes ago'],
    ['2026-11-21T09:10:00Z', '3 hours ago'],
    ['2026-11-19T12:00:00Z', '48 hours ago'],
  ])('%s: %s', (printedAt, words) => {
    expect(createAge('en')(new Date(printedAt), noon)).toBe(words);
  });
});
