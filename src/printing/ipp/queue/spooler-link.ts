/**
 * A connection to a spooler on which nothing is ever sent. Its end shows within milliseconds that the spooler has gone,
 * and a new connection shows that it takes requests again. Polling would show both seconds late, and a spooler that
 * comes back begins to print at once. This code knows no jobs; see `spooler-vigil.ts`.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { LookupFunction, Socket } from 'node:net';
import { connect } from 'node:net';
import type { Clock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import { milliseconds } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { IppAddress } from '../wire/ipp-address.ts';
import { answerLimit, returnHaste, returnLeisure, returnPause } from '../../timings.ts';

export interface SpoolerPlace {
  readonly address: Pick<IppAddress, 'origin'>;
  /** A domain socket that is preferred to the address's host and port whenever it exists. */
  readonly socketPath: string | undefined;
  readonly lookup: LookupFunction | undefined;
}

export interface Absence {
  /** Monotonic time. */
  readonly since: number;
  /** How long the connection had lasted. */
  readonly stood: Duration;
  /** No process listened in the meantime, so more than the connection ended. */
  readonly wasRefused: boolean;
}

export interface LinkEars {
  onLost(): void;
  onBack(absence: Absence): void;
}

/** Never resolves; rejects only by the signal. */
export async function attendSpooler(
  { place, clock }: { readonly place: SpoolerPlace; readonly clock: Clock },
  ears: LinkEars,
  { signal }: CallOptions,
): Promise<never> {
  let lost: Omit<Absence, 'wasRefused'> | undefined;
  const lose = (stood: Duration) => {
    lost ??= { since: clock.monotonic(), stood };
    ears.onLost();
  };
  for (;;) {
    using line = await reach(place, clock, { signal, onRefused: () => lost ?? lose(milliseconds(0)) });
    if (lost) ears.onBack({ ...lost, wasRefused: line.wasRefused });
    lost = undefined;
    const since = clock.monotonic();
    await line.ended(signal);
    lose(milliseconds(clock.monotonic() - since));
  }
}

interface Line extends Disposable {
  readonly wasRefused: boolean;
  ended(signal: AbortSignal): Promise<void>;
}

async function reach(
  place: SpoolerPlace,
  clock: Clock,
  { signal, onRefused }: CallOptions & { readonly onRefused: () => void },
): Promise<Line> {
  const since = clock.monotonic();
  let wasRefused = false;
  for (;;) {
    const socket = dial(place);
    try {
      await once(socket, 'connect', { signal: clock.deadline(answerLimit, signal) });
      return lineOf(socket, wasRefused);
    } catch {
      socket.destroy();
      signal.throwIfAborted();
    }
    wasRefused = true;
    onRefused();
    await clock.sleep(clock.monotonic() - since < returnHaste ? returnPause : returnLeisure, { signal });
  }
}

function dial({ address: { origin }, socketPath, lookup }: SpoolerPlace): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket =
    socketPath !== undefined && existsSync(socketPath)
      ? connect({ path: socketPath })
      : connect({ host, port: Number(port || usualPorts[protocol]), ...(lookup ? { lookup } : {}) });
  // The end of the connection tells the waiting code too.
  return socket.on('error', () => {});
}

/** `URL` leaves the port out if it is the usual port of the scheme. */
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function lineOf(socket: Socket, wasRefused: boolean): Line {
  const closed = Promise.withResolvers<void>();
  socket.on('close', () => closed.resolve());
  // Only reading shows the end.
  socket.resume();
  return {
    wasRefused,
    async ended(signal) {
      const over = new AbortController();
      const aborted = once(signal, 'abort', { signal: over.signal }).catch(() => {});
      await Promise.race([closed.promise, aborted]);
      over.abort();
      signal.throwIfAborted();
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
