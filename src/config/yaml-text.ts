/**
 * Parses a text to a YAML document with line numbers and plain data. Throws `ConfigInvalid` with all mistakes if it is
 * not YAML.
 */
import type { Document, YAMLError } from 'yaml';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { ConfigInvalid } from './mistakes.ts';
import type { Mistake } from './mistakes.ts';

const mostAliases = 100;
/** The parser recurses for each level. A configuration has six levels. */
const deepest = 64;
/**
 * The log level stops warnings that would mix with a command's own output. The unique-keys check of the parser compares
 * each key with all others of its map, so `doubledKeys` replaces it.
 */
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

/** An alias of nothing, or too many aliases, fail only here. */
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
 * The readable part of the settings. If the file is not YAML, each section is parsed alone: the parser continues after
 * a mistake, but a tab in one section can move the next section elsewhere.
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

/** Counts brackets and the markers that begin a level within a line. Signs in quotes count too. */
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
 * The complaints of the YAML parser and double keys, in words for the writer of the file: the line and what to write
 * there. A mistake causes several complaints. Only the first complaint of a line is reported, and only complaints about
 * tabs if there are any.
 */
function yamlMistakes(document: Document, counter: LineCounter): readonly Mistake[] {
  const { errors } = document;
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const mistakeByLine = new Map<number, string>();
  for (const error of tabs.length > 0 ? tabs : errors) {
    const { line } = counter.linePos(placeOf(error, document));
    if (!mistakeByLine.has(line)) mistakeByLine.set(line, wordsFor(error));
  }
  if (tabs.length === 0) {
    for (const line of doubledKeys(document, counter)) {
      if (!mistakeByLine.has(line)) mistakeByLine.set(line, 'this key stands here twice. Write it only once');
    }
  }
  const inOrder = [...mistakeByLine].toSorted(([one], [other]) => one - other);
  return inOrder.map(([line, words]) => ({ path: [], message: `Line ${line}: ${words}.` }));
}

/** A set per map, because the parser's own check compares each key with all others. */
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

/** The parser reports a missing quote at the end of the file. A person looks for the place where it was opened. */
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

/** The beginning of the parser's message selects the advice. The first match counts. */
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
