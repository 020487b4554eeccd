/** Decides whether a request reaches a virtual printer. It may be asleep, or serve only one connection at a time. */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { minutes, seconds } from '../../core/duration.ts';
import type { Habits } from './habits/habits.ts';

export interface Reach {
  /** Resolves when the printer listens to this connection; `false` if the connection was broken. */
  arrives(socket: Socket): Promise<boolean>;
  /** Sets the printer to sleep without the five minutes of rest. */
  fallAsleep(): void;
}

const restBeforeSleep = minutes(5);

export function createReach(options: {
  habits: Habits;
  clock: Clock;
  off: AbortSignal;
  /** Stops listening for this time. */
  beAway(span: Duration): Promise<void>;
}): Reach {
  const { habits, clock, off } = options;
  let sleepsFrom = Number.NEGATIVE_INFINITY;
  let waking: Promise<void> | undefined;
  let listensTo: Socket | undefined;

  /** All requests of this time share one wake-up. */
  const wake = (span: number) => {
    waking ??= clock.sleep(seconds(span), { signal: off }).finally(() => {
      waking = undefined;
      sleepsFrom = clock.monotonic() + restBeforeSleep;
    });
    return waking;
  };

  const awake = async (socket: Socket): Promise<boolean> => {
    const deaf = habits.number('sleeping-deaf');
    const silent = habits.number('sleeping');
    const sleeps = clock.monotonic() >= sleepsFrom;
    if (sleeps && deaf !== undefined) {
      sleepsFrom = Number.POSITIVE_INFINITY;
      socket.resetAndDestroy();
      await options.beAway(seconds(deaf));
      sleepsFrom = clock.monotonic() + restBeforeSleep;
      return false;
    }
    if (sleeps && silent !== undefined) await wake(silent);
    sleepsFrom = Math.max(sleepsFrom, clock.monotonic() + restBeforeSleep);
    return true;
  };

  const inTurn = async (socket: Socket): Promise<void> => {
    const before = listensTo;
    if (before === undefined || before === socket || before.destroyed) {
      listensTo = socket;
      return;
    }
    // The end of the other connection may be an error, which does not concern this one.
    await once(before, 'close', { signal: off }).catch(() => off.throwIfAborted());
    await inTurn(socket);
  };

  return {
    async arrives(socket) {
      if (habits.has('one-connection-at-a-time')) await inTurn(socket);
      return awake(socket);
    },
    fallAsleep() {
      sleepsFrom = Number.NEGATIVE_INFINITY;
    },
  };
}
