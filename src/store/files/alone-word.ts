/**
 * The note of a fleet member that it is, or once was, alone in its fleet (F12). It names the moment at which the system
 * made the mark file beside it. In a copy of the state directory, for example unpacked from an archive, the mark is
 * younger, and the note does not count: the original may have printed since.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent, writeDurably } from './durable-file.ts';

const shape = z.object({ word: z.enum(['alone', 'over']), engine: z.string(), mark: z.string() });
type AloneWord = z.output<typeof shape>['word'];

/** The caller owns the state directory. `write` throws `store-refused`, `store-failed`. */
export function aloneWordIn(
  stateDir: string,
  engine: string,
): { read(): AloneWord | undefined; write(word: AloneWord): void } {
  const path = join(stateDir, 'alone.json');
  const markPath = join(stateDir, 'alone.mark');
  // Only the system sets these two (inode(7)).
  const mark = (): string => {
    const { ino, ctimeNs } = statSync(markPath, { bigint: true });
    return `${ino} ${ctimeNs}`;
  };
  return {
    read() {
      try {
        const kept = shape.parse(JSON.parse(String(readIfPresent(path))));
        if (kept.word === 'over') return 'over';
        return kept.engine === engine && kept.mark === mark() ? 'alone' : undefined;
      } catch {
        return undefined;
      }
    },
    write(word) {
      writeDurably(markPath, Buffer.from(''));
      writeDurably(path, Buffer.from(JSON.stringify({ word, engine, mark: mark() })));
    },
  };
}
