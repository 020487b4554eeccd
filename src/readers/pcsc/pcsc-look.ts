/** One look at pcscd, for `platen check`: whether it answers, and shows the reader. It takes no card from anybody. */
import type { Clock } from '../../core/clock.ts';
import { milliseconds } from '../../core/duration.ts';
import { namesReader } from '../../domain/terminal/smart-card-reader.ts';
import { connectToPcscd } from './pcsc-client.ts';
import type { ReaderState } from './pcsc-messages.ts';

export interface WantedReader {
  /** Where pcscd listens. */
  readonly socket: string;
  /** Its name, or a pattern with `*`; without one any. */
  readonly reader: string | undefined;
  readonly clock: Clock;
}

/** The name of the reader; rejects with what is in the way, in words. */
export async function lookForReader({ socket: path, reader, clock }: WantedReader): Promise<string> {
  using client = await connectToPcscd({ path, clock }, new AbortController().signal);
  const readers = await client.readers(milliseconds(0));
  return shown(readerAmong(readers, reader));
}

/** pcscd runs, but the reader cannot be read. */
export class ReaderMissing extends Error {
  override readonly name = 'ReaderMissing';
}

/** The first that the pattern fits; throws `ReaderMissing` where none does, or pcscd cannot talk to it. */
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

/** A device names itself; what does not print is left out. */
export const shown = ({ name }: ReaderState): string => name.replace(/[^\u0020-\u007e]/g, '?');
