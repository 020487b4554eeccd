import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Verdict } from '../../src/readers/intake/debounce.ts';
import { createDebounce } from '../../src/readers/intake/debounce.ts';

type Read = readonly [card: string, at: number];

function verdictsOn(reads: readonly Read[]): Verdict[] {
  const debounce = createDebounce();
  return reads.map(([card, at]) => debounce.judge(new CardNumber(card), at));
}

describe('the debounce', () => {
  it.each<[string, Read[], Verdict[]]>([
    ['takes the first read', [['A', 0]], ['accepted']],
    [
      'takes a badge once while it is read again and again',
      [
        ['A', 0],
        ['A', 50],
        ['A', 1549],
      ],
      ['accepted', 'still-there', 'still-there'],
    ],
    [
      'counts the 1.5 s from the last read',
      [
        ['A', 0],
        ['A', 1499],
        ['A', 2998],
        ['A', 4498],
      ],
      ['accepted', 'still-there', 'still-there', 'accepted'],
    ],
    [
      'takes a badge again that was away for 1.5 s',
      [
        ['A', 0],
        ['A', 1500],
      ],
      ['accepted', 'accepted'],
    ],
    [
      'lets the first of two badges win',
      [
        ['A', 0],
        ['B', 299],
      ],
      ['accepted', 'second-card'],
    ],
    [
      'takes another badge after 300 ms',
      [
        ['A', 0],
        ['B', 300],
      ],
      ['accepted', 'accepted'],
    ],
    [
      'lets no badge win later that came second and stays',
      [
        ['A', 0],
        ['B', 100],
        ['A', 200],
        ['B', 400],
        ['B', 1600],
      ],
      ['accepted', 'second-card', 'still-there', 'still-there', 'still-there'],
    ],
    [
      'does not swing between two badges that both stay',
      [
        ['A', 0],
        ['B', 400],
        ['A', 500],
        ['B', 900],
        ['A', 1300],
      ],
      ['accepted', 'accepted', 'still-there', 'still-there', 'still-there'],
    ],
    [
      'takes the second badge when it comes again',
      [
        ['A', 0],
        ['B', 100],
        ['B', 1600],
      ],
      ['accepted', 'second-card', 'accepted'],
    ],
  ])('%s', (_, reads, verdicts) => {
    expect(verdictsOn(reads)).toEqual(verdicts);
  });

  it('accepts a badge at most once in 1.5 s, and two different ones never within 300 ms, whatever is read (I3)', () => {
    const traffic = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C', 'D'), fc.nat(700)), { maxLength: 100 });
    fc.assert(
      fc.property(traffic, (steps) => {
        let now = 0;
        const reads = steps.map(([card, pause]): Read => [card, (now += pause)]);
        const verdicts = verdictsOn(reads);
        const accepted = reads.filter((_, i) => verdicts[i] === 'accepted');
        for (const [i, [card, at]] of accepted.entries()) {
          const [before, beforeAt] = accepted[i - 1] ?? ['', Number.NEGATIVE_INFINITY];
          expect(at - beforeAt).toBeGreaterThanOrEqual(card === before ? 1500 : 300);
        }
      }),
    );
  });
});
