/**
 * What the terminal machine is made of: its actors (given by `terminal-service.ts`), actions and guards. The states are
 * in `terminal.ts`, the events in `terminal-events.ts`, the context in `terminal-context.ts`.
 */
import { assign, cancel, fromCallback, fromPromise, raise, sendTo, setup } from 'xstate';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Document } from '../domain/document.ts';
import type { TypedWay } from '../domain/login.ts';
import { noticeOf, refusalNotice } from '../domain/terminal/notice.ts';
import { isProblem, isUnsettled } from '../domain/problem/problem.ts';
import { serviceFailure } from '../domain/problem/service-failure.ts';
import type { Credentials } from '../domain/user.ts';
import { isNothingLeft, listAfter } from './renewed-list.ts';
import { doubtfulOf, pickedOf, wantedOf } from './session-list.ts';
import type { Changed, Picked, Said, TerminalEvent } from './events.ts';
import type { DocumentEnd, DocumentStage } from '../release/session-progress.ts';
import { noticeOfEnd, withEnd, withStages, withWishes } from '../release/session-progress.ts';
import type { Doubtful, Sorted } from './sorted-documents.ts';
import type { Choice, Look, Quoted, Session, SessionEnd, TerminalContext, Wish, Wishes } from './context.ts';
import { required } from './context.ts';
import { terminalDelays } from './delays.ts';
import {
  lastWord,
  looked,
  lookingAgain,
  notRegistered,
  perhapsRegistered,
  pinRefused,
  registered,
} from './notices.ts';

