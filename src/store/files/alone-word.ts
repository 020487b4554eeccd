/**
 * The word of a member that it is alone in its fleet, or was once (F12). It stands beside a mark, and names the moment at
 * which the system made that mark: in a copy of the state directory, unpacked from an archive say, the mark is younger,
 * and the word is none. Who has copied it may have printed since.
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
  // Set by nobody but the system (inode(7)).
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
