/** What is said to the terminal machine: by the person in front, the readers, the service and the desk. */
import type { Secret } from '../core/secret.ts';
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Wanted } from '../domain/document-changes.ts';
import type { TypedCredentials } from '../domain/login.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { DocumentEnd, DocumentStage } from '../release/session-progress.ts';

/** What a person picked of a list. */
export interface Picked {
  /** Of the view with that list: what an older one showed is not meant any more (D2, I3). */
  readonly generation: number;
  readonly documentUuids: readonly string[];
}

/** What a person said of one document. */
export interface Said {
  /** As with `Picked`. */
  readonly generation: number;
  readonly documentUuid: string;
}

/** How a person wants one document printed. */
export type Changed = Said & Wanted;

/** Who somebody says they are, in answer to a view (D2, I3); so with the PIN of a badge and with its enrolment. */
export interface TypedLogin {
  readonly generation: number;
  readonly credentials: TypedCredentials;
}

export interface TypedPin {
  readonly generation: number;
  readonly pin: Secret;
}

export interface TypedEnrolment {
  readonly generation: number;
  readonly userName: string;
  /** Or the one-time password. */
  readonly password: Secret;
}

export type TerminalEvent =
  | { readonly type: 'CARD'; readonly card: CardNumber }
  /** A badge whose number cannot be brought into the form the service knows. */
  | { readonly type: 'CARD_UNREADABLE'; readonly problem: Problem }
  /** The service is told of a badge instead of a login here; and what came of that. */
  | { readonly type: 'CARD_RELAYED' }
  | { readonly type: 'RELAY_ENDED'; readonly generation: number; readonly notice: Notice }
  /** Down: none of the readers can be read, where there are some. */
  | { readonly type: 'READERS'; readonly state: 'up' | 'down' }
  | { readonly type: 'AUTHORIZED' }
  | { readonly type: 'UNAUTHORIZED' }
  | { readonly type: 'CLOUD_UP' }
  | { readonly type: 'CLOUD_DOWN' }
  | { readonly type: 'QUOTED'; readonly quote: Quote }
  | ({ readonly type: 'RELEASE' } & Picked)
  | ({ readonly type: 'DELETE' } & Picked)
  | ({ readonly type: 'CHANGE' } & Changed)
  | { readonly type: 'DELETION_REFUSED'; readonly sessionId: string; readonly problem: Problem }
  | ({ readonly type: 'PRINT_AGAIN' } & Said)
  | ({ readonly type: 'IT_IS_THERE' } & Said)
  | { readonly type: 'LOGOUT'; readonly generation: number }
  /** A chip card was taken out of its reader. */
  | { readonly type: 'CARD_REMOVED'; readonly card: CardNumber }
  | ({ readonly type: 'LOG_IN' } & TypedLogin)
  | ({ readonly type: 'PIN' } & TypedPin)
  | ({ readonly type: 'ENROL' } & TypedEnrolment)
  /** Somebody touches keys or screen. */
  | { readonly type: 'ACTIVITY'; readonly generation: number }
  | { readonly type: 'QUEUED'; readonly sessionId: string; readonly before: number }
  /** A document of the session came on: a stage further, octets, a page. */
  | { readonly type: 'PROGRESS'; readonly sessionId: string }
  | { readonly type: 'WALKED_AWAY' }
  | { readonly type: 'TOO_LONG' }
  | { readonly type: 'STAGES'; readonly sessionId: string; readonly stages: readonly DocumentStage[] }
  | ({ readonly type: 'RELEASE_ENDED'; readonly sessionId: string } & DocumentEnd)
  /** All that was wanted has ended. */
  | { readonly type: 'ALL_ENDED'; readonly sessionId: string }
  | { readonly type: 'STOP' };
