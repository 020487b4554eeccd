/** The sealed JSON files of the state directory, each bound to its own name. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { readUnlessBad, reserveRoom, writeDurably } from '../files/durable-file.ts';
import type { Sealing, Unsealing } from '../../core/sealing.ts';

type SealedContent<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'other-key' };

export interface SealedReading {
  /** A file that exists and cannot be opened is logged. */
  read<T>(name: string, shape: z.ZodType<T>): SealedContent<T>;
}

export interface SealedFiles extends SealedReading {
  /** On disk when it returns. Secrets in `value` must be revealed before. */
  write(name: string, value: object): void;
  /** Takes the room for the next content of this file. */
  reserve(name: string, bytes: number): void;
}

export function createSealedFiles(options: {
  directory: string;
  sealing: Sealing;
  log: Log;
  onFatal: (problem: Problem) => void;
}): SealedFiles {
  const { directory, sealing, log, onFatal } = options;
  const pathOf = (name: string): string => join(directory, name);

  function writing(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isProblem(error, 'store-failed')) onFatal(error);
      throw error;
    }
  }

  return {
    ...createSealedReading({ directory, unsealing: sealing, log }),
    write: (name, value) =>
      writing(() => writeDurably(pathOf(name), sealing.seal(name, JSON.stringify(value)))),
    reserve: (name, bytes) => writing(() => reserveRoom(pathOf(name), bytes)),
  };
}

/**
 * For a program that only reads beside a running agent. A file is replaced as a whole, so each read finds one state of
 * it.
 */
export function createSealedReading(options: {
  directory: string;
  unsealing: Unsealing;
  log: Log;
}): SealedReading {
  function open<T>(name: string, bytes: Buffer, shape: z.ZodType<T>): SealedContent<T> {
    const unsealed = options.unsealing.unseal(name, bytes);
    if (unsealed.kind !== 'text') return unsealed;
    const parsed = shape.safeParse(JSON.parse(unsealed.text));
    return parsed.success ? { kind: 'value', value: parsed.data } : { kind: 'damaged' };
  }

  return {
    read(name, shape) {
      const bytes = readUnlessBad(join(options.directory, name));
      if (!bytes) return { kind: 'absent' };
      const content = bytes === 'bad' ? ({ kind: 'damaged' } as const) : open(name, bytes, shape);
      if (content.kind !== 'value')
        options.log.warn('state file unreadable', { file: name, found: content.kind });
      return content;
    },
  };
}

/** The same folder with separate file names for one of several servers. */
export const filesOfServer = (files: SealedFiles, authUrl: string): SealedFiles => {
  const nameOf = namesAt(authUrl);
  return {
    ...readingOfServer(files, authUrl),
    write: (name, value) => files.write(nameOf(name), value),
    reserve: (name, bytes) => files.reserve(nameOf(name), bytes),
  };
};

export const readingOfServer = (files: SealedReading, authUrl: string): SealedReading => {
  const nameOf = namesAt(authUrl);
  return { read: (name, shape) => files.read(nameOf(name), shape) };
};

const namesAt = (authUrl: string): ((name: string) => string) => {
  const server = createHash('sha256').update(authUrl).digest('hex').slice(0, 16);
  return (name) => `${name}-${server}`;
};
