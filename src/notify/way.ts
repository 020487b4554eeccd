/**
 * A receiver of notifications. Each has its own record of the notifications sent to it. A receiver that takes no
 * messages is waited for, tried again, and named as a condition.
 */
import { minutes, seconds } from '../core/duration.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import type { Conditions } from '../domain/condition.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { GoneNotice, Message, Notice } from './message.ts';

interface Receiver {
  /** Stays the same over restarts, and does not reveal the address. */
  readonly id: string;
  /** For people: `webhook hooks.example.com`. */
  readonly name: string;
}

export interface MessageWay extends Receiver {
  /** Rejects with a `Problem` unless the message is known to have been taken. */
  tell(message: Message, call: CallOptions): Promise<void>;
}

/** Takes each alert separately, and groups and repeats by its own rules. */
export interface AlertWay extends Receiver {
  send(
    alerts: { readonly standing: readonly Notice[]; readonly gone: readonly GoneNotice[] },
    call: CallOptions,
  ): Promise<void>;
  /** One alert that ends by itself. */
  test(call: CallOptions): Promise<void>;
}

/** The condition that a receiver cannot be reached is told by the other ways only. */
const subjectOf = ({ name }: Receiver): string => `notify ${name}`;

export const isAbout =
  (way: Receiver) =>
  ({ code, subject }: Notice): boolean =>
    code === 'notify-unreachable' && subject === subjectOf(way);

/** The agent waits so long for one message and its answer. */
export const callLimit = seconds(30);

export const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(15) };

/**
 * A condition for a receiver that does not take messages. The other receivers are told of it. `undefined`: the
 * receiver takes messages, or is not asked any more.
 */
export function noteReach(
  { way, conditions }: { readonly way: Parameters<typeof subjectOf>[0]; readonly conditions: Conditions },
  problem: Problem | undefined,
): void {
  const spot = { scope: 'agent', subject: subjectOf(way) };
  if (!problem) return conditions.clear(spot.scope, spot.subject);
  conditions.raise({ code: 'notify-unreachable', severity: 'warning', ...spot, detail: problem.message });
}
