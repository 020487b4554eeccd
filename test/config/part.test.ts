/** What a command still gets of a file with a mistake elsewhere (contract, section 1). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cardPart, loadPart, statePart } from '../../src/config/part.ts';
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

function written(text: string): string {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  const file = join(temporary.path, 'platen.yaml');
  writeFileSync(file, text);
  return file;
}
const stateOf = (text: string, env = {}) => loadPart(written(text), env, statePart);

it('is all of a right file, with no mistake told', () => {
  expect(stateOf(right)).toEqual({ part: { stateDir: '/var/lib/platen' }, mistakes: [] });
});

it.each([
  ['an unknown key', `${right}colour: red\n`, /:13: colour: is not a key of this file$/],
  ['a wrong value', right.replace('ipp:', 'ftp:'), /:9: terminals\[0\]\.printer\.uri: must be ipp/],
  [
    'a missing key',
    right.replace('  authUrl: https://cloud.example:7400\n', ''),
    /cloud\.authUrl: is missing/,
  ],
  ['a tab', right.replace('    serialNumber', '\tserialNumber'), /: Line 7: use spaces, not tabs\.$/],
  ['an open quote', right.replace('https://cloud.example:7400', '"https://'), /Line 3: close the quote\.$/],
  ['an open bracket', right.replace('apiKey: key', 'apiKey: { file: key'), /Line 5: close the bracket/],
  ['an asterisk', right.replace('apiKey: key', 'apiKey: *key'), /Line 4: put quotes/],
  ['a line of nonsense', right.replace('stateDir', 'oh dear\nstateDir'), /Line 12: write a colon/],
])('finds the state directory beside %s', (_what, text, mistake) => {
  const { part, mistakes } = stateOf(text);
  expect(part).toEqual({ stateDir: '/var/lib/platen' });
  expect(mistakes[0]).toMatch(mistake);
});

it('finds it in a file that is one line of JSON', () => {
  const text = JSON.stringify({ stateDir: '/srv/platen', terminals: [{ id: 'X' }] });
  expect(stateOf(text).part).toEqual({ stateDir: '/srv/platen' });
});

it('looks for no secret that is not there', () => {
  expect(stateOf(right.replace('key\n', '{ file: nowhere }\n')).mistakes).toEqual([]);
});

it('takes the usual place where the file names none', () => {
  const text = `${right.replace(/stateDir.*\n/, '')}colour: red\n`;
  expect(stateOf(text, { STATE_DIRECTORY: '/var/lib/platen' }).part.stateDir).toBe('/var/lib/platen');
});

it.each([
  [
    'itself is wrong',
    right.replace('stateDir: /var/lib/platen', 'stateDir: 7'),
    /stateDir: must be a string/,
  ],
  ['the file is a list', '- a\n', /cloud|must be/],
])('is refused where %s', (_what, text, mistake) => {
  expect(() => stateOf(text)).toThrow(mistake);
});

it('of the cards is each terminal with its rule, whatever is wrong with its printer', () => {
  const { part, mistakes } = loadPart(written(right.replace('ipp:', 'ftp:')), {}, cardPart);
  expect(part.terminals).toMatchObject([{ id: 'lobby', card: { rule: { text: 'Upper' } } }]);
  expect(mistakes).toHaveLength(1);
});
