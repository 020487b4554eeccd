/**
 * The network reader that dials in (`tcp-listen`). It has one connection. If the reader dials again after a restart or
 * a lost connection, the new connection replaces the old one.
 */
import type { Socket } from 'node:net';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { CardReader } from '../../domain/ports/readers.ts';
import type { TextReaderDeps } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import type { DialIn } from './dial-in.ts';
import { createReaderLink, keepTrying, rest } from '../intake/reader-link.ts';
import { createSignaller } from '../intake/reader-signals.ts';
import { sourceAddresses } from './dial-in.ts';
import type { Place } from './tcp-connect.ts';
import { readConnection } from './tcp-reading.ts';

const listeningAgain: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(5) };
/** After a start of the agent, every reader is away until it notices the lost connection and dials again. */
const grace = seconds(10);

export interface DiallingReaderDeps extends TextReaderDeps {
  readonly listen: Place;
  /** Addresses and networks. An empty list means this machine only. */
  readonly from: readonly string[];
  readonly hello: string | undefined;
  readonly dialIn: DialIn;
}

export function openDiallingReader(deps: DiallingReaderDeps): CardReader {
  const { name, listen: place, clock, dialIn } = deps;
  const log = deps.log.with({ reader: name });
  const from = sourceAddresses(deps.from);
  const openIntake = createBadgeIntake(deps);
  const signaller = createSignaller({ commands: deps.signals, clock });

  async function run(signal: AbortSignal): Promise<void> {
    const link = createReaderLink(deps);
    let current: Socket | undefined;
    let hasDialled = false;

    const onConnection = (socket: Socket, head: Uint8Array): void => {
      if (current) log.debug('reader dialled in anew');
      current?.destroy();
      current = socket;
      hasDialled = true;
      link.up();
      readConnection(socket, { intake: openIntake(), signaller, clock, head }, signal).catch(
        (cause: unknown) => {
          if (current !== socket) return;
          current = undefined;
          link.down(cause);
        },
      );
    };
    const missWhoDoesNotDial = async (): Promise<void> => {
      await rest(grace, clock, signal);
      if (hasDialled || signal.aborted) return;
      link.down(new Error(`no reader has dialled in at ${place.host}:${place.port}`));
    };
    const onListening = () => void missWhoDoesNotDial();

    await keepTrying(
      (during) =>
        dialIn.expect({ place, reader: { from, hello: deps.hello, onConnection }, onListening }, during),
      { link, clock, waitAfter: (failures) => waitBefore(failures, listeningAgain) },
      signal,
    );
  }

  return { name, signal: signaller.signal, run };
}