/** By the service, or in its stead by the lock-out: no word on which, nor why (T09). */
export const isRefusedBadge = ({ card }: TerminalContext, error: unknown): boolean =>
  card !== undefined && isProblem(error, 'login-refused', 'login-locked');

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const terminalSetup = setup({
  types: {
    context: {} as TerminalContext,
    events: {} as TerminalEvent,
  },
  actors: {
    login: fromPromise<Session, { credentials: Credentials }>(notProvided),
    /** The badge becomes the badge of the session's user. */
    enrolCard: fromPromise<void, { session: Session; card: CardNumber }>(notProvided),
    list: fromPromise<Sorted, { session: Session }>(notProvided),
    /** The same again; what is owed to the service is left alone. */
    look: fromPromise<Sorted, Look>(notProvided),
    /** Sends QUOTED for one document after the other, as long as the service says what they cost. */
    quote: fromCallback<TerminalEvent, Quoted>(() => {}),
  },
  actions: {
    tellCardIgnored: () => {},
    tellNotOffered: (_, _params: { way: TypedWay }) => {},
    tellListFailed: (_, _params: { error: unknown }) => {},
    tellSessionOpened: (_, _params: { session: Session }) => {},
    /** Also when there was no session: then nothing is told. */
    tellSessionClosed: (_, _params: { session: Session | undefined; reason: SessionEnd }) => {},
    /** The session ends after `logoutTimeout` from now, if nothing happens. */
    tellCountdown: () => {},
    startCountdown: raise({ type: 'WALKED_AWAY' }, { id: 'countdown', delay: 'logoutTimeout' }),
    stopCountdown: cancel('countdown'),
    /** Whatever state it is in by then. */
    limitSession: raise({ type: 'TOO_LONG' }, { id: 'limit', delay: 'longestSession' }),
    liftLimit: cancel('limit'),
    /** A person's words that fit nothing here: another session's, said twice, or of documents that are not there. */
    tellIgnored: () => {},
    /** So many of a choice cannot be released. */
    tellLeftOut: (_, _params: { count: number }) => {},
    /** Hands one ticket a document to the release desk. */
    release: (_, _params: Wishes) => {},
    /** The person found the pages: that is recorded, and the document finished with as after a completed release. */
    confirm: (_, _params: { session: Session; found: Doubtful }) => {},
    /** Deletes in the cloud. */
    discard: (_, _params: Choice) => {},
    wish: assign((_, { wishes }: { wishes: readonly Wish[] }) => ({ wishes })),
    wishAll: assign(({ context }) => ({
      wantsAll: true,
      wishes: wantedOf(context).map((document) => ({ document })),
    })),
    /** What was handed over is in the list no more. */
    noteHandedOver: assign(({ context: { wishes, releasing, progress, documents, notice } }) => {
      const handed = wishes.map(({ document }) => document);
      const isLeft = ({ uuid }: Document) => !handed.some((one) => one.uuid === uuid);
      return {
        wishes: [],
        quotes: [],
        // What was met before is tried again, and told anew if it is met again.
        notice: progress.some(({ code }) => code === notice?.code) ? undefined : notice,
        releasing: [...releasing, ...handed],
        progress: withWishes(progress, handed),
        documents: {
          ...documents,
          releasable: documents.releasable.filter(isLeft),
          doubtful: documents.doubtful.filter(({ document }) => isLeft(document)),
        },
      };
    }),
    noteDiscarded: assign(({ context: { documents, dealtWith } }, { documents: gone }: Choice) => ({
      quotes: [],
      dealtWith: new Set([...dealtWith, ...gone.map(({ uuid }) => uuid)]),
      documents: {
        ...documents,
        releasable: documents.releasable.filter(({ uuid }) => !gone.some((one) => one.uuid === uuid)),
      },
    })),
    /** Its costs are asked for anew. */
    noteChange: (_, _changed: Changed) => {},
    noteFound: assign(({ context: { documents, dealtWith } }, { found }: { found: Doubtful }) => ({
      dealtWith: new Set([...dealtWith, found.document.uuid]),
      documents: {
        ...documents,
        doubtful: documents.doubtful.filter(({ releaseId }) => releaseId !== found.releaseId),
      },
    })),
    askForLook: assign({ isLookAskedFor: true, notice: lookingAgain }),
    endLook: assign({ isLookAskedFor: false }),
    noteLook: assign(({ context }, documents: Sorted) => {
      const { arrived, ...renewed } = listAfter(context, documents);
      return { ...renewed, isLookAskedFor: false, notice: looked(context, arrived) };
    }),
    noteStages: assign(({ context }, { stages }: { stages: readonly DocumentStage[] }) => ({
      progress: withStages(context.progress, stages),
    })),
    noteEnd: assign(({ context: { releasing, progress, notice } }, end: DocumentEnd) => ({
      releasing: releasing.filter(({ uuid }) => uuid !== end.documentUuid),
      progress: withEnd(progress, end),
      notice: noticeOfEnd(end) ?? notice,
    })),
    sayAllEnded: sendTo(
      ({ self }) => self,
      ({ context }) => ({ type: 'ALL_ENDED', sessionId: required(context.session, 'session').id }),
    ),
    noteLastWord: assign(({ context }) => ({ notice: lastWord(context) })),
    noteApology: assign((_, { error }: { error: unknown }) => ({
      notice: noticeOf(serviceFailure(error)),
    })),
    /** What was said to who left by themselves is for nobody else. */
    endBy: assign(({ context }, { reason }: { reason: SessionEnd }) => ({
      end: reason,
      card: undefined,
      notice: reason === 'logout' || reason === 'timeout' ? undefined : context.notice,
    })),
    takeCard: assign(({ context }, { card }: { card: CardNumber }) => ({
      card,
      pinTries: 0,
      notice: undefined,
      generation: context.generation + 1,
    })),
    takeCredentials: assign(({ context }, { credentials }: { credentials: Credentials }) => ({
      credentials,
      notice: undefined,
      generation: context.generation + 1,
    })),
    /** The call has its answer, or is given up. */
    endCall: assign({ credentials: undefined, isSlow: false }),
    openSession: assign(({ context }, { session }: { session: Session }) => ({
      session,
      generation: context.generation + 1,
    })),
    noteRelay: assign({ isRelayed: true, notice: undefined }),
    notePinRefusal: assign(({ context: { pinTries } }) => ({
      pinTries: pinTries + 1,
      notice: pinRefused(pinTries + 1),
    })),
    noteRefusal: assign({ notice: refusalNotice }),
    noteNotRegistered: assign(({ context: { notice } }) => ({
      notice: notice && { ...notice, sentence: `${notice.sentence} Your card was not registered.` },
    })),
    takeCardOver: assign(({ context: { session, card } }) => ({
      session: { ...required(session, 'session'), card: required(card, 'card') },
      notice: registered,
    })),
    /** It is still nobody's, as far as is known. */
    giveCardUp: assign((_, { error }: { error: unknown }) => ({
      card: undefined,
      notice: isUnsettled(error) ? perhapsRegistered : notRegistered,
    })),
  },
  guards: {
    autoRelease: () => false,
    asksPin: () => false,
    /** Somebody can answer what is shown: at a page of their own, or at the prompt. */
    canBeAsked: () => false,
    /** In answer to what is shown. */
    isOffered: (_, _typed: { generation: number; way: TypedWay }) => false,
    /** Wrong, or of a badge that is locked out, or of one that nobody knows: all the same to whoever holds it (T09). */
    isRefusedPin: ({ context: { credentials } }, { error }: { error: unknown }) =>
      credentials?.kind === 'card' &&
      credentials.password !== undefined &&
      isProblem(error, 'login-refused', 'login-locked'),
    offersEnrolment: () => false,
    /** A badge was refused, where a sign-in may make it somebody's. */
    leadsToEnrolment: (_, _params: { error: unknown }) => false,
    /** There is something to ask about, and nothing to print before that. */
    asksOnly: ({ context: { documents } }) =>
      documents.releasable.length === 0 && documents.doubtful.length > 0,
    offersNothing: ({ context: { documents } }) => documents.releasable.length === 0,
    offersSomething: ({ context: { documents } }) => documents.releasable.length > 0,
    wantsAll: ({ context }) => context.wantsAll,
    awaitsFirst: ({ context }) => context.awaitsFirst,
    /** With its end the session has nothing more to wait for. */
    isLastOfAll: ({ context }, { sessionId }: { sessionId: string }) =>
      sessionId === context.session?.id && context.wantsAll && context.releasing.length === 1,
    /** Later ones show what became of the first, and that is not printed again by itself. */
    isFirstList: ({ context }) => context.progress.length === 0,
    /** Nothing was wanted since. */
    isOver: ({ context }, { sessionId }: { sessionId: string }) =>
      sessionId === context.session?.id && context.releasing.length === 0,
    /** Nothing goes before it. */
    mayLook: () => false,
    isLookAskedFor: ({ context }) => context.isLookAskedFor,
    isSameCardAndNothingLeft: ({ context }, { card }: { card: CardNumber }) =>
      card.equals(context.card) && isNothingLeft(context.documents),
    isWithdrawn: ({ context }) => !context.authorized,
    picksSome: ({ context }, picked: Picked) => pickedOf(context, picked).length > 0,
    /** In answer to what is shown, and offered there. */
    mayChange: (_, _changed: Changed) => false,
    isDoubtful: ({ context }, said: Said) => doubtfulOf(context, said) !== undefined,
    isShown: ({ context }, { generation }: { generation: number }) => generation === context.generation,
    isOwn: ({ context }, { sessionId }: { sessionId: string }) => sessionId === context.session?.id,
    isSameCard: ({ context }, { card }: { card: CardNumber }) => card.equals(context.card),
    isSameCardAndReleasable: ({ context }, { card }: { card: CardNumber }) =>
      card.equals(context.card) && wantedOf(context).length > 0,
  },
  delays: terminalDelays,
});
