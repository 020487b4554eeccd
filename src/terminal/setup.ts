/**
 * The parts of the terminal's machine that several of its states share: the calls as actors, the actions, the guards,
 * and the table of the delays. The states are in `machine.ts`. What a single state needs stands in that state. Actions
 * that go together are arrays in `endings.ts`. XState's `enqueueActions` would make its actions anew each time, and warn
 * of that within an action of another machine.
 */
import { assign, cancel, fromCallback, fromPromise, raise, setup } from 'xstate';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { TypedWay } from '../domain/login.ts';
import { serviceFailure } from '../domain/problem/service-failure.ts';
import { noticeOf, refusalNotice } from '../domain/terminal/notice.ts';
import type { Credentials } from '../domain/user.ts';
import type { SessionEnd, TerminalContext } from './context.ts';
import { longestSession } from './endings.ts';
import type { TerminalEvent } from './events.ts';
import type { Calls, Given, Session, Sorted } from './given.ts';
import { isNothingLeft } from './list.ts';
import type { Altered, FoundAccount } from './person/account-context.ts';
import { withDefaults } from './person/defaults.ts';

/** How long "all done" stands if the person does not touch the screen. Never longer than the normal countdown. */
const longestReading = seconds(8);
const readingTime = ({ given }: TerminalContext): Duration =>
  milliseconds(Math.min(longestReading, given.settings().logoutTimeout));

/** When the session ends if nothing more happens. */
const endAfter = (span: Duration, { given, latestEnd }: TerminalContext) => ({
  endsAt: Math.min(given.clock.monotonic() + span, latestEnd),
});

/** The input of a call: what it is about, and the object that makes it. */
type To<Call extends keyof Calls> = Parameters<Calls[Call]>[0] & Pick<Given, 'calls'>;

export const terminalSetup = setup({
  types: {
    context: {} as TerminalContext,
    events: {} as TerminalEvent,
    input: {} as Given,
  },
  actors: {
    login: fromPromise<Session, To<'login'>>(({ input, signal }) => input.calls.login(input, { signal })),
    registerCard: fromPromise<void, To<'registerCard'>>(({ input, signal }) =>
      input.calls.registerCard(input, { signal }),
    ),
    list: fromPromise<Sorted, To<'list'>>(({ input, signal }) => input.calls.list(input, { signal })),
    look: fromPromise<Sorted, To<'look'>>(({ input, signal }) => input.calls.look(input, { signal })),
    readAccount: fromPromise<FoundAccount, To<'readAccount'>>(({ input, signal }) =>
      input.calls.readAccount(input, { signal }),
    ),
    prove: fromPromise<void, To<'prove'>>(({ input, signal }) => input.calls.prove(input, { signal })),
    alterAccount: fromPromise<Altered, To<'alterAccount'>>(({ input }) => input.calls.alterAccount(input)),
    quote: fromCallback<TerminalEvent, To<'quote'>>(({ input, sendBack }) =>
      input.calls.quote(input, (quote) => sendBack({ type: 'QUOTED', quote })),
    ),
  },
  actions: {
    note: assign((_, facts: Partial<TerminalContext>) => facts),

    tellCardIgnored: ({ context, event }) =>
      context.given.ignoreCard(event.type === 'card' ? event.card : undefined),
    tellNotOffered: ({ context }, { way }: { way: TypedWay }) =>
      context.given.log.warn('login failed', {
        code: 'login-refused',
        way,
        detail: 'not offered at this terminal',
      }),
    /** Words of a person that fit nothing here: of another session, said twice, or about documents that are gone. */
    tellIgnored: ({ context }) => context.given.log.warn('choice ignored'),

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
    /** A notice for a person who left on their own must not be shown to another person. */
    endBy: assign(({ context }, { reason }: { reason: SessionEnd }) => ({
      end: reason,
      card: undefined,
      notice: reason === 'logout' || reason === 'timeout' ? undefined : context.notice,
    })),

    noteEnd: assign(({ context }) => endAfter(context.given.settings().logoutTimeout, context)),
    startCountdown: raise({ type: 'WALKED_AWAY' }, { id: 'countdown', delay: 'logoutTimeout' }),
    noteNearEnd: assign(({ context }) => endAfter(readingTime(context), context)),
    endSoon: raise({ type: 'WALKED_AWAY' }, { id: 'countdown', delay: 'readingTime' }),
    stopCountdown: cancel('countdown'),
    /** Applies in every state. */
    limitSession: raise({ type: 'TOO_LONG' }, { id: 'limit', delay: 'longestSession' }),

    noteSlow: assign({ isSlow: true }),
    /** The call has its answer, or is given up. */
    endCall: assign({ credentials: undefined, isSlow: false }),
    apologise: assign((_, { error }: { error: unknown }) => ({ notice: noticeOf(serviceFailure(error)) })),
    noteRefusal: assign({ notice: refusalNotice }),
    forgetNotice: assign({ notice: undefined }),

    wantSome: assign({ wantsAll: false, awaitsFirst: false }),
    /** Applies the defaults that are kept with the badge now. */
    applyDefaults: assign(({ context }) => withDefaults(context)),
  },
  guards: {
    asksPin: ({ context }) => context.given.settings().login.cardPin,
    isWithdrawn: ({ context }) => !context.authorized,
    /** The word answers the view that is shown. */
    isShown: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    /** For the open session, not for an earlier one. */
    isOwn: ({ context, event }) => 'sessionId' in event && event.sessionId === context.session?.id,
    isSameCard: ({ context, event }) =>
      (event.type === 'card' || event.type === 'card-removed') && event.card.equals(context.card),
  },
  delays: {
    /**
     * The session ends after this time without a sign of the person or a document that comes on. Each terminal has its
     * own value.
     */
    logoutTimeout: ({ context }) => context.given.settings().logoutTimeout,
    readingTime: ({ context }) => readingTime(context),
    /** No session is longer, whether it prints or not. */
    longestSession,
    /** How long a person waits before they are told why. */
    patience: 2_000,
    /** A badge without its PIN is forgotten after this time. */
    pinTime: 30_000,
    /** An unknown badge is forgotten after this time if no person signs in with it. */
    enrolTime: 60_000,
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
