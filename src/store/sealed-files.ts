/** The sealed JSON files of the state directory, each bound to its own name. What stands in them is `device-store.ts`. */
import { join } from 'node:path';
import type { z } from 'zod';
import type { Log } from '../core/log.ts';
import type { Problem } from '../domain/problem.ts';
import { isProblem } from '../domain/problem.ts';
import { readIfPresent, reserveRoom, writeDurably } from './durable-file.ts';
import type { Sealing } from './sealing.ts';

type SealedContent<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'other-key' };

export interface SealedFiles {
  /** A file that is there and cannot be opened is logged. */
  read<T>(name: string, shape: z.ZodType<T>): SealedContent<T>;
  /** On disk when it returns. Secrets in `value` must be revealed before. */
  write(name: string, value: object): void;
  /** Room for this file's next content. */
  reserve(name: string, bytes: number): void;
}

export function createSealedFiles(options: {
  directory: string;
  sealing: Sealing;
  log: Log;
  onFatal: (problem: Problem) => void;
}): SealedFiles {
  const pathOf = (name: string): string => join(options.directory, name);

  function writing(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isProblem(error, 'store-failed')) options.onFatal(error);
      throw error;
    }
  }

  function open<T>(name: string, bytes: Buffer, shape: z.ZodType<T>): SealedContent<T> {
    const unsealed = options.sealing.unseal(name, bytes);
    if (unsealed.kind !== 'text') return unsealed;
    const parsed = shape.safeParse(JSON.parse(unsealed.text));
    return parsed.success ? { kind: 'value', value: parsed.data } : { kind: 'damaged' };
  }

  return {
    read(name, shape) {
      const bytes = readIfPresent(pathOf(name));
      if (!bytes) return { kind: 'absent' };
      const content = open(name, bytes, shape);
      if (content.kind !== 'value')
        options.log.warn('state file unreadable', { file: name, found: content.kind });
      return content;
    },
    write: (name, value) =>
      writing(() => writeDurably(pathOf(name), options.sealing.seal(name, JSON.stringify(value)))),
    reserve: (name, bytes) => writing(() => reserveRoom(pathOf(name), bytes)),
  };
}
