/**
 * The complaints of the YAML parser, and keys that stand there twice, in words for the writer of the file: the line, and
 * what to write there. One mistake makes the parser complain several times. Only the first complaint of a line is told, and
 * only those about tabs where there are any.
 */
import type { Document, LineCounter, YAMLError } from 'yaml';
import { isScalar, visit } from 'yaml';
import type { Mistake } from './mistakes.ts';

export function yamlMistakes(document: Document, counter: LineCounter): readonly Mistake[] {
  const { errors } = document;
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const told = new Map<number, string>();
  for (const error of tabs.length > 0 ? tabs : errors) {
    const { line } = counter.linePos(placeOf(error, document));
    if (!told.has(line)) told.set(line, wordsFor(error));
  }
  if (tabs.length === 0) {
    for (const line of doubledKeys(document, counter)) {
      if (!told.has(line)) told.set(line, 'this key stands here twice. Write it only once');
    }
  }
  const inOrder = [...told].toSorted(([one], [other]) => one - other);
  return inOrder.map(([line, words]) => ({ path: [], message: `Line ${line}: ${words}.` }));
}

/** The parser would compare each key with all others of its map. */
function doubledKeys(document: Document, counter: LineCounter): ReadonlySet<number> {
  const lines = new Set<number>();
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) lines.add(counter.linePos(key.range?.[0] ?? 0).line);
        seen.add(key.value);
      }
    },
  });
  return lines;
}

const openQuote = /^Missing closing .quote/;

/** The parser misses a quote where the file ends; a person looks for where it was opened. */
function placeOf({ message, pos: [place] }: YAMLError, document: Document): number {
  let opened = place;
  if (!openQuote.test(message)) return place;
  visit(document, {
    Scalar(_key, { type, range }) {
      if (type?.startsWith('QUOTE') && range && range[0] < place) opened = range[0];
    },
  });
  return opened;
}

const keyAndValue = 'write a colon and a space between key and value';

/** What the parser says first is the key; the first that fits counts. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^Tabs are not allowed/, 'use spaces, not tabs'],
  [openQuote, 'close the quote'],
  [/^Flow (?:map|sequence) in block collection/, 'close the bracket before this line'],
  [/^Implicit (?:map )?keys need to be/, keyAndValue],
  [
    /^Nested mappings are not allowed/,
    'put quotes around a value with ": " in it, or indent the line like the line above',
  ],
  [/^All (?:mapping|sequence) items must start/, 'indent the line like the other lines of its section'],
  [/^Sequence item without - indicator/, 'begin the line with "- ", or indent it like the line above'],
  [/^Invalid escape sequence/, 'use single quotes around a value with a backslash'],
  [/^Source contains multiple documents/, 'remove the line "---". The file is one document'],
];

function wordsFor({ message }: YAMLError): string {
  const said = (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  const [, reserved] = /^Plain value cannot start with (?:reserved character |.*?)(\S)$/.exec(said) ?? [];
  if (reserved !== undefined) return `put quotes around a value that begins with ${reserved}`;
  const known = words.find(([what]) => what.test(said))?.[1];
  return known ?? `this is not YAML (${said.replace(/[.:\s]+$/, '')})`;
}
