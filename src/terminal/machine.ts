/**
 * One terminal's conversation with the person in front of it. It may end at any moment without losing or stopping a
 * print, because releases live at the desk. The first badge opens the session, and the same badge again releases
 * everything; with autoRelease the first badge does both. The parts of the machine come first, then its states.
 * `login.ts` has the states of a login, and `registration.ts` those of an unknown badge. `relay.ts` has those of a
 * badge that the service is told of. `session.ts` has the words of a person at the list. `runner.ts` acts for the
 * machine.
 */
import type { SnapshotFrom } from 'xstate';
import { and, assign, cancel, fromCallback, fromPromise, raise, sendTo, setup } from 'xstate';
import { minutes, seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { Quote } from '../domain/balance.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { TypedWay } from '../domain/login.ts';
import { serviceFailure } from '../domain/problem/service-failure.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { noticeOf, refusalNotice } from '../domain/terminal/notice.ts';
import type * as word from '../domain/terminal/persons-word.ts';
import type { Credentials } from '../domain/user.ts';
import type { DocumentEnd, DocumentStage } from '../release/session-progress.ts';
import { withStages } from '../release/session-progress.ts';
import type {
  Choice,
  Doubtful,
  Look,
  Quoted,
  Session,
  SessionEnd,
  Sorted,
  TerminalContext,
  Wish,
  Wishes,
} from './context.ts';
import { atFirst, nobody } from './context.ts';
import { endBy, isOwn, sameCard } from './endings.ts';
import type { TerminalEvent } from './events.ts';
import {
  afterDealingWith,
  afterEnd,
  allWished,
  doubtfulOf,
  freshList,
  handedOver,
  isAllDone,
  isNothingLeft,
  listAfter,
  missingWish,
  pickedOf,
  refusedHere,
  releasedOf,
  staleList,
  wantedOf,
} from './list.ts';
import { askingPin, authenticating, begins, isRefusedPin, logsIn } from './login.ts';
import * as say from './notices.ts';
import * as own from './person/account.ts';
import type { Altered } from './person/account-calls.ts';
import type { Deed, FoundAccount } from './person/account-context.ts';
import { mayKeep } from './person/defaults.ts';
import type { LookedAt } from './person/preview.ts';
import { wordsOutOfPlace } from './person/words.ts';
import {
  enrolling,
  registering,
  signingIn,
  withCard,
  withoutCard,
  withoutRegistration,
} from './registration.ts';
import { relaying, relays } from './relay.ts';
import { choosing, listed, listing, releasing, speaks } from './session.ts';

/** INVARIANTS.md B.4, 10. */
export const longestSession = minutes(10);

/** How long "all done" stands if the person does not touch the screen. */
export const longestReading = seconds(8);

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

const terminalSetup = setup({
  types: {
    context: {} as TerminalContext,
    events: {} as TerminalEvent,
  },
  actors: {
    login: fromPromise<Session, { credentials: Credentials }>(notProvided),
    /** The badge becomes the badge of the session's user. */
    registerCard: fromPromise<void, { session: Session; card: CardNumber }>(notProvided),
    list: fromPromise<Sorted, { session: Session }>(notProvided),
    /** As `list`, but leaves debts to the service alone. */
    look: fromPromise<Sorted, Look>(notProvided),
    readAccount: fromPromise<FoundAccount, { session: Session }>(notProvided),
    /** Rejects if the credentials belong to another person than the session. */
    prove: fromPromise<void, { session: Session; credentials: Credentials }>(notProvided),
    alterAccount: fromPromise<Altered, { session: Session; deed: Deed }>(notProvided),
    /** Sends QUOTED for one document after the other, as long as the service tells the costs. */
    quote: fromCallback<TerminalEvent, Quoted>(() => {}),
  },
  actions: {
    tellCardIgnored: () => {},
    tellNotOffered: (_, _params: { way: TypedWay }) => {},
    tellListFailed: (_, _params: { error: unknown }) => {},
    tellSessionOpened: (_, _params: { session: Session }) => {},
    /** Also called without a session; then it tells nothing. */
    tellSessionClosed: (_, _params: { session: Session | undefined; reason: SessionEnd }) => {},
    /** The session ends after `logoutTimeout` from now, if nothing happens. */
    tellCountdown: () => {},
    startCountdown: raise({ type: 'WALKED_AWAY' }, { id: 'countdown', delay: 'logoutTimeout' }),
    /** As the countdown, when all is done. */
    tellEndSoon: () => {},
    endSoon: raise({ type: 'WALKED_AWAY' }, { id: 'countdown', delay: 'readingTime' }),
    stopCountdown: cancel('countdown'),
    /** Applies in every state. */
    limitSession: raise({ type: 'TOO_LONG' }, { id: 'limit', delay: 'longestSession' }),
    liftLimit: cancel('limit'),
    /** Words of a person that fit nothing here: of another session, said twice, or about documents that are gone. */
    tellIgnored: () => {},
    /** `count` documents of a choice cannot be released. */
    tellLeftOut: (_, _params: { count: number }) => {},
    /** Hands one ticket per document to the release desk. */
    release: (_, _params: Wishes) => {},
    /** The person found the pages. That is recorded, and the document is finished as after a completed release. */
    confirm: (_, _params: { session: Session; found: Doubtful }) => {},
    lookAt: (_, _params: LookedAt) => {},
    lookAway: () => {},
    useStick: (_, _said: word.StickWord) => {},
    /** Deletes in the cloud. */
    discard: (_, _params: Choice) => {},
    /** Kept with the badge of the session. */
    rememberLanguage: (_, _params: word.Said<'language'>) => {},
    noteLanguage: assign((_, { language }: word.Said<'language'>) => ({ language })),
    noteList: assign((_, documents: Sorted) => freshList(documents)),
    noteStale: assign(({ context }) => staleList(context)),
    noteRefusedHere: assign(({ context }) => refusedHere(context)),
    noteQuote: assign(({ context }, { quote }: { quote: Quote }) => ({ quotes: [...context.quotes, quote] })),
    noteBefore: assign((_, { before }: { before: number }) => ({ before })),
    wantAll: assign({ wantsAll: true }),
    wantSome: assign({ wantsAll: false, awaitsFirst: false }),
    awaitFirst: assign({ awaitsFirst: true }),
    wish: assign((_, { wishes }: { wishes: readonly Wish[] }) => ({ wishes })),
    wishAll: assign(({ context }) => allWished(context)),
    noteHandedOver: assign(({ context }) => handedOver(context)),
    /** The documents were not deleted. */
    takeBack: assign(({ context: { returned, dealtWith } }, { documents }: Pick<Choice, 'documents'>) => ({
      returned: [...returned, ...documents],
      dealtWith: new Set([...dealtWith].filter((gone) => !documents.some(({ uuid }) => uuid === gone))),
    })),
    noteDiscarded: assign(({ context }, { documents }: Choice) => ({
      quotes: [],
      ...afterDealingWith(context, documents),
    })),
    /** The costs of the document must be asked for anew. */
    noteChange: (_, _changed: word.Said<'change'>) => {},
    pickPrinter: assign((_, { printer }: word.Said<'printer'>) => ({ printer, quotes: [] })),
    openAccount: assign({ account: own.opened, awaitsFirst: false, notice: undefined }),
    closeAccount: assign({ account: undefined }),
    noteAccount: assign(({ context }, found: FoundAccount) => own.withFound(context, found)),
    noteDeed: assign(({ context }, { deed }: { deed: Deed | undefined }) => own.withDeed(context, deed)),
    takeProof: assign((_, said: { credentials: Credentials }) => ({ ...said, notice: undefined })),
    noteProven: assign(({ context: { session } }) => ({
      session: { ...required(session, 'session'), isProven: true as const },
    })),
    noteAltered: assign(({ context }, altered: Altered) => own.withAltered(context, altered)),
    noteUnaltered: assign(({ context }, { error }: { error: unknown }) => own.afterRefusal(context, error)),
    /** Applies the defaults that are kept with the badge now. */
    applyDefaults: () => {},
    keepDefaults: (_, _params: word.Said<'keep-defaults'>) => {},
    forgetDefaults: () => {},
    noteFound: assign(({ context }, { found }: { found: Doubtful }) =>
      afterDealingWith(context, [found.document]),
    ),
    askForLook: assign({ isLookAskedFor: true, notice: say.lookingAgain }),
    endLook: assign({ isLookAskedFor: false }),
    noteLook: assign(({ context }, documents: Sorted) => {
      const { arrived, ...renewed } = listAfter(context, documents);
      return {
        ...renewed,
        list: 'fresh' as const,
        returned: [],
        isLookAskedFor: false,
        notice: say.looked(context, arrived),
      };
    }),
    noteStages: assign(({ context }, { stages }: { stages: readonly DocumentStage[] }) => ({
      progress: withStages(context.progress, stages),
    })),
    noteEnd: assign(({ context }, end: DocumentEnd) => afterEnd(context, end)),
    sayAllEnded: sendTo(
      ({ self }) => self,
      ({ context }) => ({ type: 'ALL_ENDED', sessionId: required(context.session, 'session').id }),
    ),
    noteLastWord: assign(({ context }) => ({ notice: say.lastWord(context) })),
    noteNotice: assign((_, { notice }: { notice: Notice }) => ({ notice })),
    noteNotAsAsked: assign({ notice: say.notAsAsked }),
    forgetNotice: assign({ notice: undefined }),
    noteApology: assign((_, { error }: { error: unknown }) => ({ notice: noticeOf(serviceFailure(error)) })),
    /** A notice for a person who left on their own must not be shown to another person. */
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
    forgetCard: assign({ card: undefined }),
    takeCredentials: assign(({ context }, { credentials }: { credentials: Credentials }) => ({
      credentials,
      notice: undefined,
      generation: context.generation + 1,
    })),
    noteSlow: assign({ isSlow: true }),
    /** The call has its answer, or is given up. */
    endCall: assign({ credentials: undefined, isSlow: false }),
    openSession: assign(({ context }, { session }: { session: Session }) => ({
      session,
      generation: context.generation + 1,
    })),
    noteRelay: assign({ isRelayed: true, notice: undefined }),
    beginRelay: assign({ isRelayed: false }),
    notePinRefusal: assign(({ context: { pinTries } }) => ({
      pinTries: pinTries + 1,
      notice: say.pinRefused(pinTries + 1),
    })),
    noteRefusal: assign({ notice: refusalNotice }),
    noteNotRegistered: assign(({ context }) => withoutRegistration(context)),
    takeCardOver: assign(({ context }) => withCard(context)),
    giveCardUp: assign((_, { error }: { error: unknown }) => withoutCard(error)),
  },
  guards: {
    autoRelease: () => false,
    asksPin: () => false,
    /** A person can answer the terminal's questions: at its page, or at the prompt. */
    canBeAsked: () => false,
    /** The word answers the view that is shown. */
    isOffered: (_, _typed: { generation: number; way: TypedWay }) => false,
    isRefusedPin: ({ context }, { error }: { error: unknown }) => isRefusedPin(context, error),
    offersNoEnrolment: () => true,
    /** A badge was refused, and a sign-in may give it an owner. */
    leadsToEnrolment: (_, _params: { error: unknown }) => false,
    /** There is something to ask about, and nothing to print before that. */
    asksOnly: ({ context: { documents } }) =>
      documents.releasable.length === 0 && documents.doubtful.length > 0,
    offersNothing: ({ context: { documents } }) => documents.releasable.length === 0,
    offersSomething: ({ context: { documents } }) => documents.releasable.length > 0,
    wantsAll: ({ context }) => context.wantsAll,
    awaitsFirst: ({ context }) => context.awaitsFirst,
    isAllDone: ({ context }) => isAllDone(context),
    hasList: ({ context }) => context.list !== 'none',
    /** No release is under way, and none is wanted. */
    isNothingReleasing: ({ context }) => context.releasing.length === 0 && !context.wantsAll,
    /** When this release ends, the session has nothing more to wait for. */
    isLastOfAll: ({ context }, { sessionId }: { sessionId: string }) =>
      sessionId === context.session?.id && context.wantsAll && context.releasing.length === 1,
    /** A later list shows the result of the first, and that is not printed again by itself. */
    isFirstList: ({ context }) => context.progress.length === 0,
    /** Nothing was wanted since. */
    isOver: ({ context }, { sessionId }: { sessionId: string }) =>
      sessionId === context.session?.id && context.releasing.length === 0,
    /** Nothing else comes first. */
    mayLook: () => false,
    isLookAskedFor: ({ context }) => context.isLookAskedFor,
    isWithdrawn: ({ context }) => !context.authorized,
    picksSome: ({ context }, picked: word.Said<'release'>) => pickedOf(context, picked).length > 0,
    mayLookAt: (_, _said: word.Said<'preview'>) => false,
    mayUseStick: (_, _said: word.StickWord) => false,
    mayPick: (_, _said: word.Said<'printer'>) => false,
    /** This printer cannot print now, and another one can. */
    offersStandIn: () => false,
    /** The word answers the view that is shown, and the view offers the change. */
    mayChange: (_, _changed: word.Said<'change'>) => false,
    mayRelease: ({ context }, picked: word.Said<'release'>) => releasedOf(context, picked).length > 0,
    mayRepeat: ({ context }, said: word.Said<'print-again'>) =>
      !context.documents.isRefusedHere && doubtfulOf(context, said) !== undefined,
    isRefusedHere: ({ context }) => context.documents.isRefusedHere === true,
    mayKeep: ({ context }, said: { readonly generation: number }) => mayKeep(context, said),
    mayOpenAccount: (_, _said: { readonly generation: number }) => false,
    /** The word answers the view that is shown, and the view offers the deed. */
    mayAlter: (_, _said: word.AccountDeed) => false,
    isMissing: ({ context }, said: word.Said<'print-missing'>) => missingWish(context, said) !== undefined,
    isDoubtful: ({ context }, said: word.Said<'print-again'>) => doubtfulOf(context, said) !== undefined,
    isShown: ({ context }, { generation }: { generation: number }) => generation === context.generation,
    isOfSession: ({ context }, { generation }: { generation: number }) =>
      context.session !== undefined && generation === context.generation,
    isOwn: ({ context }, { sessionId }: { sessionId: string }) => sessionId === context.session?.id,
    isSameCard: ({ context }, { card }: { card: CardNumber }) => card.equals(context.card),
    isSameCardAndReleasable: ({ context }, { card }: { card: CardNumber }) =>
      card.equals(context.card) && wantedOf(context).length > 0,
    isSameCardAndNothingLeft: ({ context }, { card }: { card: CardNumber }) =>
      card.equals(context.card) && isNothingLeft(context.documents),
  },
  delays: {
    /** How long a person waits before they are told why. */
    patience: 2_000,
    /** A badge without its PIN is forgotten after this time. */
    pinTime: 30_000,
    /** An unknown badge is forgotten after this time if no person signs in with it. */
    enrolTime: 60_000,
    /**
     * The session ends after this time without a sign of the person or a document that comes on. Each terminal has its
     * own value.
     */
    logoutTimeout: 60_000,
    readingTime: longestReading,
    /** No session is longer, whether it prints or not. */
    longestSession,
    /** A person at an empty list has probably just sent a document. */
    untilNextLook: ({ context: { documents, list } }) =>
      isNothingLeft(documents) || list === 'stale' ? 5_000 : 10_000,
    /** With autoRelease and an empty list: time to read that, and for two more looks at the list. */
    firstDocuments: 12_000,
    /** The card to be registered must be held within this time. */
    cardTime: 20_000,
    /** How long an apology stays. */
    noticeTime: 8_000,
    /** Longer than the calls' own deadlines, as a way out of a call that never settles. */
    callLimit: 30_000,
  },
});

/** A person who ended this session by a badge waits to be served. */
const hasNext = ({ context }: { context: TerminalContext }) =>
  context.card !== undefined && context.authorized;

const apologyFades = { noticeTime: { actions: 'forgetNotice' } } as const;

export const terminalMachine = terminalSetup.createMachine({
  id: 'terminal',
  context: atFirst,
  initial: 'outOfService',
  on: {
    authorized: { actions: assign({ authorized: true }) },
    unauthorized: { actions: assign({ authorized: false }) },
    // Another gateway may serve the terminal from now on. Wishes go on, and the conversation is over.
    'hold-lost': { target: '.leaving', actions: [assign({ authorized: false }), endBy('stopped')] },
    service: [
      // The notice about the absent service goes when the service is back.
      {
        guard: ({ context, event }) => context.cloud === 'down' && event.state !== 'down',
        actions: assign({ cloud: ({ event }) => event.state, notice: undefined }),
      },
      { actions: assign({ cloud: ({ event }) => event.state }) },
    ],
    readers: { actions: assign({ readers: ({ event }) => event.state }) },
    'card-relayed': relays,
    STOP: { target: '.leaving', actions: [assign({ isEnding: true }), endBy('stopped')] },
    TOO_LONG: { target: '.leaving', actions: endBy('timeout') },
    // The badge of another person, even if its owner is not known.
    'card-unreadable': {
      target: '.leaving',
      actions: [{ type: 'noteApology', params: ({ event }) => ({ error: event.problem }) }, endBy('badge')],
    },
    // As if the owner had pressed the button.
    'card-removed': { guard: sameCard, target: '.leaving', actions: endBy('logout') },
    ...wordsOutOfPlace,
    language: speaks,
    REFUSED_HERE: { guard: isOwn, actions: 'noteRefusedHere' },
  },
  states: {
    outOfService: {
      description: 'Nobody can be logged in: the service has not authorized this device, or no longer does.',
      // A badge that ended a session does not begin the next one.
      entry: 'forgetCard',
      always: { guard: ({ context }) => context.authorized, target: 'prompting' },
      on: {
        card: { actions: 'tellCardIgnored' },
        'card-unreadable': { actions: 'tellCardIgnored' },
      },
      after: apologyFades,
    },

    prompting: {
      description: 'The terminal waits for a badge.',
      always: { guard: 'isWithdrawn', target: 'outOfService' },
      on: { card: begins, 'log-in': logsIn },
      after: apologyFades,
    },

    askingPin,
    authenticating,
    enrolling,
    signingIn,
    registering,
    relaying,
    listing,
    listed,
    choosing,
    releasing,
    account: own.account,

    leaving: {
      description: 'Platen drops the data of the person before it greets another person (I3).',
      entry: [
        {
          type: 'tellSessionClosed',
          params: ({ context }) => ({ session: context.session, reason: context.end }),
        },
        assign(({ context }) => ({ ...nobody, generation: context.generation + 1 })),
        'stopCountdown',
        'liftLimit',
      ],
      always: [
        { guard: ({ context }) => context.isEnding, target: 'stopped' },
        { guard: ({ context }) => context.isRelayed, target: 'relaying' },
        { guard: and([hasNext, 'asksPin']), target: 'askingPin' },
        { guard: hasNext, target: 'authenticating' },
        { guard: ({ context }) => context.authorized, target: 'prompting' },
        { target: 'outOfService' },
      ],
    },

    stopped: { type: 'final', description: 'The agent ends; no badge is taken any more.' },
  },
});

export type TerminalSnapshot = SnapshotFrom<typeof terminalMachine>;

/** The state of a terminal in one word. Other files need not know the states within it. */
export const stateOf = ({ value }: Pick<TerminalSnapshot, 'value'>): string =>
  typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
