/** A badge that was left on the reader: it opens one session, not one after the other for hours. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Verdict } from '../../src/readers/debounce.ts';
import { createDebounce } from '../../src/readers/debounce.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The verdicts on one badge read at these moments. */
function verdictsAt(moments: readonly number[], debounce = createDebounce()): Verdict[] {
  return moments.map((at) => debounce.judge(new CardNumber('A'), at));
}

const every = (pause: number, span: number, from = 0): number[] =>
  Array.from({ length: Math.floor(span / pause) }, (_, i) => from + i * pause);

const count = (verdicts: readonly Verdict[], wanted: Verdict): number =>
  verdicts.filter((verdict) => verdict === wanted).length;

/** After pauses of so many milliseconds. */
function afterPauses(pauses: readonly number[]): number[] {
  let now = 0;
  return [0, ...pauses.map((pause) => (now += pause))];
}

describe('a badge left on the reader', () => {
  it.each([50, 1400])(
    'is one event, and told after ten minutes, read every %d ms for an hour (I1)',
    (pause) => {
      const moments = every(pause, hour);
      const verdicts = verdictsAt(moments);
      expect(verdicts[0]).toBe('accepted');
      expect(count(verdicts, 'accepted')).toBe(1);
      const told = moments[verdicts.indexOf('card-left')];
      expect(told).toBeGreaterThanOrEqual(10 * minute);
      expect(told).toBeLessThan(10 * minute + 2 * pause);
    },
  );

  it.each([1600, 2000, 5000, 29_000])('is ten events at most, read every %d ms for an hour', (pause) => {
    const verdicts = verdictsAt(every(pause, hour));
    expect(count(verdicts, 'accepted')).toBe(10);
    expect(verdicts.slice(10).every((verdict) => verdict === 'card-left')).toBe(true);
  });

  it('is thirty events at most, however irregularly it is read', () => {
    const pauses = fc.array(fc.integer({ min: 1500, max: 9000 }), { minLength: 200, maxLength: 200 });
    fc.assert(
      fc.property(pauses, (some) => {
        expect(count(verdictsAt(afterPauses(some)), 'accepted')).toBeLessThanOrEqual(30);
      }),
      { numRuns: 50 },
    );
  });

  it('is taken again after it has been away for 30 s', () => {
    const debounce = createDebounce();
    expect(verdictsAt(every(2000, minute), debounce).at(-1)).toBe('card-left');
    expect(verdictsAt([minute + 27_000, 2 * minute + 27_000], debounce)).toEqual(['card-left', 'accepted']);
  });

  it('keeps nobody else from the reader', () => {
    const debounce = createDebounce();
    verdictsAt(every(2000, minute), debounce);
    expect(debounce.judge(new CardNumber('B'), minute)).toBe('accepted');
  });
});

describe('a person who taps often', () => {
  it('is taken every time, as long as no machine would be so irregular', () => {
    const pauses = [2100, 3900, 1800, 5200, 2500, 8000, 1900, 3100, 2200, 12_000, 2600, 4100, 1700, 6000];
    const verdicts = verdictsAt(afterPauses(pauses));
    expect(count(verdicts, 'accepted')).toBe(pauses.length + 1);
  });
});
