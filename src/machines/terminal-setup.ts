/**
 * What the terminal machine is made of: its context, events, actors (given by `terminal-service.ts`), and the table
 * of its delays. The states are in `terminal.ts`.
 */
import { assign, fromCallback, fromPromise, setup } from 'xstate';
import type { Quote } from '../domain/balance.ts';
import { fittingOf } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
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

/** A document whose last release may have printed it; what becomes of it, only a person says (B.1). */
export interface Doubtful {
  readonly document: Document;
  /** That release, and when it ended (ISO 8601, UTC), where the ledger still knows. */
  readonly releaseId: string;
  readonly at: string | undefined;
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

/** The user's documents by what may happen to them without a further word. */
export interface Sorted {
  readonly releasable: readonly Document[];
  /** Perhaps printed already: left alone until the person says more. */
  readonly doubtful: readonly Doubtful[];
  /** Left alone: being printed, printed for certain, or not to be had at the moment. */
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
  /** All that may be released is to be, and then the session is over. */
  readonly wantsAll: boolean;
  /** To be handed to the desk. */
  readonly wishes: readonly Wish[];
  /** Documents of this session whose release has not ended. */
  readonly releasing: readonly string[];
  /** So many documents of others come before the next one of this session. */
  readonly before: number;
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
  /** A badge whose number cannot be brought into the form the service knows. */
  | { readonly type: 'CARD_UNREADABLE'; readonly problem: Problem }
  | { readonly type: 'AUTHORIZED' }
  | { readonly type: 'UNAUTHORIZED' }
  | { readonly type: 'CLOUD_UP' }
  | { readonly type: 'CLOUD_DOWN' }
  | { readonly type: 'QUOTED'; readonly quote: Quote }
  | ({ readonly type: 'RELEASE' } & Picked)
  | ({ readonly type: 'PRINT_AGAIN' } & Said)
  | ({ readonly type: 'IT_IS_THERE' } & Said)
  | { readonly type: 'LOGOUT'; readonly generation: number }
  | { readonly type: 'QUEUED'; readonly sessionId: string; readonly before: number }
  | {
      readonly type: 'RELEASE_ENDED';
      readonly sessionId: string;
      readonly documentUuid: string;
      /** Why the document did not come out for certain. */
      readonly problem: Problem | undefined;
    }
  | { readonly type: 'STOP' };

export const noDocuments: Sorted = { releasable: [], doubtful: [], others: [], mayBeMore: false };

/** What the second badge asks for: all that may be released, but for what was quoted as too dear. */
export function wantedOf({
  documents,
  quotes,
}: Pick<TerminalContext, 'documents' | 'quotes'>): readonly Document[] {
  const costs = fittingOf(quotes)?.costs ?? [];
  return documents.releasable.filter((_, index) => costs[index]?.fits ?? true);
}

/** Those that may be released, in the order of the list. */
export const pickedOf = ({ generation, documents }: TerminalContext, picked: Picked): readonly Document[] =>
  picked.generation === generation
    ? documents.releasable.filter(({ uuid }) => picked.documentUuids.includes(uuid))
    : [];

/** The document that was spoken of, while nobody knows whether it was printed. */
export const doubtfulOf = ({ generation, documents }: TerminalContext, said: Said): Doubtful | undefined =>
  said.generation === generation
    ? documents.doubtful.find(({ document }) => document.uuid === said.documentUuid)
    : undefined;

/** How many are left alone, and why; nothing where there are none. */
export function doubtSentence({ doubtful }: Sorted): string | undefined {
  if (doubtful.length === 0) return undefined;
  return doubtful.length === 1
    ? 'One document may have been printed already and was left alone. Please look at the tray.'
    : `${doubtful.length} documents may have been printed already and were left alone. Please look at the tray.`;
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
    /** A person's words that fit nothing here: another session's, said twice, or of documents that are not there. */
    tellIgnored: () => {},
    /** So many of a choice cannot be released. */
    tellLeftOut: (_, _params: { count: number }) => {},
    /** Hands one ticket a document to the release desk. */
    release: (_, _params: Wishes) => {},
    /** The person found the pages: that is recorded, and the document finished with as after a completed release. */
    confirm: (_, _params: { session: Session; found: Doubtful }) => {},
    wish: assign((_, { wishes }: { wishes: readonly Wish[] }) => ({ wishes })),
    wishAll: assign(({ context }) => ({
      wantsAll: true,
      wishes: wantedOf(context).map((document) => ({ document })),
    })),
    /** What was handed over is in the list no more. */
    noteHandedOver: assign(({ context: { wishes, releasing, documents } }) => {
      const handed = wishes.map(({ document }) => document.uuid);
      const isLeft = ({ uuid }: Document) => !handed.includes(uuid);
      return {
        wishes: [],
        quotes: [],
        releasing: [...releasing, ...handed],
        documents: {
          ...documents,
          releasable: documents.releasable.filter(isLeft),
          doubtful: documents.doubtful.filter(({ document }) => isLeft(document)),
        },
      };
    }),
    noteFound: assign(({ context: { documents } }, { found }: { found: Doubtful }) => ({
      documents: { ...documents, doubtful: documents.doubtful.filter((one) => one !== found) },
    })),
    noteDoubts: assign(({ context: { notice, documents } }) => ({
      notice: notice ?? doubtSentence(documents),
    })),
    noteApology: assign((_, { error }: { error: unknown }) => ({
      notice: asProblem(error, 'cloud-protocol', 'the call failed').person,
    })),
    endBy: assign((_, { reason }: { reason: SessionEnd }) => ({ end: reason, card: undefined })),
    takeCard: assign((_, { card }: { card: CardNumber }) => ({ card, notice: undefined })),
  },
  guards: {
    autoRelease: () => false,
    picksSome: ({ context }, picked: Picked) => pickedOf(context, picked).length > 0,
    isDoubtful: ({ context }, said: Said) => doubtfulOf(context, said) !== undefined,
    isShown: ({ context }, { generation }: { generation: number }) => generation === context.generation,
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

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the terminal has no ${name} here`);
  return value;
}
