/**
 * The guide, and what the program prints, is read by people whose first language is another one: a sentence has a subject, a verb and one thought.
 * The grade is told and not enforced, because words such as "configuration" count as hard.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { problemKinds } from '../src/domain/problem/problem-kinds.ts';
import { platenProgram, withAllBelow } from '../tools/package-program.ts';

/** Each is how a sentence begins, or words that stand anywhere in it; questions may begin as they like. */
const turns: Readonly<Record<string, RegExp>> = {
  'whoever, whomever': /\bwho(?:m)?ever\b/i,
  'one that, one who': /(?<!\b(?:the|this|that) )\bone (?:that|who)\b/i,
  'of which, of whom': /\bof (?:which|whom)\b/i,
  'What … as a subject': /^What (?!.*\?$)/,
  'Who … as a subject': /^Who (?!.*\?$)/,
  'Where … in place of if': /^Where (?!.*\?$)/,
  'That … is, with a whole clause': /^That (?:an?|the|it|its|no) /,
  'Should it … in place of if': /^(?:Should|Had|Were) (?!.*\?$)/,
  'Nor can …': /\b[Nn]or (?:can|is|are|does|do|did|will|has|have|may)\b/,
  'only then is …': /\bonly (?:then|there|so) (?:is|are|does|do|will|can|may)\b/i,
  'all the same': /\ball the same\b/i,
};
const mostWords = 35;

/** Of a page without its code and what is made from a source: paragraphs, points of lists and cells of tables. */
function textsOf(page: string): readonly string[] {
  return page
    .replace(/^ *```[^]*?^ *```$/gm, '\n')
    .replace(/<!-- ([\w ]+) -->[^]*?<!-- \/\1 -->/g, '\n')
    .replace(/^#+ .*$/gm, '\n')
    .replace(/^ *(?:[-*]|\d+\.) /gm, '\n\n')
    .split(/\n\s*\n|^\|[-| ]+\|$|(?<!\\)\|/m)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /[a-z]/i.test(text));
}

