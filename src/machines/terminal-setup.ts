/**
 * What the terminal machine is made of: its context, events, actors (given by `terminal-service.ts`), and the table
 * of its delays. The states are in `terminal.ts`.
 */
import { assign, fromCallback, fromPromise, setup } from 'xstate';
import type { Quote } from '../domain/balance.ts';
import { fittingOf } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card.ts';
import type { Document } from '../domain/document.ts';
import type { Problem } from '../domain/problem.ts';
import { asProblem } from '../domain/problem.ts';
import type { Login } from '../domain/user.ts';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

export interface Session {
  readonly id: string;
  readonly card: CardNumber;
  readonly login: Login;
}

/** Documents in the order they would be printed. */
export interface Choice {
  readonly session: Session;
  readonly documents: readonly Document[];
}

/** The user's documents by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Left alone: perhaps printed already, being printed, or not to be had at the moment. */
  readonly others: readonly Document[];
  /** The list was full; the person may find more of them elsewhere. */
  readonly mayBeMore: boolean;
}

export interface TerminalContext {
  readonly authorized: boolean;
  /** Counts sessions; everything shown carries it (D2, I3). */
  readonly generation: number;
  /** The badge that is being, or is to be, logged in. */
  readonly card: CardNumber | undefined;
  readonly session: Session | undefined;
  readonly documents: Sorted;
  /** Of the first documents that may be released, in their order; none where prints are not charged. */
  readonly quotes: readonly Quote[];
  /** The badge was held a second time while the list was still on its way. */
  readonly wantsAll: boolean;
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly string[];
  readonly end: SessionEnd;
  /** A sentence for the person who was just turned away, or did not get all that was wanted. */
  readonly notice: string | undefined;
  /** What the last call of the agent found. */
  readonly cloud: 'up' | 'down';
  /** The call that the person waits for takes longer than is decent. */
  readonly isSlow: boolean;
}

export type TerminalEvent =
  | { readonly type: 'CARD'; readonly card: CardNumber }
  | { readonly type: 'AUTHORIZED' }
  | { readonly type: 'UNAUTHORIZED' }
  | { readonly type: 'CLOUD_UP' }
  | { readonly type: 'CLOUD_DOWN' }
  | { readonly type: 'QUOTED'; readonly quote: Quote }
  | {
      readonly type: 'RELEASE_ENDED';
      readonly sessionId: string;
      readonly documentUuid: string;
      /** Why the document did not come out for certain. */
      readonly problem: Problem | undefined;
    }
  | { readonly type: 'STOP' };

export const noDocuments: Sorted = { releasable: [], others: [], mayBeMore: false };

/** What the second badge asks for: all that may be released, but for what was quoted as too dear. */
export function wantedOf({
  documents,
  quotes,
}: Pick<TerminalContext, 'documents' | 'quotes'>): readonly Document[] {
  const costs = fittingOf(quotes)?.costs ?? [];
  return documents.releasable.filter((_, index) => costs[index]?.fits ?? true);
}

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const terminalSetup = setup({
  types: {
    context: {} as TerminalContext,
    events: {} as TerminalEvent,
  },
  actors: {
    login: fromPromise<Session, { card: CardNumber }>(notProvided),
    list: fromPromise<Sorted, { session: Session }>(notProvided),
    /** Sends QUOTED for one document after the other, as long as the service says what they cost. */
    quote: fromCallback<TerminalEvent, Choice>(() => {}),
  },
  actions: {
    tellReady: () => {},
    tellCardIgnored: () => {},
    tellLoginFailed: (_, _params: { error: unknown }) => {},
    tellListFailed: (_, _params: { error: unknown }) => {},
    tellSessionOpened: (_, _params: { session: Session }) => {},
    /** Also when there was no session: then nothing is told. */
    tellSessionClosed: (_, _params: { session: Session | undefined; reason: SessionEnd }) => {},
    /** Hands one ticket a document to the release desk. */
    release: (_, _params: Choice) => {},
    noteApology: assign((_, { error }: { error: unknown }) => ({
      notice: asProblem(error, 'cloud-protocol', 'the call failed').person,
    })),
    endBy: assign((_, { reason }: { reason: SessionEnd }) => ({ end: reason, card: undefined })),
    takeCard: assign((_, { card }: { card: CardNumber }) => ({ card, notice: undefined })),
  },
  guards: {
    autoRelease: () => false,
    isSameCard: ({ context }, { card }: { card: CardNumber }) => card.equals(context.card),
    isSameCardAndReleasable: ({ context }, { card }: { card: CardNumber }) =>
      card.equals(context.card) && wantedOf(context).length > 0,
  },
  delays: {
    /** So long a person waits without being told why. */
    patience: 2_000,
    /** Without a further badge the session ends. */
    logoutTimeout: 60_000,
    /** No session is longer, printing or not. */
    longestSession: 600_000,
    /** How long an apology stays. */
    noticeTime: 8_000,
    /** Above the calls' own deadlines: the way out of a call that never settles. */
    callLimit: 30_000,
  },
});
