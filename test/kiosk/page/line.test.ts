/** What a step from one frame to the next means for the person in front. */
import { describe, expect, it } from 'vitest';
import type { DocumentProgress } from '../../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../../src/kiosk/frame.ts';
import type { Life } from '../../../src/kiosk/page/freshness.ts';
import { isUnattended, isReloadDue } from '../../../src/kiosk/page/freshness.ts';
import { hasLeft, leaveOf } from '../../../src/kiosk/page/words/line.ts';

const frame = (generation: number, state: string, more: Partial<Frame> = {}): Frame => ({
  generation,
  state,
  sentence: '',
  waiting: 0,
  ...more,
});
const released = (...stages: readonly DocumentProgress['stage'][]): Partial<Frame> => ({
  progress: stages.map((stage, place) => ({ documentUuid: `${place}`, name: 'A', stage })),
});
const idle = frame(2, 'prompting');

describe('a farewell', () => {
  it.each<[who: string, before: Frame, next: Frame, leave: string | undefined]>([
    ['got pages', frame(1, 'releasing', released('printed', 'printed')), idle, 'pages'],
    ['leaves before all came', frame(1, 'releasing', released('printed', 'printing')), idle, 'pages-coming'],
    ['leaves before any came', frame(1, 'releasing', released('waiting')), idle, 'pages-coming'],
    ['got pages before, and goes from the list', frame(1, 'choosing', released('printed')), idle, 'pages'],
    ['got none', frame(1, 'choosing'), idle, 'no-pages'],
    ['asked for some that failed', frame(1, 'choosing', released('failed')), idle, 'no-pages'],
    [
      'did not get all',
      frame(1, 'releasing', released('printed')),
      frame(2, 'prompting', { notice: { code: 'not-all-printed', params: { n: 1, of: 2 } } }),
      'not-all',
    ],
    [
      'is told something else',
      frame(1, 'choosing'),
      frame(2, 'prompting', { notice: { code: 'cloud-unreachable' } }),
      undefined,
    ],
    ['makes room for the next badge', frame(1, 'choosing'), frame(2, 'authenticating'), undefined],
    ['was never let in', frame(1, 'authenticating'), idle, undefined],
    ['is here still', frame(1, 'choosing'), frame(1, 'releasing'), undefined],
  ])('is right for who %s', (_who, before, next, leave) => {
    expect(leaveOf(before, next)).toBe(leave);
  });

  it('is not needed for settings to go: whoever has begun and is gone takes them along', () => {
    expect(hasLeft(frame(1, 'askingPin'), idle)).toBe(true);
    expect(hasLeft(frame(1, 'choosing'), frame(2, 'authenticating'))).toBe(true);
    expect(hasLeft(frame(1, 'prompting'), frame(2, 'authenticating'))).toBe(false);
    expect(hasLeft(frame(1, 'listing'), frame(1, 'choosing'))).toBe(false);
  });
});

describe('a page', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;
  const life: Life = { isIdle: true, quietFor: minute, patience: minute, age: minute, isStale: true };

  it.each<[what: string, life: Life, isDue: boolean]>([
    ['of another version, with nobody there for a minute', life, true],
    ['of another version, touched just now', { ...life, quietFor: minute - 1 }, false],
    ['of another version, in a session', { ...life, isIdle: false, quietFor: day }, false],
    ['of this version', { ...life, isStale: false }, false],
    ['of this version, a day old', { ...life, isStale: false, age: day }, true],
    ['a day old, in a session', { ...life, isStale: false, isIdle: false, age: 2 * day }, false],
  ])('%s: loads itself anew or not (T07)', (_what, given, isDue) => {
    expect(isReloadDue(given)).toBe(isDue);
  });

  it('is nobody’s after a minute without a touch, and only while it waits for somebody', () => {
    expect(isUnattended({ ...life, isStale: false })).toBe(true);
    expect(isUnattended({ ...life, isIdle: false })).toBe(false);
  });
});
