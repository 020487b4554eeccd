/** What `platen card learn` finds: the search, its ranking, and the advice beside it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/domain/card/advice.ts';
import { rankRules } from '../../../src/domain/card/findings.ts';
import type { CardPair } from '../../../src/domain/card/pairs.ts';
import { parseCardRule } from '../../../src/domain/card/rule-text.ts';
import { convert } from '../../../src/domain/card/rule.ts';
import { searchCardRules } from '../../../src/domain/card/search.ts';

const pairsOf = (numbers: readonly (readonly [string, string])[]): readonly CardPair[] =>
  numbers.map(([read, stored], index) => ({ line: index + 1, read, stored }));

function learned(pairs: readonly CardPair[]) {
  const findings = rankRules(searchCardRules(pairs), pairs);
  for (const { rule, explained } of findings) {
    const fitting = pairs.filter(({ read, stored }) => convert(rule, read) === stored);
    expect([rule.text, fitting.length]).toEqual([rule.text, explained]);
  }
  return { rules: findings.map(({ rule }) => rule.text), findings, advice: adviceOn(pairs, findings) };
}

const fourBytes = ['0B3E3636', '529D06E3', '946EBD28', '00C0FFEE', 'A1B2C3D4'];
const fiveBytes = ['0801161DD6', '04A1B2C3D4', '04B5C6D7E8', '0100C9DAEB'];
const sevenBytes = ['04A1B2C3D4E5F6', '0411223344AABB', '04FEDCBA987654', '0400112233FFEE'];

const madeBy = (rule: string, reads: readonly string[]) =>
  pairsOf(
    reads.map((read) => {
      const stored = convert(parseCardRule(rule), read);
      if (typeof stored !== 'string') throw new Error(`${rule} does not fit ${read}: ${stored.unfit}`);
      return [read, stored];
    }),
  );

describe('the rule in use somewhere comes first', () => {
  it.each([
    ['', fourBytes],
    ['Hex2Dec', fourBytes],
    ['Hex2Dec;LeftPadding(0,10)', fourBytes],
    ['ReverseBytes;Hex2Dec;LeftPadding(0,10)', fourBytes],
    ['ReverseBytes', sevenBytes],
    ['Hex2Dec', sevenBytes],
    ['Substring(-8);Hex2Dec', sevenBytes],
    ['ReverseBytes;Substring(-8);Hex2Dec', sevenBytes],
    ['Hex2Dec;Substring(-8)', fourBytes],
    ['Lower', fourBytes],
    ['Hex2Dec;LeftAppend(EMP-)', fourBytes],
    ['Substring(2,10)', sevenBytes],
    ['TrimLeft(0)', fiveBytes],
    [
      'Substring(-6);Substring(2);Hex2Dec;LeftPadding(0,3) + Substring(-4);Hex2Dec;LeftPadding(0,5)',
      fiveBytes,
    ],
    ['Const(F) + Substring(-6);Substring(2);Hex2Dec + Substring(-4);Hex2Dec;LeftPadding(0,5)', fiveBytes],
    ['ReverseBytes;ReverseBits;Hex2Dec', fourBytes],
    ['Hex2Dec;Dec2Bin;LeftPadding(0,26);Substring(-26);Substring(9,25);Bin2Dec', fourBytes],
    ['ASCII2Hex;Hex2Dec', ['3934364542443238', '3035364532443238', '3934363132443233']],
    ['Dec2Hex;LeftPadding(0,8);ReverseBytes', ['2490285352', '1386022627', '18226646', '1185']],
  ])('%s', (rule, reads) => {
    expect(learned(madeBy(rule, reads)).rules[0]).toBe(rule);
  });
});

it('whatever rule of three to five steps made the numbers, one that explains all of them is found', () => {
  const first = fc.constantFrom('', 'Substring(-8)', 'Substring(8)', 'Substring(2,10)', 'Substring(-10)');
  const order = fc.constantFrom('', 'ReverseBytes', 'ReverseBits');
  const base = fc.constantFrom('', 'Hex2Dec');
  const end = fc.constantFrom(
    '',
    'LeftPadding(0,18)',
    'Substring(-6)',
    'LeftAppend(K7)',
    'RightAppend(-X)',
    'TrimLeft(0)',
  );
  const read = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: 14, maxLength: 14 });
  const reads = fc.uniqueArray(read, { minLength: 3, maxLength: 5 });
  fc.assert(
    fc.property(first, order, base, end, reads, (...[one, two, three, four, numbers]) => {
      const rule = [one, two, three, four].filter((step) => step !== '').join(';');
      fc.pre(numbers.every((number) => typeof convert(parseCardRule(rule), number) === 'string'));
      const { findings } = learned(madeBy(rule, numbers));
      expect(findings[0]?.explained).toBe(numbers.length);
    }),
    { numRuns: 25 },
  );
});

it('no rule is made up for numbers that have nothing to do with one another', () => {
  const numbers = [
    ['0B3E3636', '4711'],
    ['529D06E3', '90210'],
    ['946EBD28', '1234567'],
  ] as const;
  expect(learned(pairsOf(numbers)).rules).toEqual([]);
});

describe('the administrator is told', () => {
  it('of a pair that the others speak against, with what the rule makes of it', () => {
    const [wrong, ...right] = madeBy('ReverseBytes;Hex2Dec', fourBytes);
    const { rules, findings, advice } = learned([
      ...right,
      { ...wrong, line: 9, read: '0B3E3636', stored: '4711' },
    ]);
    expect(rules[0]).toBe('ReverseBytes;Hex2Dec');
    expect(findings[0]).toMatchObject({
      explained: 4,
      unexplained: [{ line: 9, stored: '4711', gives: '909524491' }],
    });
    expect(advice).toContain(
      '1 of 5 pairs do not fit ReverseBytes;Hex2Dec (line 9). Check these cards again',
    );
  });

  it('of one card stored in two ways, and two cards stored as one', () => {
    const pairs = pairsOf([
      ['0B3E3636', '5'],
      ['0B3E3636', '6'],
      ['946EBD28', '6'],
    ]);
    expect(learned(pairs).advice).toEqual([
      '2 cards fit many rules. Give at least 3 cards, better ten',
      'lines 1 and 2 disagree: 0B3E3636 is stored in two ways. One is wrong',
      'lines 2 and 3: two cards are stored as 6. Both belong to the same person, or one is wrong',
    ]);
  });

  it('that 56 bits were cut to 32, so that cards may meet', () => {
    const { advice } = learned(madeBy('Substring(-8);Hex2Dec', sevenBytes));
    expect(advice[0]).toMatch(
      /^the stored numbers keep only 32 of the 56 bits, 8 of the 14 digits of the number that the reader sends\. /,
    );
  });

  it('that the last decimal digits alone do not tell all cards apart', () => {
    const { advice } = learned(madeBy('Hex2Dec;Substring(-8)', fourBytes));
    expect(advice[0]).toMatch(/^the stored numbers keep only some of the decimal digits\. /);
  });

  it('that one pair fits many rules, all of which are shown', () => {
    const { rules, advice } = learned(madeBy('Hex2Dec', ['00C0FFEE']));
    expect(rules.length).toBeGreaterThan(1);
    expect(advice[0]).toBe('1 card fits many rules. Give at least 3 cards, better ten');
  });

  it('that shorter numbers may need zeros, where all known ones are of one length', () => {
    const { advice } = learned(madeBy('Hex2Dec', ['946EBD28', 'A1B2C3D4', '529D06E3']));
    expect(advice).toEqual([
      'all stored numbers here have 10 digits. If the service writes zeros before shorter numbers, end the rule with ;LeftPadding(0,10)',
    ]);
  });
});

it('ends when it is told to, with what it has found until then', () => {
  const pairs = madeBy('Hex2Dec', sevenBytes);
  let looks = 0;
  const found = searchCardRules(pairs, () => (looks += 1) > 40);
  expect(looks).toBe(41);
  expect(found.some(({ rule, fits }) => rule.text === 'Hex2Dec' && fits.every(Boolean))).toBe(true);
});
