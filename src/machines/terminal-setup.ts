/**
 * What the terminal machine is made of: its context, events, actors (given by `terminal-service.ts`), and the table
 * of its delays. The states are in `terminal.ts`.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { CardNumber } from '../domain/card.ts';
import type { Document } from '../domain/document.ts';
import { asProblem } from '../domain/problem.ts';
import type { Login } from '../domain/user.ts';

export type SessionEnd = 'released' | 'badge' | 'logout' | 'timeout' | 'stopped' | 'error';

export interface Session {
  readonly id: string;
  readonly card: CardNumber;
  readonly login: Login;
}

/** The user's documents by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Left alone: perhaps printed already, being printed, or not to be had at the moment. */
  readonly others: readonly Document[];
}

export interface TerminalContext {
  readonly authorized: boolean;
  /** Counts sessions; everything shown carries it (D2, I3). */
  readonly generation: number;
  /** The badge that is being, or is to be, logged in. */
  readonly card: CardNumber | undefined;
  readonly session: Session | undefined;
  readonly documents: Sorted;
  /** The badge was held a second time while the list was still on its way. */
  readonly wantsAll: boolean;
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly string[];
  readonly end: SessionEnd;
  /** A sentence for the person who was just turned away. */
  readonly notice: string | undefined;
}

export type TerminalEvent =
  | { readonly type: 'CARD'; readonly card: CardNumber }
  | { readonly type: 'AUTHORIZED' }
  | { readonly type: 'UNAUTHORIZED' }
  | { readonly type: 'RELEASE_ENDED'; readonly sessionId: string; readonly documentUuid: string }
  | { readonly type: 'STOP' };

export const noDocuments: Sorted = { releasable: [], others: [] };

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const terminalSetup = setup({
  types: {
    context: {} as TerminalContext,
    events: {} as TerminalEvent,
  },
  actors: {
    login: fromPromise<Session, { card: CardNumber }>(notProvided),
    list: fromPromise<Sorted, { session: Session }>(notProvided),
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
    release: (_, _params: { session: Session; documents: readonly Document[] }) => {},
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
      card.equals(context.card) && context.documents.releasable.length > 0,
  },
  delays: {
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
