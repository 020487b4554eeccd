/** The table of log messages with their sentences, held against the source that logs them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asSentence } from '../../../src/commands/logs/sentence.ts';
import { sentenceOf, sentences } from '../../../src/commands/logs/sentences.ts';

const src = fileURLToPath(new URL('../../../src', import.meta.url));

/** Commands speak with people, the page has no log, and the simulators have none of this one. */
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/^(?:commands|simulator|kiosk\/page)\//.test(path),
);

/** What hands on a message that somebody else has named. */
const handsOn = new Set([
  'core/log.ts',
  'core/log-levels.ts',
  'core/sparing-log.ts',
  'domain/problem/service-failure.ts',
  'terminal/runner.ts',
]);

interface Logged {
  readonly path: string;
  /** Of a message that is put together, with `*` where something is put in. */
  readonly msg: string | undefined;
}

const call = /(?:\.(?:debug|info|warn|error)|\blogFailure|\btellFailure|\btell)\(\s*/g;

function loggedIn(path: string): readonly Logged[] {
  const text = readFileSync(join(src, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...text.matchAll(call)].flatMap((found): readonly Logged[] => {
    const [first = '', second = ''] = argumentsFrom(text, found.index + found[0].length);
    const isFailure = found[0].startsWith('logFailure');
    const isOther = found[0].startsWith('tell(') && !path.startsWith('core/');
    const argument = isFailure ? second : first;
    const literals = [...argument.matchAll(/'([^']+)'|`([^`]+)`/g)].map(
      ([, plain, template = '']) => plain ?? template.replace(/\$\{[^}]*\}/g, '*'),
    );
    if (isOther) return [];
    return literals.length === 0 ? [{ path, msg: undefined }] : literals.map((msg) => ({ path, msg }));
  });
}

/** Of a call, split at its own commas. */
function argumentsFrom(text: string, start: number): readonly string[] {
  const found = [''];
  let depth = 0;
  for (const character of text.slice(start)) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) break;
    if (character === ',' && depth === 0) found.push('');
    else found.push(`${found.pop() ?? ''}${character}`);
  }
  return found;
}

const logged = files.flatMap(loggedIn);
const messages = new Set(logged.flatMap(({ msg }) => msg ?? []));
const fits = (msg: string) => new RegExp(`^${msg.replaceAll('*', '.+')}$`);

describe('every log message', () => {
  it('is found in the source, so that none is forgotten', () => {
    expect(messages.size).toBeGreaterThan(100);
    expect(messages).toContain('terminal ready');
    const unread = logged.filter(({ path, msg }) => msg === undefined && !handsOn.has(path));
    expect(unread).toEqual([]);
  });

  it('has a sentence', () => {
    const without = [...messages].filter((msg) => ![...sentences.keys()].some((one) => fits(msg).test(one)));
    expect(without).toEqual([]);
  });

  it('with a sentence is still logged', () => {
    const patterns = [...messages].map(fits);
    expect([...sentences.keys()].filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
  });
});

describe('a sentence', () => {
  const bare = [...sentences.keys()].map((msg) => [msg, sentenceOf({ level: 'info', msg })] as const);

  it.each(bare)(
    'of "%s" stands also where the record has no facts, and shows no inside of the program',
    (_, text) => {
      expect(text).toMatch(/^[A-Z].*[.:)]$/);
      expect(text).not.toMatch(/undefined|null|\[object|NaN/);
    },
  );

  it.each([
    ['no paper', 'No paper.'],
    ['platen.yaml:4: colour: is not a key of this file', 'platen.yaml:4: colour: is not a key of this file.'],
    ['it was refused (ECONNREFUSED)', 'It was refused (ECONNREFUSED).'],
    ['what is it?', 'What is it?'],
    ['kiosk.listen is taken', 'kiosk.listen is taken.'],
  ])('makes a sentence of "%s", and another name of nothing', (text, sentence) => {
    expect(asSentence(text)).toBe(sentence);
  });

  it.each([
    [{ reason: 'released', documents: 2, notPrinted: 0, unknown: 0 }, 'everything was printed'],
    [{ reason: 'released', documents: 1, notPrinted: 1, unknown: 0 }, '1 of 1 not printed'],
    [
      { reason: 'released', documents: 4, notPrinted: 1, unknown: 2 },
      '1 of 4 not printed, 2 of 4 perhaps not printed',
    ],
    [{ reason: 'released', documents: 0, notPrinted: 0, unknown: 0 }, 'nothing was waiting'],
    [{ reason: 'released' }, 'all requested prints ended'],
    [
      { reason: 'logout', documents: 2, notPrinted: 1, unknown: 0 },
      'the person signed out; 1 of 2 not printed',
    ],
    [{ reason: 'timeout' }, 'nobody used the terminal'],
  ])('says of a session with %j how it ended by what became of the documents', (facts, words) => {
    expect(sentenceOf({ level: 'info', msg: 'session closed', ...facts })).toBe(
      `The session ended: ${words}.`,
    );
  });

  it('takes nothing of a record that it does not know by name', () => {
    const hostile = { userName: 'canary', title: 'canary', card: 'canary', pin: 'canary' };
    for (const msg of [...sentences.keys(), 'of another version']) {
      expect(sentenceOf({ level: 'info', msg, ...hostile })).not.toContain('canary');
    }
  });

  it.each([
    [{ msg: 'release resumed' }, 'Release 0000abcd continues after the restart of Platen.'],
    [
      { msg: 'release resumed', from: 'a member' },
      'Release 0000abcd comes from another gateway of the fleet. This gateway settles it.',
    ],
    [
      { msg: 'release ended', outcome: 'unknown', code: 'claim-lost' },
      'Release 0000abcd is over here. Another gateway of the fleet settles it and knows its end.',
    ],
  ])('tells whose release it is: %j', (record, text) => {
    expect(sentenceOf({ level: 'info', releaseId: '0000abcd1234', ...record })).toBe(text);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'is found by no name that every object has: %s',
    (name) => {
      expect(sentenceOf({ level: 'info', msg: name })).toBe(
        `${name.charAt(0).toUpperCase()}${name.slice(1)}.`,
      );
      expect(sentenceOf({ level: 'warn', msg: 'login failed', way: name })).toContain(name);
    },
  );

  it('makes control characters of a fact harmless, whoever wrote the log (T21)', () => {
    const evil = '\u001b[2J\u202eevil\u0007\r\n2026-01-01 forged';
    for (const msg of [...sentences.keys(), evil]) {
      const facts = Object.fromEntries(
        [
          ...'detail reader code reason printer key uri state stage call reference version kiosk way tty'.split(
            ' ',
          ),
          'outcome',
          'releaseId',
        ].map((name) => [name, evil]),
      );
      const text = sentenceOf({ level: 'warn', msg, ...facts, changed: [evil], error: { message: evil } });
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    }
  });
});
