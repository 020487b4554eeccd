/** A text as a YAML document with its lines and its plain data, or `ConfigInvalid` with all that makes it none. */
import type { Document } from 'yaml';
import { LineCounter, parseDocument, visit } from 'yaml';
import { ConfigInvalid } from './mistakes.ts';
import { yamlMistakes } from './yaml-mistakes.ts';

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
