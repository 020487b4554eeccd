/**
 * The events of a terminal. `TerminalInput` has all events from outside. Events in capitals come from inside: from the
 * desk, and from the machine itself.
 */
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';
import type { DocumentEnd, DocumentStage } from './session-progress.ts';
import type { ServiceState } from './context.ts';
import type { Choice } from './given.ts';

export type TerminalInput = PersonsWord | BadgeNews | ServiceNews | ReaderNews | ReleaseNews;

type BadgeNews =
  | { readonly type: 'card'; readonly card: CardNumber }
  /**
   * The number cannot be converted to the form that the service knows. The screen says so, and an open session ends.
   */
  | { readonly type: 'card-unreadable'; readonly problem: Problem }
  /** A chip card was taken out of its reader. The session or login of exactly this card ends. */
  | { readonly type: 'card-removed'; readonly card: CardNumber }
  /**
   * The service is told of a badge instead of a login here, and an open session ends. `relay-ended` brings the result.
   */
  | { readonly type: 'card-relayed' }
  | { readonly type: 'relay-ended'; readonly generation: number; readonly notice: Notice };

type ServiceNews =
  /** Whether the device may act for this terminal. */
  | { readonly type: 'authorized' }
  | { readonly type: 'unauthorized' }
  /** This gateway no longer serves the terminal. */
  | { readonly type: 'hold-lost' }
  /** The result of the last call. While the service is not up, the screen says so; badges are still accepted. */
  | { readonly type: 'service'; readonly state: ServiceState };

/** `down`: there are readers, and none of them can be read. */
interface ReaderNews {
  readonly type: 'readers';
  readonly state: 'up' | 'down';
}

type ReleaseNews =
  /** The number of other people's documents that come first. */
  | { readonly type: 'QUEUED'; readonly sessionId: string; readonly before: number }
  /** A printer cannot do everything that was asked for with a document of this session. */
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
  /** A file of the person has become a document in the service. */
  | { readonly type: 'BROUGHT'; readonly sessionId: string }
  | { readonly type: 'WALKED_AWAY' }
  | { readonly type: 'TOO_LONG' }
  /** Everything that was wanted has ended. */
  | { readonly type: 'ALL_ENDED'; readonly sessionId: string }
  | { readonly type: 'STOP' };
