import { expect, it } from 'vitest';
import { readCardPairs } from '../../../src/domain/card/pairs.ts';

const numbersIn = (file: string) => readCardPairs(file).pairs.map(({ read, stored }) => [read, stored]);

it.each([
  ['commas', '04A1,1185\n04A2,1186\n'],
  ['semicolons, as a spreadsheet of half of Europe writes them', '04A1;1185\r\n04A2;1186\r\n'],
  ['tabs', '04A1\t1185\n04A2\t1186'],
  ['a heading and a byte order mark', '\uFEFFread,stored\n04A1,1185\n04A2,1186\n'],
  ['a heading in two words', 'Card read;Card ID\n04A1;1185\n04A2;1186'],
  ['quotes and blanks', ' "04A1" , "1185"\n"04A2","1186" \n'],
  ['numbers kept from a spreadsheet', '="04A1",="1185"\n="04A2",="1186"\n'],
  ['small letters, as no reader hands them on', '04a1,1185\n04a2,1186\n'],
  [
    'empty lines, comments, repeated lines and empty columns',
    '# Lobby\n\n04A1,1185,\n04A1,1185\n04A2,1186,,\n',
  ],
])('a file with %s', (_what, file) => {
  expect(numbersIn(file)).toEqual([
    ['04A1', '1185'],
    ['04A2', '1186'],
  ]);
});

it('numbers of letters alone are no heading', () => {
  expect(numbersIn('DEADBEEF,3735928559\n')).toEqual([['DEADBEEF', '3735928559']]);
  expect(numbersIn('DEAD,BEEF\n')).toEqual([['DEAD', 'BEEF']]);
});

it('each mistake is told with its line', () => {
  expect(readCardPairs('04A1,1185\n04A2\n04A3,1,2\n3.62066E+16,5\n04A4,two words\n')).toEqual({
    pairs: [{ line: 1, read: '04A1', stored: '1185' }],
    mistakes: [
      'line 2: must have two columns: the number from the reader and the stored number',
      'line 3: must have two columns: the number from the reader and the stored number',
      'line 4: a spreadsheet has rounded this number. Format the columns as text, and fill them in again',
      'line 5: the stored number must be 1 to 128 characters without blanks',
    ],
  });
});
