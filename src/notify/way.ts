/** A receiver of messages, by whichever way. Each has its own account of what it was told. */
import type { CallOptions } from '../domain/ports/call.ts';
import type { Message } from './message.ts';
import type { GoneNotice, Notice } from './notice.ts';

interface Receiver {
  /** Stays the same over restarts, and gives its address to nobody. */
  readonly id: string;
  /** For people: `webhook hooks.example.com`. */
  readonly name: string;
}

export interface MessageWay extends Receiver {
  /** Rejects with a `Problem` where it is not known to have been taken. */
  tell(message: Message, call: CallOptions): Promise<void>;
}

/** Takes each alert for itself, groups and repeats by its own rules. */
export interface AlertWay extends Receiver {
  send(
    alerts: { readonly standing: readonly Notice[]; readonly gone: readonly GoneNotice[] },
    call: CallOptions,
  ): Promise<void>;
  /** One alert that ends by itself. */
  test(call: CallOptions): Promise<void>;
}

/** The condition that a receiver cannot be reached; it is told by the other ways only. */
export const subjectOf = ({ name }: Receiver): string => `notify ${name}`;

export const isAbout =
  (way: Receiver) =>
  ({ code, subject }: Notice): boolean =>
    code === 'notify-unreachable' && subject === subjectOf(way);
