/** CSV as RFC 4180 has it, section 2, and as spreadsheets write it. */
import { expect, it } from 'vitest';
import { readCsv } from '../../../src/core/text/csv.ts';

const cellsIn = (text: string) => readCsv(text).rows.map(({ cells }) => cells);

it.each([
  [
    'rows with CRLF, the last one without (2.1, 2.2)',
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'quoted cells (2.5)',
    '"a","b"\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a line end, a comma and a quote within quotes (2.6, 2.7)',
    '"a\r\nb","c,""d"""\r\n',
    [['a\r\nb', 'c,"d"']],
  ],
  ['semicolons', 'a;b,c\n', [['a', 'b,c']]],
  ['tabs and an empty cell', 'a\t\tb\n', [['a', '', 'b']]],
  [
    'a byte order mark, blanks, empty rows, comments',
    '\uFEFF a , b \n\n# no, not this\n,\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a number to be left alone', '="0012",="7"\n', [['0012', '7']]],
])('reads %s', (_what, text, rows) => {
  expect(cellsIn(text)).toEqual(rows);
});

it('tells where a row begins, also behind a cell of several lines', () => {
  expect(readCsv('"a\nb",c\n\nd,e\n').rows.map(({ line }) => line)).toEqual([1, 4]);
});

it.each([
  ['a,b\n"c,d\n', [{ line: 2, message: 'a quote is not closed' }]],
  ['a,"b"c\n', [{ line: 1, message: 'text behind a closing quote: c' }]],
])('tells the mistake in %j with its line', (text, mistakes) => {
  expect(readCsv(text).mistakes).toEqual(mistakes);
});
