/** One look at pcscd, for `platen check`: whether pcscd answers and shows the reader. It does not read any card. */
import type { Clock } from '../../core/clock.ts';
import { milliseconds } from '../../core/duration.ts';
import { namesReader } from '../../domain/terminal/smart-card-reader.ts';
import { connectToPcscd } from './pcsc-client.ts';
import type { ReaderState } from './pcsc-messages.ts';

export interface WantedReader {
  /** The socket on which pcscd listens. */
  readonly socket: string;
  /** The name of the reader, or a pattern with `*`. Without it, any reader fits. */
  readonly reader: string | undefined;
  readonly clock: Clock;
}

/** Gives the name of the reader. Rejects with a reason in words. */
export async function lookForReader({ socket: path, reader, clock }: WantedReader): Promise<string> {
  using client = await connectToPcscd({ path, clock }, new AbortController().signal);
  const readers = await client.readers(milliseconds(0));
  return shown(readerAmong(readers, reader));
}

/** pcscd runs, but the reader cannot be read. */
export class ReaderMissing extends Error {
  override readonly name = 'ReaderMissing';
}

/** Gives the first reader that fits. Throws `ReaderMissing` if there is none, or if pcscd cannot talk to it. */
export function readerAmong(readers: readonly ReaderState[], pattern = '*'): ReaderState {
  const found = readers.find(({ name }) => namesReader(pattern, name));
  if (found === undefined) throw new ReaderMissing(missing(readers, pattern));
  if (found.slot === 'unknown') throw new ReaderMissing(`pcscd cannot talk to ${shown(found)}`);
  return found;
}

function missing(readers: readonly ReaderState[], pattern: string): string {
  if (readers.length === 0) return 'pcscd shows no reader; check its cable and its driver';
  return `pcscd shows no reader named ${pattern}, but ${readers.map(shown).join(', ')}`;
}

/** The device chooses its own name, so unprintable characters are replaced. */
export const shown = ({ name }: ReaderState): string => name.replace(/[^\u0020-\u007e]/g, '?');
