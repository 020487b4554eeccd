/** What a person reads of a file that is no YAML: the line, and what to write there. The mistakes are those people make. */
import { expect, it, onTestFinished } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const right = `cloud:
  baseUrl: https://cloud.example:7300
  authUrl: https://cloud.example:7400
  apiKey: key
terminals:
  - id: lobby
    serialNumber: SN-0001
    printer:
      uri: ipp://10.0.0.7/ipp/print
    card:
      rule: "Upper"
stateDir: /var/lib/platen
`;

function linesOf(text: string): readonly string[] {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  const file = join(temporary.path, 'platen.yaml');
  writeFileSync(file, text);
  try {
    loadConfig(file, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.lines.map((line) => line.replace(`${file}: `, ''));
  }
}

it('is right as it stands', () => {
  expect(linesOf(right)).toEqual([]);
});

it.each([
  ['a tab', right.replace('    serialNumber', '\tserialNumber'), 'Line 7: use spaces, not tabs.'],
  ['a tab at a depth', right.replace('      uri', '\t\turi'), 'Line 9: use spaces, not tabs.'],
  [
    'no colon',
    right.replace('authUrl: ', 'authUrl '),
    'Line 3: write a colon and a space between key and value.',
  ],
  [
    'no space after the colon',
    right.replace('apiKey: key', 'apiKey:key'),
    'Line 4: write a colon and a space between key and value.',
  ],
  ['an open quote', right.replace('"Upper"', '"Upper'), 'Line 11: close the quote.'],
  [
    'an open bracket',
    right.replace('apiKey: key', 'apiKey: { file: key'),
    'Line 5: close the bracket before this line.',
  ],
  [
    'a colon in a value',
    right.replace('apiKey: key', 'apiKey: k: e'),
    'Line 4: put quotes around a value with ": " in it, or indent the line like the line above.',
  ],
  [
    'a reserved character',
    right.replace('apiKey: key', 'apiKey: @key'),
    'Line 4: put quotes around a value that begins with @.',
  ],
  [
    'an asterisk',
    right.replace('apiKey: key', 'apiKey: *key'),
    'Line 4: put quotes around a value that begins with *.',
  ],
  [
    'a backslash',
    right.replace('"Upper"', '"\\d"'),
    'Line 11: use single quotes around a value with a backslash.',
  ],
  ['a key twice', `${right}stateDir: /x\n`, 'Line 13: this key stands here twice. Write it only once.'],
  ['two documents', `${right}---\na: b\n`, 'Line 13: remove the line "---". The file is one document.'],
])('%s is told by its line, with what to write', (_what, text, line) => {
  expect(linesOf(text)[0]).toBe(line);
});

it('one cause is told once: what follows from a tab is left out', () => {
  expect(linesOf(right.replace('    serialNumber', '\tserialNumber'))).toHaveLength(1);
});

it('no message ends in a colon, whatever the parser says', () => {
  const parts = [
    '&',
    '*',
    '- ',
    '? ',
    '|',
    '>',
    '%',
    '{',
    '[',
    ']',
    '"',
    "'",
    '!!x ',
    '\t',
    ': ',
    ', ',
    '...',
  ];
  const reported = parts.flatMap((part) =>
    [part + right, right.replace('key\n', `${part}\n`), right.replace('  - id', `  ${part}- id`)].flatMap(
      linesOf,
    ),
  );
  expect(reported.length).toBeGreaterThan(20);
  expect(reported.filter((line) => /:\s*$/.test(line) || / at line \d/.test(line))).toEqual([]);
});

it('of three thousand wrong keys the first twenty are told, and how many more there are', () => {
  const wrong = Array.from({ length: 3000 }, (_, index) => `wrong${index}: 1`);
  const lines = linesOf(`${right}${wrong.join('\n')}\n`);
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/:13: wrong0: is not a key of this file$/);
  expect(lines.at(-1)).toBe('2980 more mistakes. Correct these first.');
});

it.each([
  ['half a million brackets', '['.repeat(500_000)],
  ['maps in maps', 'a: '.concat('{a: '.repeat(200_000))],
  ['lists in lists on one line', `${'- '.repeat(400_000)}a`],
  ['keys that are keys', '? '.repeat(300_000)],
])('%s are refused before they are read', (_, text) => {
  expect(linesOf(text)).toEqual(['has more than 64 levels, one in the other']);
});
