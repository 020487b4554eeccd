/**
 * The network reader that the agent dials (`tcp-connect`). It connects, reads, and connects again when the reader goes.
 * Over TLS, an authority must confirm the dialled name or address, or the certificate must match the configured
 * fingerprint. Until then no byte of the reader is read (INVARIANTS.md T10).
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { CardReader } from '../../domain/ports/readers.ts';
import type { TextReaderDeps } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import { createReaderLink, keepTrying, longestOpening } from '../intake/reader-link.ts';
import { createSignaller } from '../intake/reader-signals.ts';
import { readConnection } from './tcp-reading.ts';

/** Kept short, because the person who plugs in a reader stands there and waits. */
const redialling: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
const patience = seconds(5);

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface ReaderTls {
  /** PEM, added to the system's authorities. */
  readonly caFile?: string | undefined;
  /** SHA-256 of the whole certificate: capital hex digits, in pairs with colons. */
  readonly fingerprint?: string | undefined;
}

export interface Dialling {
  readonly address: Place;
  /** Absent: plain TCP. */
  readonly tls?: ReaderTls | undefined;
  /** The system's authorities, together with those of this PEM. */
  readonly trust: (ca?: string) => SecureContext;
  readonly clock: Clock;
}

export interface DialledReaderDeps extends TextReaderDeps, Dialling {
  readonly chance: Chance;
}

export function openDialledReader(deps: DialledReaderDeps): CardReader {
  const { name, clock, chance } = deps;
  const openIntake = createBadgeIntake(deps);
  const signaller = createSignaller({ commands: deps.signals, clock });
  return {
    name,
    signal: signaller.signal,
    run(signal) {
      const link = createReaderLink(deps);
      const session = async (during: AbortSignal): Promise<void> => {
        const socket = await dial(deps, during);
        link.up();
        await readConnection(socket, { intake: openIntake(), signaller, clock }, during);
      };
      const waitAfter = (failures: number) => chance.jitter(waitBefore(failures, redialling));
      return keepTrying(session, { link, clock, waitAfter, opensWithin: longestOpening }, signal);
    },
  };
}

/** A peer answers, but it is not the reader or cannot prove that it is. */
export class NotTheReader extends Error {}

/** Rejects with `NotTheReader`, with an error in words, or with Node's error. */
export async function dial(dialling: Dialling, signal: AbortSignal): Promise<Socket> {
  const { address, tls, clock } = dialling;
  const { host, port } = address;
  const socket = tls ? overTls(dialling, tls) : connect({ host, port });
  // An error without a listener would end the process.
  socket.on('error', () => {});
  const waiting = new AbortController();
  const limit = clock.deadline(patience, AbortSignal.any([signal, waiting.signal]));
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: limit });
    if (tls && socket instanceof TLSSocket) recognise(socket, tls, `${host}:${port}`);
    return socket;
  } catch (cause) {
    socket.destroy();
    if (limit.aborted) throw new Error(`${host}:${port} did not answer within 5 s`, { cause });
    throw isNoTls(cause)
      ? new NotTheReader(`${host}:${port} speaks no TLS that is safe (${cause.code})`, { cause })
      : cause;
  } finally {
    waiting.abort();
  }
}

const overTls = ({ address: { host, port }, trust }: Dialling, { caFile }: ReaderTls): TLSSocket =>
  connectTls({
    host,
    port,
    secureContext: trust(caFile),
    servername: isIP(host) === 0 ? host : '',
    // `recognise` checks the certificate after the connection is made.
    rejectUnauthorized: false,
  });

function recognise(socket: TLSSocket, { fingerprint }: ReaderTls, place: string): void {
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  if (fingerprint !== undefined && shown !== fingerprint) {
    throw new NotTheReader(`${place} shows another certificate than that of tls.fingerprint: ${shown}`);
  }
  if (fingerprint === undefined && !socket.authorized) {
    throw new NotTheReader(
      `no trusted authority has signed the certificate of ${place} (${String(socket.authorizationError)}). Write its authority into tls.caFile or, after you have compared it, write tls.fingerprint: ${shown}`,
    );
  }
}

const isNoTls = (cause: unknown): cause is Error & { readonly code: string } =>
  cause instanceof Error && 'code' in cause && /^(ERR_SSL_|EPROTO$)/.test(String(cause.code));
