/** What a terminal knows of the conversation with the person in front, and what it hands to those who act for it. */
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Document } from '../domain/document.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { Changes } from './session-list.ts';
import type { SessionProgress } from '../release/session-progress.ts';
import type { Sorted } from './sorted-documents.ts';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

export interface Session {
  readonly id: string;
  /** Whose badge it was, unless the person typed. */
  readonly card?: CardNumber;
  readonly login: Login;
}

/** Documents in the order they would be printed. */
export interface Choice {
  readonly session: Session;
  readonly documents: readonly Document[];
}

/** Of these the first have been quoted. */
export interface Quoted extends Choice {
  readonly quoted: number;
}

/** `inBackground`: nobody waits for it. */
export interface Look {
  readonly session: Session;
  readonly inBackground: boolean;
}

/** A document to be printed. */
export interface Wish {
  readonly document: Document;
  /** The release that it explicitly repeats. */
  readonly again?: string;
}

export interface Wishes {
  readonly session: Session;
  /** In this order. */
  readonly wishes: readonly Wish[];
}

export interface TerminalContext {
  readonly authorized: boolean;
  /** Counts badges, words taken and sessions; everything shown carries it (D2, I3). */
  readonly generation: number;
  /** The badge that is being, is to be, or was logged in. */
  readonly card: CardNumber | undefined;
  /** What the login is tried with; forgotten as soon as it has its answer. */
  readonly credentials: Credentials | undefined;
  /** How often the PIN of this badge was refused. */
  readonly pinTries: number;
  readonly session: Session | undefined;
  readonly documents: Sorted;
  /** What the person wants otherwise than it was sent; over every list of the session. */
  readonly changes: Changes;
  /** Deleted, or found in the tray: the service may list them for a while. */
  readonly dealtWith: ReadonlySet<string>;
  /** The person wants to know what waits by now. */
  readonly isLookAskedFor: boolean;
  /** Of the first documents that may be released, in their order; none where prints are not charged. */
  readonly quotes: readonly Quote[];
  /** All that may be released is to be, and then the session is over. */
  readonly wantsAll: boolean;
  /** Nothing was there at the first look, and what comes in is released at once. */
  readonly awaitsFirst: boolean;
  /** To be handed to the desk. */
  readonly wishes: readonly Wish[];
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly Document[];
  /** Of all that this session released so far. */
  readonly progress: SessionProgress;
  /** So many documents of others come before the next one of this session. */
  readonly before: number;
  readonly end: SessionEnd;
  /** For the person who was just turned away, or did not get all that was wanted. */
  readonly notice: Notice | undefined;
  /** What the last call of the agent found. */
  readonly cloud: 'up' | 'down';
  /** The call that the person waits for takes longer than is decent. */
  readonly isSlow: boolean;
  /** Whether a badge can be read at all. */
  readonly readers: 'up' | 'down';
  /** The service is to be told of the badge. */
  readonly isRelayed: boolean;
}

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the terminal has no ${name} here`);
  return value;
}
