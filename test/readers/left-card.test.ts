/** A badge that was left on the reader: it opens one session, not one after the other for hours. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Verdict } from '../../src/readers/intake/debounce.ts';
import { createDebounce } from '../../src/readers/intake/debounce.ts';

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
      const reported = moments[verdicts.indexOf('card-left')];
      expect(reported).toBeGreaterThanOrEqual(10 * minute);
      expect(reported).toBeLessThan(10 * minute + 2 * pause);
    },
  );

  it.each([1600, 2000, 5000, 29_000])('is no event any more after ten minutes, read every %d ms', (pause) => {
    const moments = every(pause, hour);
    const verdicts = verdictsAt(moments);
    const last = moments[verdicts.lastIndexOf('accepted')] ?? 0;
    expect(last).toBeLessThan(10 * minute);
    expect(last).toBeGreaterThanOrEqual(10 * minute - pause);
    expect(count(verdicts, 'card-left')).toBe(moments.filter((at) => at >= 10 * minute).length);
  });

  it('is no event any more after ten minutes, however irregularly it is read', () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 29_000 }), { minLength: 200, maxLength: 400 });
    fc.assert(
      fc.property(pauses, (some) => {
        const moments = afterPauses(some);
        const late = verdictsAt(moments).filter((_, i) => (moments[i] ?? 0) >= 10 * minute);
        expect(count(late, 'accepted')).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('is taken again after it has been away for 30 s', () => {
    const debounce = createDebounce();
    expect(verdictsAt(every(2000, 11 * minute), debounce).at(-1)).toBe('card-left');
    const [soon, later] = [11 * minute + 27_000, 12 * minute];
    expect(verdictsAt([soon, later], debounce)).toEqual(['card-left', 'accepted']);
  });

  it('keeps nobody else from the reader', () => {
    const debounce = createDebounce();
    verdictsAt(every(2000, 11 * minute), debounce);
    expect(debounce.judge(new CardNumber('B'), 11 * minute)).toBe('accepted');
  });
});

describe('a person, or a script, who taps often', () => {
  it('is taken every time for ten minutes, however regularly', () => {
    expect(new Set(verdictsAt(every(2000, 10 * minute)))).toEqual(new Set(['accepted']));
  });

  it('is taken all day, with half a minute between some of the taps', () => {
    const moments = every(5 * minute, 8 * hour).flatMap((at) => every(2000, 4 * minute, at));
    expect(new Set(verdictsAt(moments))).toEqual(new Set(['accepted']));
  });
});
