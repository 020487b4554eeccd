/** Whether a request reaches a virtual printer: it may be asleep, or have an ear for one connection only. */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { minutes, seconds } from '../../core/duration.ts';
import type { Habits } from './habits/habits.ts';

export interface Reach {
  /** Resolves once the printer has an ear for this connection; false: it was broken. */
  arrives(socket: Socket): Promise<boolean>;
  /** Without waiting for five minutes of rest. */
  fallAsleep(): void;
}

const restBeforeSleep = minutes(5);

export function createReach(options: {
  habits: Habits;
  clock: Clock;
  off: AbortSignal;
  /** Nobody listens for so long. */
  beAway(span: Duration): Promise<void>;
}): Reach {
  const { habits, clock, off } = options;
  let sleepsFrom = Number.NEGATIVE_INFINITY;
  let waking: Promise<void> | undefined;
  let listensTo: Socket | undefined;

  /** Wakes once, however many knock meanwhile. */
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
    // How the other one ends is nothing to this one.
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
