/** The delays of the terminal machine, each with its reason; `logoutTimeout` is the terminal's own, see `terminal-service.ts`. */
import { minutes } from '../core/duration.ts';
import { isNothingLeft } from './renewed-list.ts';
import type { TerminalContext } from './context.ts';

/** B.4, 10. */
export const longestSession = minutes(10);

export const terminalDelays = {
  /** So long a person waits without being told why. */
  patience: 2_000,
  /** A badge without its PIN is forgotten. */
  pinTime: 30_000,
  /** So is an unknown badge that nobody signs in with. */
  enrolTime: 60_000,
  /** Without a sign of the person, or of a document coming on, the session ends. */
  logoutTimeout: 60_000,
  /** No session is longer, printing or not. */
  longestSession,
  /** Whoever looks at an empty list has just sent something. */
  untilNextLook: ({ context: { documents } }: { context: TerminalContext }) =>
    isNothingLeft(documents) ? 5_000 : 10_000,
  /** With autoRelease, and nothing there: time to read that, and for two more looks at the list. */
  firstDocuments: 12_000,
  /** How long an apology stays. */
  noticeTime: 8_000,
  /** Above the calls' own deadlines: the way out of a call that never settles. */
  callLimit: 30_000,
} as const;
