import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCardRule } from '../../../src/domain/card/rule-text.ts';
import { convert, explain } from '../../../src/domain/card/rule.ts';
import { longestNumber, stepKinds } from '../../../src/domain/card/steps.ts';

const converted = (rule: string, number: string) => convert(parseCardRule(rule), number);

const threePlusFive =
  'Substring(-6);Substring(2);Hex2Dec;LeftPadding(0,3)+Substring(-4);Hex2Dec;LeftPadding(0,5)';

it.each([
  ['1000AB', 'Hex2Dec', '1048747'],
  ['946EBD28', 'Hex2Dec', '2490285352'],
  ['946EBD28', 'Hex2Dec;Substring(-8)', '90285352'],
  ['3934364542443238', 'ASCII2Hex', '946EBD28'],
  ['3934364542443238', 'ASCII2Hex;Hex2Dec;Substring(-8)', '90285352'],
  ['A4BC', 'Hex2Dec', '42172'],
  ['A4BC', 'ReverseBytes;Hex2Dec', '48292'],
  ['0B3E3636', 'ReverseBytes', '36363E0B'],
  ['0B3E3636', 'ReverseBytes;Hex2Dec;LeftPadding(0,10)', '0909524491'],
  ['0B3E3636', threePlusFive, '06213878'],
  ['0801161DD6', threePlusFive, '02207638'],
  ['0801161DD6', 'Substring(-8);Hex2Dec;LeftPadding(0,10)', '0018226646'],
  ['529D06E3', 'Hex2Dec;LeftPadding(0,10)', '1386022627'],
  ['529D06E3', 'ReverseBytes', 'E3069D52'],
  ['529D06E3', 'ReverseBytes;Hex2Dec', '3808861522'],
  ['80A1B2C3D4E5F6', 'Hex2Dec', '36206586180724214'],
  ['ABC', 'ReverseBytes', 'BC0A'],
  ['ABC', 'ReverseBytes;Hex2Dec', '48138'],
  ['1a2b3c4d', 'LeftPadding(0,3) + Substring(2,6)', '1a2b3c4d2b3c'],
  ['1A2B3C4D', 'Substring(2);Hex2Dec;LeftPadding(0,3) + Substring(2,6);Hex2Dec', '02611068'],
])('%s by %s is %s (src/cloud/README.md 9 and 9.3)', (number, rule, stored) => {
  expect(converted(rule, number)).toBe(stored);
});

it.each([
  ['946EBD28', 'ASCII2Hex', '946EBD28'],
  ['3132FFff', 'ASCII2Hex', '12'],
  ['10110', 'Bin2Dec', '22'],
  ['22', 'Dec2Bin', '10110'],
  ['2490285352', 'Dec2Hex', '946EBD28'],
  ['7', 'CardNo+Const(-)+CardNo', '7-7'],
  ['17', 'Const(ab);CardNo', '17'],
  ['17', 'LeftAppend(K-);RightAppend(+)', 'K-17+'],
  ['17', 'LeftPadding(0,1)', '17'],
  ['17', 'RightPadding(F,4)', '17FF'],
  ['0F01', 'ReverseBits', 'F080'],
  ['00120', 'TrimLeft(0);TrimRight(0)', '12'],
  ['aB', 'Upper', 'AB'],
  ['aB', 'Lower', 'ab'],
  ['X-123-9', String.raw`Regex(-(\d+)-)`, '123'],
  ['X-123-9', String.raw`Regex(\d+)`, '123'],
  ['AB', 'Regex([)+;(]|[A-Z]);Lower', 'a'],
  ['946EBD28', ' Substring( 4 , 8 ) ;Lower\t', 'bd28'],
  ['A1', 'Substring(8)', 'A1'],
  ['A1', '', 'A1'],
])('%s by %s is %s', (number, rule, stored) => {
  expect(converted(rule, number)).toBe(stored);
});

it.each([
  ['XYZ', 'Hex2Dec', 'Hex2Dec needs hexadecimal digits, 0 to F'],
  ['12A', 'Dec2Hex', 'Dec2Hex needs decimal digits, 0 to 9'],
  ['12', 'Bin2Dec', 'Bin2Dec needs binary digits, 0 and 1'],
  ['-1', 'Dec2Bin', 'Dec2Bin needs decimal digits, 0 to 9'],
  ['1G', 'ReverseBytes', 'ReverseBytes needs hexadecimal digits, 0 to F'],
  ['1.5', 'ReverseBits', 'ReverseBits needs hexadecimal digits, 0 to F'],
  ['ABC', 'Regex(^x)', 'Regex(^x) finds no match'],
  ['AB', 'Substring(2,4)', 'Substring(2,4) makes the number empty'],
  ['000', 'TrimLeft(0)', 'TrimLeft(0) makes the number empty'],
  ['F'.repeat(longestNumber), 'Hex2Dec', `Hex2Dec gives more than ${longestNumber} characters`],
])('%s by %s is no other number: %s', (number, rule, unfit) => {
  expect(converted(rule, number)).toEqual({ unfit });
});

