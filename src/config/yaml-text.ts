/** A text as a YAML document with its lines and its plain data, or `ConfigInvalid` with all that makes it none. */
import type { Document } from 'yaml';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigInvalid } from './mistakes.ts';

const mostAliases = 100;

interface YamlText {
  readonly document: Document;
  readonly counter: LineCounter;
  /** `undefined` for an empty text. */
  readonly data: unknown;
}

export function parsedYaml(file: string, text: string): YamlText {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  if (document.errors.length === 0) return { document, counter, data: dataOf(file, document) };
  throw new ConfigInvalid(
    file,
    document.errors.map((error) => ({
      path: [],
      message: error.message.split('\n', 1)[0] ?? 'is not YAML',
      line: counter.linePos(error.pos[0]).line,
    })),
  );
}

/** An alias of nothing, or far too many of them, come to light here. */
function dataOf(file: string, document: Document): unknown {
  try {
    return (document.toJS({ maxAliasCount: mostAliases }) as unknown) ?? undefined;
  } catch (cause) {
    throw new ConfigInvalid(file, [{ path: [], message: (cause as Error).message }], { cause });
  }
}
