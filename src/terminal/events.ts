/**
 * What a terminal is told. `TerminalInput` is all that comes in from outside, whoever says it; in capitals stands what
 * follows within, at the desk and in the machine itself.
 */
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';
import type { DocumentEnd, DocumentStage } from '../release/session-progress.ts';
import type { Choice, ServiceState } from './context.ts';

export type TerminalInput = PersonsWord | BadgeNews | ServiceNews | ReaderNews | ReleaseNews;

type BadgeNews =
  | { readonly type: 'card'; readonly card: CardNumber }
  /** Its number cannot be brought into the form the service knows: the screen says so, and who had a session has none. */
  | { readonly type: 'card-unreadable'; readonly problem: Problem }
  /** A chip card was taken out of its reader: the session, or the login, of exactly this card ends. */
  | { readonly type: 'card-removed'; readonly card: CardNumber }
  /** The service is told of a badge instead of a login here: who had a session has none; and what came of that. */
  | { readonly type: 'card-relayed' }
  | { readonly type: 'relay-ended'; readonly generation: number; readonly notice: Notice };

type ServiceNews =
  /** The device may act for this terminal, or may not. */
  | { readonly type: 'authorized' }
  | { readonly type: 'unauthorized' }
  /** This gateway serves the terminal no more. */
  | { readonly type: 'hold-lost' }
  /** What the last call found: while it is not up, the screen says so (badges are taken all the same). */
  | { readonly type: 'service'; readonly state: ServiceState };

/** Down: none of the readers can be read, where there are some. */
interface ReaderNews {
  readonly type: 'readers';
  readonly state: 'up' | 'down';
}

type ReleaseNews =
  /** So many documents of others come before. */
  | { readonly type: 'QUEUED'; readonly sessionId: string; readonly before: number }
  /** A printer cannot do all that was asked for with a document of theirs. */
  | { readonly type: 'NOT_AS_ASKED'; readonly sessionId: string }
  /** A document of the session came on: a stage further, octets, a page. */
  | { readonly type: 'PROGRESS'; readonly sessionId: string }
  | { readonly type: 'STAGES'; readonly sessionId: string; readonly stages: readonly DocumentStage[] }
  | ({ readonly type: 'RELEASE_ENDED'; readonly sessionId: string } & DocumentEnd);

export type TerminalEvent =
  | TerminalInput
  | { readonly type: 'QUOTED'; readonly quote: Quote }
  | ({ readonly type: 'DELETION_REFUSED'; readonly sessionId: string; readonly problem: Problem } & Pick<
      Choice,
      'documents'
    >)
  | { readonly type: 'REFUSED_HERE'; readonly sessionId: string }
  /** A file of theirs is a document in the service by now. */
  | { readonly type: 'BROUGHT'; readonly sessionId: string }
  | { readonly type: 'WALKED_AWAY' }
  | { readonly type: 'TOO_LONG' }
  /** All that was wanted has ended. */
  | { readonly type: 'ALL_ENDED'; readonly sessionId: string }
  | { readonly type: 'STOP' };