/** A word in code is one word, however long; what a link leads to is none. */
const sentencesOf = (page: string): readonly string[] =>
  textsOf(page).flatMap((text) =>
    text
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/`[^`]*`/g, 'code')
      .replace(/[*[\]]/g, '')
      .split(/(?<=[.!?:]["')]?) (?=["'(]?[\p{Lu}\d])/u)
      .filter((sentence) => /[a-z]/i.test(sentence)),
  );

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];

function hardIn(page: string): readonly string[] {
  return sentencesOf(page).flatMap((sentence) => [
    ...Object.entries(turns)
      .filter(([, turn]) => turn.test(sentence))
      .map(([name]) => `${name}: ${sentence}`),
    ...(wordsOf(sentence).length > mostWords ? [`${wordsOf(sentence).length} words: ${sentence}`] : []),
  ]);
}

/** As `hardIn`, of a text in the program: it may begin small, and what follows a semicolon begins as a sentence does. */
const hardInText = (text: string): readonly string[] => [
  ...hardIn(text),
  ...hardIn(
    text.replace(
      /(^|[;:] )(\p{Ll})/gu,
      (_, before: string, first: string) => before.replace(/[;:]/, '.') + first.toUpperCase(),
    ),
  ),
];

/** Groups of vowels, without a silent e at the end: near enough for a mean. */
const syllablesOf = (word: string): number =>
  Math.max(
    1,
    (
      word
        .toLowerCase()
        .replace(/(?<=[^aeiouyl])e$/, '')
        .match(/[aeiouy]+/g) ?? []
    ).length,
  );

/** The years of an American school that a reader needs (Flesch and Kincaid, 1975). */
function gradeOf(page: string): number {
  const sentences = sentencesOf(page).filter((sentence) => wordsOf(sentence).length > 3);
  const words = sentences.flatMap(wordsOf);
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

/** A text of the program, with `x` for each value that is put into it. */
function literalsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis } = node as {
    type?: string;
    value?: unknown;
    quasis?: { value: { cooked: string } }[];
  };
  if (type === 'Literal' && typeof value === 'string') return [value];
  const own = type === 'TemplateLiteral' ? [(quasis ?? []).map((one) => one.value.cooked).join('x')] : [];
  return [...own, ...Object.values(node).flatMap(literalsIn)];
}

/** SQL, PostScript, HTML and sh are texts, too. */
const isProgram = (text: string): boolean =>
  /\b(?:SELECT|CREATE|INSERT|UPDATE|DELETE|WHERE)\b|<<|\bdef\b|^<!doctype|^set -e/m.test(text);

/** The words of the pages are in catalogues, those of the simulators are for developers, and names of operators are no text. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/^simulator\/|page\/languages\/|postscript\/operators\.ts$/.test(path),
);

const read = (name: string) => readFileSync(`systemd/${name}`, 'utf8');
const pages = readdirSync('systemd').filter((name) => name.endsWith('.md'));

describe('the guide', () => {
  it.each(pages)('is plain English in %s', (name) => {
    expect(hardIn(read(name))).toEqual([]);
  });

  it('has a reading grade for each page, which is told', () => {
    const grades = pages.map((name) => ({ name, grade: gradeOf(read(name)) }));
    process.stdout.write(`${grades.map(({ name, grade }) => `${name} ${grade.toFixed(1)}`).join(', ')}\n`);
    expect(grades.filter(({ grade }) => !Number.isFinite(grade))).toEqual([]);
  });
});

describe('what the program prints', () => {
  it.each(withAllBelow(platenProgram()))('is plain English in the help of $name', (command) => {
    const texts = [command, ...command.options].map(({ description }) => description);
    expect(texts.flatMap(hardInText)).toEqual([]);
  });

  it.each(Object.entries(problemKinds))(
    'is plain English where it is told of %s',
    (_, { person, advice }) => {
      expect([person, advice].flatMap(hardInText)).toEqual([]);
    },
  );

  it('is plain English in every other text of the program', () => {
    const reported = sources.map((path) => ({
      path,
      hard: literalsIn(parseSync(path, readFileSync(`src/${path}`, 'utf8')).program.body)
        .filter((text) => !isProgram(text))
        .flatMap(hardInText),
    }));
    expect(reported.length).toBeGreaterThan(500);
    expect(reported.filter(({ hard }) => hard.length > 0)).toEqual([]);
  });
});

describe('a sentence', () => {
  it.each([
    'Whoever asked for it reads that.',
    'What the service refuses is tried again.',
    'That a printer is away means nothing here.',
    'Where none can convert it, it is refused.',
    'One that you remove comes back.',
    'A list of which nothing is left is empty.',
    'Should it run on, it comes back.',
    'It does not print, nor can it.',
  ])('"%s" is told as hard', (sentence) => {
    expect(hardIn(`A plain one comes first. ${sentence}`)).toHaveLength(1);
  });

  it('of the program begins anew after a semicolon, and may begin small', () => {
    expect(hardInText('what is refused is kept')).toEqual([expect.stringContaining('What … as a subject')]);
    expect(hardInText('it is kept; where it is refused, it is not')).toHaveLength(1);
    expect(hardInText('it is kept, because the service refuses it')).toEqual([]);
  });

  it('is too long from 36 words on, over the ends of lines, and names in code are one word each', () => {
    const words = (count: number) => `${'word\n'.repeat(count - 2)}\`a b c\` ends.`;
    expect(hardIn(words(35))).toEqual([]);
    expect(hardIn(words(36))).toEqual([expect.stringContaining('36 words')]);
  });

  it('that asks may begin with What, and code, headings and cells are apart from it', () => {
    expect(
      hardIn(
        '# What it is\n\nWhat is it? A name.\n\n```sh\nWhat is this\n```\n\n| a | b |\n|---|---|\n| c | d |\n',
      ),
    ).toEqual([]);
  });
});
