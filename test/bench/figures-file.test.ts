import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { BadFigures, readFigures, tableOf, writeFigures } from './figures-file.ts';
import { readOrder } from './order.ts';

const machine = { processor: 'A, 2 cores' };
const measurement = {
  title: 'Start',
  how: '',
  rows: [],
  goals: [
    { what: 'p50', figure: 300, unit: 'ms', limit: 320 } as const,
    { what: 'pace', figure: 2, unit: '×', atLeast: 1 } as const,
  ],
  samples: [{ name: 'p50', unit: 'ms', better: 'less' as const, samples: [290, 310] }],
};

it('a table keeps its samples, and of its goals those that have none', () => {
  expect(tableOf(measurement).figures).toEqual([
    { name: 'p50', unit: 'ms', better: 'less', samples: [290, 310] },
    { name: 'pace', unit: '×', better: 'more', samples: [2] },
  ]);
});

it('what was written is read again', () => {
  using room = temporaryDirectory();
  const path = join(room.path, 'figures.json');
  const figures = { machine, tables: [tableOf(measurement)] };
  writeFigures(path, figures);
  expect(readFigures(path)).toMatchObject(figures);
});

it.each([
  ['not JSON', 'p50: 300', 'is not JSON'],
  ['of another form', '{"tables": []}', 'holds no figures'],
  ['a figure without samples', JSON.stringify(withSamples([])), 'holds no figures'],
  ['a figure of words', JSON.stringify(withSamples(['fast'])), 'holds no figures'],
])('a file that is %s is refused in words', (_, text, words) => {
  using room = temporaryDirectory();
  const path = join(room.path, 'figures.json');
  writeFileSync(path, text);
  expect(() => readFigures(path)).toThrow(BadFigures);
  expect(() => readFigures(path)).toThrow(words);
});

it('a file that is not there is told', () => {
  expect(() => readFigures('/nowhere/figures.json')).toThrow('/nowhere/figures.json cannot be read');
});

it.each([
  [['--fast'], "Unknown option '--fast'"],
  [['Start', 'Memory'], 'one name at most'],
  [['Sart'], 'nothing is named Sart; there are Start, Memory'],
  [['--compare'], "Option '--compare <value>' argument missing"],
  [['--compare', '/nowhere'], 'cannot be read'],
])('the words %j are refused', (args, words) => {
  expect(() => readOrder(args, ['measureStart', 'measureMemory'])).toThrow(words);
});

it('a name, the tables of the documentation and a file may be asked for', () => {
  expect(readOrder(['Start', '--markdown', '--json', 'a.json'], ['measureStart'])).toEqual({
    only: 'Start',
    markdown: true,
    json: 'a.json',
  });
});

function withSamples(samples: unknown[]): object {
  const figures = [{ name: 'p50', unit: 'ms', better: 'less', samples }];
  return { form: 'platen figures 1', machine, tables: [{ title: 'Start', figures }] };
}
