/** The network reader that is dialled (`tcp-connect`): connects, reads, and connects again whenever the reader goes. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { CardReader } from '../domain/ports/readers.ts';
import type { TextReaderOptions } from './badge-intake.ts';
import { createBadgeIntake } from './badge-intake.ts';
import { createReaderLink, keepTrying, longestOpening } from './reader-link.ts';
import { createSignaller } from './reader-signals.ts';
import { readConnection } from './tcp-reading.ts';

/** Never longer, for who plugs a reader in stands before it and waits. */
const redialling: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
const patience = seconds(5);

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface DialledReaderOptions extends TextReaderOptions {
  readonly address: Place;
  readonly chance: Chance;
}

export function openDialledReader(options: DialledReaderOptions): CardReader {
  const { name, address, clock, chance } = options;
  const openIntake = createBadgeIntake(options);
  const signaller = createSignaller({ commands: options.signals, clock });
  return {
    name,
    signal: signaller.signal,
    run(signal) {
      const link = createReaderLink(options);
      const session = async (during: AbortSignal): Promise<void> => {
        const socket = await dial(address, clock, during);
        link.up();
        await readConnection(socket, { intake: openIntake(), signaller, clock }, during);
      };
      const waitAfter = (failures: number) => chance.jitter(waitBefore(failures, redialling));
      return keepTrying(session, { link, clock, waitAfter, opensWithin: longestOpening }, signal);
    },
  };
}

async function dial({ host, port }: Place, clock: Clock, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port });
  // Somebody always listens: an error nobody hears would end the process.
  socket.on('error', () => {});
  const waiting = new AbortController();
  const limit = clock.deadline(patience, AbortSignal.any([signal, waiting.signal]));
  try {
    await once(socket, 'connect', { signal: limit });
    return socket;
  } catch (cause) {
    socket.destroy();
    if (!limit.aborted) throw cause;
    throw new Error(`${host}:${port} did not answer within 5 s`, { cause });
  } finally {
    waiting.abort();
  }
}
