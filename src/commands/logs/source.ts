/** Reads the source of `platen logs` as octets, until its end or an interruption. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { unreadable } from '../unreadable.ts';
import type { Io } from '../io.ts';
import type { Journal } from './journal.ts';

export type LogSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'pipe' }
  | { readonly kind: 'journal'; readonly journal: Journal };

/** If a pipe gives nothing for this time, the command tells the person what it waits for. */
const silence = seconds(2);

/** An interruption ends it normally. Rejects `CommandFailed`. */
export function octetsOf(source: LogSource, io: Io): AsyncIterable<Uint8Array> {
  switch (source.kind) {
    case 'file':
      return untilStopped(createReadStream(source.path), source.path, io.stop);
    case 'pipe':
      return untilStopped(impatient(process.stdin, io), 'standard input', io.stop);
    default:
      io.stop.addEventListener('abort', source.journal.end, { once: true });
      return source.journal.octets;
  }
}

async function* untilStopped(input: Readable, name: string, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const end = () => void input.destroy();
  stop.addEventListener('abort', end, { once: true });
  try {
    for await (const octets of input) yield octets as Uint8Array;
  } catch (cause) {
    if (stop.aborted) return;
    throw unreadable(name, cause, `give it on standard input: platen logs <${name}`);
  } finally {
    stop.removeEventListener('abort', end);
  }
}

function impatient(input: Readable, io: Io): Readable {
  const timer = systemClock.setTimeout(
    () =>
      io.error('platen: waiting for log lines on standard input; for the journal: platen logs </dev/null'),
    silence,
  );
  const settle = () => systemClock.clearTimeout(timer);
  for (const event of ['readable', 'end', 'close']) input.once(event, settle);
  return input;
}
