/**
 * Reads a reader's connection until it goes. If data comes too fast, the socket is paused, so that the data waits in
 * the network.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import type { BadgeIntake } from '../intake/badge-intake.ts';
import type { Signaller } from '../intake/reader-signals.ts';

/** A silent peer is probed after so long. The system closes the connection about ten seconds later. */
const probedAfter = seconds(10);
/** In bytes: more than any reader sends on one connection within this span. */
const mostBytes = 8192;
const span = milliseconds(500);

/** Resolves when the signal aborts. Rejects when the connection goes. The connection is closed in both cases. */
export async function readConnection(
  socket: Socket,
  {
    intake,
    signaller,
    clock,
    head,
  }: {
    readonly intake: BadgeIntake;
    readonly signaller: Signaller;
    readonly clock: Clock;
    readonly head?: Uint8Array;
  },
  signal: AbortSignal,
): Promise<void> {
  let spanStart = clock.monotonic();
  let taken = 0;
  let pause: unknown;

  const take = (bytes: Uint8Array): void => {
    const at = clock.monotonic();
    if (at - spanStart >= span) {
      spanStart = at;
      taken = 0;
    }
    taken += bytes.length;
    intake.push(bytes);
    if (taken < mostBytes) return;
    socket.pause();
    clock.clearTimeout(pause);
    pause = clock.setTimeout(() => socket.resume(), span);
  };

  const disconnect = signaller.connect({ stream: socket, intake });
  const done = new AbortController();
  const gone = new Promise<never>((_, reject) => {
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('the reader ended the connection')));
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
  // It also rejects when the connection is closed here, and then no code waits for it.
  gone.catch(() => {});
  try {
    if (signal.aborted) return;
    if (socket.destroyed) throw new Error('the connection was closed');
    socket.setKeepAlive(true, probedAfter);
    if (head && head.length > 0) take(head);
    socket.on('data', take);
    socket.resume();
    await Promise.race([gone, aborted(AbortSignal.any([signal, done.signal]))]);
  } finally {
    done.abort();
    disconnect();
    clock.clearTimeout(pause);
    intake.close();
    socket.removeAllListeners('data');
    socket.destroy();
  }
}
