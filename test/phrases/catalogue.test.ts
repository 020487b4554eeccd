/** The catalogues of gettext that the words of page and prompt in other languages are in. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { LanguageCode } from '../../src/domain/language.ts';
import { languageCodes, promptLanguageCodes } from '../../src/domain/language.ts';
import { en } from '../../src/phrases/en.ts';
import { prompted } from '../../src/prompt/languages/en.ts';
import { messagesIn, renewed } from '../../tools/catalogue.ts';

const english = { hello: 'Hello, {name}', pages: { one: '{n} page', other: '{n} pages' } };
const head = `msgid ""
msgstr ""
"Language: fr\\n"
"X-Plural-Rules: one other\\n"`;
const hello = `# Of whoever came.
msgctxt "hello"
msgid "Hello, {name}"
msgstr "Bonjour,"
" {name}"`;
const pages = `msgctxt "pages"
msgid "{n} page"
msgid_plural "{n} pages"
msgstr[0] "{n} page"
msgstr[1] "{n} \\"pages\\""`;
const po = (...entries: readonly string[]) => `${[head, ...entries].join('\n\n')}\n`;

it('has a message for each key, and of a plural a form for each rule', () => {
  expect(messagesIn(po(hello, pages), english)).toEqual({
    hello: 'Bonjour, {name}',
    pages: { one: '{n} page', other: '{n} "pages"' },
  });
});

it.each([
  ['lacks a key', po(hello), 'pages: missing'],
  ['says nothing', po(hello.replace(/msgstr[^]*/, 'msgstr ""'), pages), 'hello: missing'],
  ['lacks a form', po(hello, pages.replace(/\nmsgstr\[1\].*/, '')), 'pages: missing'],
  ['is of another English', po(hello.replace('"Hello', '"Hi'), pages), 'hello: the English has changed'],
  ['is marked fuzzy', po(`#, fuzzy\n${hello}`, pages), 'hello: the English has changed'],
  ['has what nobody says', po(hello, pages, pages.replace('"pages"', '"gone"')), 'gone: unknown'],
  ['does not tell its rules', po(hello, pages).replace('X-Plural-Rules', 'X'), 'no X-Plural-Rules'],
  ['is no catalogue', po('hello = Bonjour'), 'this is no line of a catalogue: hello = Bonjour'],
])('is not built where one %s', (_what, catalogue, mistake) => {
  expect(() => messagesIn(catalogue, english)).toThrow(mistake);
});

it('is renewed in the order of the English: what is new is empty, what has changed is fuzzy, what is gone is gone', () => {
  const catalogue = renewed(po(pages, pages.replace('"pages"', '"gone"'), hello.replace('"Hello', '"Hi')), {
    ...english,
    bye: 'Goodbye',
  });
  expect(catalogue).toBe(
    po(
      hello
        .replace('# Of whoever came.\n', '# Of whoever came.\n#, fuzzy\n')
        .replace(',"\n" {name}"', ', {name}"'),
      pages,
      'msgctxt "bye"\nmsgid "Goodbye"\nmsgstr ""',
    ),
  );
  expect(() => messagesIn(catalogue, english)).toThrow('hello: the English has changed');
});

const translated = (codes: readonly LanguageCode[]) => codes.filter((code) => code !== 'en');

it.each([
  ...translated(languageCodes).map((code) => [`src/phrases/languages/${code}.po`, en] as const),
  ...translated(promptLanguageCodes).map((code) => [`src/prompt/languages/${code}.po`, prompted] as const),
])('%s is as `npm run words` leaves it', async (file, ofEnglish) => {
  const catalogue = await readFile(file, 'utf8');
  expect(renewed(catalogue, ofEnglish)).toBe(catalogue);
});
