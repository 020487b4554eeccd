/** A text as a YAML document with its lines and its plain data, or `ConfigInvalid` with all that makes it none. */
import type { Document, YAMLError } from 'yaml';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { ConfigInvalid } from './mistakes.ts';
import type { Mistake } from './mistakes.ts';

const mostAliases = 100;
/** The parser calls itself for each level. A configuration has six. */
const deepest = 64;
/** What it warns of goes past every command's own lines; and it compares each key with all others of its map. */
const ways = { logLevel: 'error', uniqueKeys: false } as const;

interface YamlText {
  readonly document: Document;
  readonly counter: LineCounter;
  /** `undefined` for an empty text. */
  readonly data: unknown;
}

export function parsedYaml(file: string, text: string): YamlText {
  if (isTooDeep(text)) {
    throw new ConfigInvalid(file, [
      { path: [], message: `has more than ${deepest} levels, one in the other` },
    ]);
  }
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, ...ways });
  const mistakes = yamlMistakes(document, counter);
  if (mistakes.length > 0) throw new ConfigInvalid(file, mistakes);
  return { document, counter, data: dataOf(file, document, counter) };
}

/** An alias of nothing, or far too many of them, come to light here. */
function dataOf(file: string, document: Document, counter: LineCounter): unknown {
  try {
    return (document.toJS({ maxAliasCount: mostAliases }) as unknown) ?? undefined;
  } catch (cause) {
    throw new ConfigInvalid(file, [{ path: [], message: aliasMistake(document, counter) }], { cause });
  }
}

function aliasMistake(document: Document, counter: LineCounter): string {
  let line: number | undefined;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      line = counter.linePos(alias.range?.[0] ?? 0).line;
      return visit.BREAK;
    },
  });
  return line === undefined
    ? `It has more than ${mostAliases} aliases (*name). Write the values out.`
    : `Line ${line}: put quotes around a value that begins with *.`;
}

/**
 * The settings that can be made sense of: of a file that is no YAML those of its sections that are. A parser goes on
 * after a mistake, but a tab in one section makes it see the next one elsewhere.
 */
export function settingsAsFarAsReadable(text: string): unknown {
  const whole = dataIn(text);
  if (whole !== undefined) return whole;
  const sections = text.split(/^(?=[A-Za-z]\w*[ \t]*:)/m).map(dataIn);
  return Object.assign({}, ...sections.filter((one) => typeof one === 'object'));
}

function dataIn(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  const document = parseDocument(text, ways);
  if (yamlMistakes(document, new LineCounter()).length > 0) return undefined;
  try {
    return (document.toJS({ maxAliasCount: mostAliases }) as unknown) ?? {};
  } catch {
    return undefined;
  }
}

/** By its brackets, and by what begins a level within a line; those inside of quotes count too. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth = '[{'.includes(sign) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return lineOfLevels.test(text);
}

const lineOfLevels = new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${deepest},}`, 'm');

/**
 * The complaints of the YAML parser, and keys that stand there twice, in words for the writer of the file: the line, and
 * what to write there. One mistake makes the parser complain several times. Only the first complaint of a line is told, and
 * only those about tabs where there are any.
 */
function yamlMistakes(document: Document, counter: LineCounter): readonly Mistake[] {
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
