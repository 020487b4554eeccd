/** The page's words: whole in every language, with the same gaps to fill, and counted as each language counts. */
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { problemKinds } from '../../src/domain/problem/problem-kinds.ts';
import { problemSentences } from '../../src/domain/problem/problem-sentences.ts';
import { en } from '../../src/phrases/en.ts';
import { languageFor, languages } from '../../src/phrases/language.ts';
import type { Message } from '../../src/phrases/sentence.ts';
import { fill, numeralsOf } from '../../src/phrases/message.ts';
import { spelledFor } from '../../src/phrases/locale.ts';
import { noticeWords } from '../../src/phrases/notice-words.ts';

const spoken = await Promise.all(
  languages.map(async ({ load, ...language }) => ({ ...language, messages: await load() })),
);

/** Words that a language shares with English: whatever else is the same was never translated. */
const sharedWithEnglish: Readonly<Record<string, readonly (keyof typeof en)[]>> = {
  de: ['pin', 'sortByName', 'severalAt'],
  fr: [
    'wayEmail',
    'sortByPages',
    'pages',
    'copies',
    'howManyCopies',
    'pagesToPrint',
    'documents',
    'accountQuota',
    'previewPages',
    'previewPage',
  ],
  es: ['pin', 'color', 'severalAt', 'normalQuality', 'priceColorNormal'],
  ja: ['keyRows'],
  ar: ['severalAt'],
};

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const gapsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();

describe.each(spoken)('the words in $name', ({ code, messages }) => {
  it('have the same keys as the English ones', () => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(en).toSorted());
  });

  const entries = Object.entries(messages) as [keyof typeof en, Message][];

  it('are all there', () => {
    expect(entries.filter(([, message]) => formsOf(message).some((form) => form.trim() === ''))).toEqual([]);
  });

  it('leave nothing unfilled, and nothing out', () => {
    const wrong = entries.filter(([key, message]) => {
      const known = new Set(formsOf(en[key]).flatMap(gapsOf));
      const gaps = formsOf(message).map((form) => new Set(gapsOf(form)));
      // A form that counts in words may do without the number.
      const mayLack = typeof message !== 'string';
      return gaps.some((those) => !those.isSubsetOf(known) || !(mayLack || known.isSubsetOf(those)));
    });
    expect(wrong).toEqual([]);
  });

  it('count as the language counts: its plural forms are there', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    const { pages } = messages;
    const wanted = pluralCategories.filter((rule) => rule !== 'many' || code === 'ar');
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(wanted));
  });
});

it.each(spoken.filter(({ code }) => code !== 'en'))(
  'is translated into $name: no English was copied',
  ({ code, messages }) => {
    const keys = Object.keys(en) as (keyof typeof en)[];
    const same = keys.filter((key) => formsOf(en[key]).includes(formsOf(messages[key]).at(-1) ?? ''));
    expect(same).toEqual(sharedWithEnglish[code]);
  },
);

it('has one spelling of colour wherever English is read', () => {
  const { color, priceColorLarge } = spelledFor('en-GB', en);
  expect([color, priceColorLarge]).toEqual(['Colour', 'Colour, large (A3)']);
  expect(JSON.stringify(Object.values(spelledFor('en-GB', en)))).not.toMatch(/color/i);
  expect(JSON.stringify(Object.values(spelledFor('en-US', en)))).not.toMatch(/colour/i);
});

it('keeps a French mark of punctuation on the line of the word before it', async () => {
  const messages = Object.values(await languageFor(['fr']).load());
  expect(messages.flatMap(formsOf).filter((form) => / [?!;:]/.test(form))).toEqual([]);
});

it.each([
  ['en', 1, '1 page'],
  ['en', 1200, '1,200 pages'],
  ['de', 1200, '1.200 Seiten'],
  ['fr', 0, '0 page'],
  ['fr', 2, '2 pages'],
  ['ja', 3, '3ページ'],
  ['ar', 1, 'صفحة واحدة'],
  ['ar', 2, 'صفحتان'],
  ['ar', 3, '3 صفحات'],
  ['ar', 11, '11 صفحة'],
])('says %s %i as "%s"', async (code, n, text) => {
  const { pages } = await languageFor([code]).load();
  expect(fill(pages, numeralsOf(code), { n })).toBe(text);
});

it.each([
  [['de-CH'], 'de'],
  [['pt-BR', 'fr'], 'fr'],
  [['ca'], 'es'],
  [['zh', 'ko'], 'en'],
  [['ar-EG'], 'ar'],
  [[], 'en'],
])('for %j speaks %s', (locales, code) => {
  expect(languageFor(locales).code).toBe(code);
});

it('has words for every problem there is', () => {
  expect(Object.keys(problemKinds).filter((code) => !(code in noticeWords))).toEqual([]);
});

it('has the same English for a problem at a page and at a prompt', () => {
  const keyOf = new Map<string, string>(Object.entries(problemSentences).map(([key, text]) => [text, key]));
  const shared = Object.entries(problemKinds).filter(([, { person }]) => keyOf.has(person));
  expect(
    shared.filter(([code, { person }]) => keyOf.get(person) !== noticeWords[code as ProblemCode]),
  ).toEqual([]);
  const unused = new Set(Object.keys(problemSentences));
  for (const [code] of shared) unused.delete(noticeWords[code as ProblemCode]);
  expect([...unused]).toEqual(['documentLetters']);
});

it('has one sentence for every login that is refused (T09)', () => {
  expect(noticeWords['login-locked']).toBe(noticeWords['login-refused']);
});
