/** A text as a YAML document with its lines, or `ConfigInvalid` with all that makes it none. */
import type { Document } from 'yaml';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigInvalid } from './mistakes.ts';

export function parsedYaml(file: string, text: string): { document: Document; counter: LineCounter } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  if (document.errors.length === 0) return { document, counter };
  throw new ConfigInvalid(
    file,
    document.errors.map((error) => ({
      path: [],
      message: error.message.split('\n', 1)[0] ?? 'is not YAML',
      line: counter.linePos(error.pos[0]).line,
    })),
  );
}