it('tells every step, and where chains are joined', () => {
  expect(explain(parseCardRule('Hex2Dec;Substring( -2 ) + Const(x)'), 'FF')).toEqual({
    steps: [
      { rule: 'Hex2Dec', output: '255' },
      { rule: 'Substring(-2)', output: '55' },
      { rule: 'Const(x)', output: 'x' },
      { rule: '+', output: '55x' },
    ],
    output: '55x',
  });
});

describe('a rule with a mistake', () => {
  it.each([
    ['hex2dec', 'column 1: "hex2dec" must be written Hex2Dec'],
    ['Hex2Dec;Hex2Oct', /^column 9: "Hex2Oct" is not a step\. The steps are ASCII2Hex, Bin2Dec, /],
    ['Hex2Dec;', /^column 9: a step is missing\. The steps are /],
    ['Hex2Dec;;Upper', /^column 9: a step is missing/],
    ['+ Upper', /^column 1: a step is missing/],
    ['Upper Lower', 'column 7: "L" is not allowed here. Write ; or +, or end the rule here'],
    ['Upper(1)', 'column 1: write Upper as Upper'],
    ['Substring', 'column 1: write Substring as Substring(count) or Substring(index,index)'],
    ['LeftPadding(0)', 'column 1: write LeftPadding as LeftPadding(char,length)'],
    ['LeftPadding(00,8)', 'column 13: LeftPadding(char,length): char must be one character'],
    ['LeftPadding(0,257)', 'column 13: LeftPadding(char,length): length must be 1 to 256'],
    ['Substring(0)', /^column 11: Substring\(count\): count must be 1 to 256 for the first/],
    ['Substring(4,2)', 'column 11: Substring(index,index): the second number must be larger than the first'],
    ['Substring(-4,2)', 'column 11: Substring(index,index): index must be 0 to 256'],
    ['Const(a b)', /^column 7: Const\(text\): text must be 1 to 64 characters without blanks/],
    ['Upper;Const(', 'column 12: the closing ) is missing'],
    ['Regex([0-9)', 'column 6: the closing ) is missing'],
    ['constructor', /^column 1: "constructor" is not a step/],
    ['x'.repeat(1025), 'column 1025: a rule has at most 1024 characters'],
  ])('%s is told with its place', (rule, message) => {
    expect(() => parseCardRule(rule)).toThrow(message);
  });
});

describe('for every number', () => {
  const hex = (least: number, most: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: least, maxLength: most });
  const bytes = fc.array(hex(2, 2), { minLength: 1, maxLength: 16 }).map((all) => all.join(''));

  it('ReverseBytes twice, and ReverseBits twice, give it back', () => {
    fc.assert(
      fc.property(bytes, (number) => {
        expect(converted('ReverseBytes;ReverseBytes', number)).toBe(number);
        expect(converted('ReverseBits;ReverseBits', number)).toBe(number);
      }),
    );
  });

  it('Hex2Dec;Dec2Hex and Dec2Bin;Bin2Dec give it back, but for leading zeros', () => {
    fc.assert(
      fc.property(hex(1, 60), (number) => {
        const bare = number.replace(/^0+(?=.)/, '');
        expect(converted('Hex2Dec;Dec2Hex', number)).toBe(bare);
        expect(converted('Hex2Dec;Dec2Bin;Bin2Dec;Dec2Hex', number)).toBe(bare);
      }),
    );
  });

  it('each step gives a number of 1 to 256 characters, or says why not', () => {
    const written = ['(0)', '(2)', '(0,9)', '(1,4)', '(a)', ''];
    const steps = Object.keys(stepKinds).flatMap((name) => {
      for (const inside of written) {
        try {
          return [parseCardRule(name + inside)];
        } catch {
          continue;
        }
      }
      return [];
    });
    expect(steps).toHaveLength(Object.keys(stepKinds).length);
    fc.assert(
      fc.property(fc.constantFrom(...steps), fc.string({ minLength: 1, maxLength: 300 }), (rule, number) => {
        const result = convert(rule, number);
        const length = typeof result === 'string' ? result.length : result.unfit.length;
        expect(length).toBeLessThanOrEqual(longestNumber);
        expect(length).toBeGreaterThan(0);
      }),
    );
  });
});
