/** A receiver of notifications. Each has its own record of the notifications sent to it. */
import type { CallOptions } from '../domain/ports/call.ts';
import type { Message } from './message.ts';
import type { GoneNotice, Notice } from './notice.ts';

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
export const subjectOf = ({ name }: Receiver): string => `notify ${name}`;

export const isAbout =
  (way: Receiver) =>
  ({ code, subject }: Notice): boolean =>
    code === 'notify-unreachable' && subject === subjectOf(way);
