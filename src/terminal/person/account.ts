/**
 * The screen of a person's own account, as states of `machine.ts`. The account is read when the screen opens, and
 * forgotten when it closes. Reading needs only the session. A change needs a session that was opened by a password, or
 * by a badge with its PIN; other people first type their password. A word names a card by its place in the shown list,
 * so that a word said twice drops no second card (D2).
 */
import { assign } from 'xstate';
import { required } from '../../core/required.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Notice } from '../../domain/terminal/notice.ts';
import { noticeOf } from '../../domain/terminal/notice.ts';
import type { AccountDeed } from '../../domain/terminal/persons-word.ts';
import type { TerminalContext } from '../context.ts';
import type { In, Told } from '../endings.ts';
import {
  apologise,
  beginsCountdown,
  endBy,
  leaves,
  logsOut,
  nextPerson,
  notes,
  ofSession,
  staysOn,
  timesOut,
} from '../endings.ts';
import { cardNotDropped, cardsMissing } from '../notices.ts';
import { terminalSetup } from '../setup.ts';
import { comeBack } from '../wishes.ts';
import type { Deed } from './account-context.ts';
import { CardOfAnother, CardsMissing, CardsNotKept, nothingFound } from './account-context.ts';
import { speaksOn } from './language.ts';

/** The deed that this word asks for, if the screen offers it. */
function deedOf({ context, event: said }: Told<AccountDeed>): Deed | undefined {
  const { given, generation, account: its, session } = context;
  const cards = its?.found?.cards;
  if (said.generation !== generation || given.settings().account !== 'full' || !cards) return undefined;
  if (said.type === 'drop-card' && said.edition !== its.edition) return undefined;
  const deed = wantedDeed(said, cards);
  // A person who drops the card in their hand would be locked out.
  if (deed?.kind === 'drop' && deed.card.equals(session?.card)) return undefined;
  return deed && !its.denied.includes(deed.kind) ? deed : undefined;
}

function wantedDeed(said: AccountDeed, cards: readonly CardNumber[]): Deed | undefined {
  if (said.type === 'register-card') return { kind: 'register' };
  if (said.type === 'new-short-id') return { kind: 'short-id' };
  const card = cards[said.card];
  return card && { kind: 'drop', card };
}

const withDeed = ({ account: its }: TerminalContext, deed: Deed | undefined) => ({
  account: { ...(its ?? nothingFound), deed, shortId: undefined },
});

/** A deed that the service refuses by permission is not offered again. */
function afterRefusal(
  { account: its = nothingFound }: TerminalContext,
  error: unknown,
): Pick<TerminalContext, 'account' | 'notice'> {
  const { deed, denied } = its;
  const isDenied = deed && isProblem(error, 'cloud-denied');
  return {
    account: { ...its, deed: undefined, denied: isDenied ? [...denied, deed.kind] : denied },
    notice: noticeAfter(error),
  };
}

function noticeAfter(error: unknown): Notice {
  if (error instanceof CardsMissing) return cardsMissing;
  return error instanceof CardsNotKept ? cardNotDropped : noticeOf(serviceFailure(error));
}

const forgetDeed = notes(({ context }: In) => withDeed(context, undefined));

const alters = {
  guard: (told: Told<AccountDeed>): boolean => deedOf(told) !== undefined,
  target: 'asked',
  actions: [notes((told: Told<AccountDeed>) => withDeed(told.context, deedOf(told))), ...beginsCountdown],
} as const;

const stepsBack = { guard: 'isShown', target: 'open', actions: [forgetDeed, ...beginsCountdown] } as const;

const takesCard = {
  card: {
    target: 'altering',
    actions: [
      notes(({ context, event: { card } }: Told<{ readonly card: CardNumber }>) =>
        withDeed(context, { kind: 'register', card }),
      ),
      ...beginsCountdown,
    ],
  },
  'card-unreadable': {
    target: 'open',
    actions: [
      {
        type: 'apologise',
        params: ({ event }: { event: { problem: Problem } }) => ({ error: event.problem }),
      },
      forgetDeed,
    ],
  },
  'step-back': stepsBack,
} as const;

const noAnswer = () => new Problem('cloud-unreachable', 'no answer', { delivery: 'perhaps' });
const tellNoAnswer = { type: 'apologise', params: () => ({ error: noAnswer() }) } as const;

export const account = terminalSetup.createStateConfig({
  initial: 'reading',
  entry: [assign({ account: nothingFound, awaitsFirst: false, notice: undefined }), ...beginsCountdown],
  exit: [assign({ account: undefined }), 'stopCountdown', 'forgetNotice'],
  on: {
    card: [{ ...leaves, guard: 'isSameCard' }, nextPerson],
    'log-out': logsOut,
    // The list is still open and is renewed as any other. Closing the account is no word to print.
    'close-account': {
      guard: 'isShown',
      target: '#terminal.choosing.looking',
      actions: beginsCountdown,
    },
    // Documents that the service did not delete are on the list again.
    DELETION_REFUSED: { guard: 'isOwn', actions: comeBack },
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: timesOut,
  },
  states: {
    reading: {
      description: 'The service is asked for it.',
      invoke: {
        src: 'readAccount',
        input: ofSession,
        onDone: {
          target: 'open',
          actions: assign(({ context: { account: its = nothingFound }, event: { output: found } }) => ({
            account: { ...its, found, edition: its.edition + 1, denied: found.denied },
          })),
        },
        onError: { target: 'open', actions: apologise },
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: { target: 'open', actions: tellNoAnswer },
      },
      exit: 'endCall',
    },
    open: {
      description: 'It is on the screen.',
      on: { 'drop-card': alters, 'register-card': alters, 'new-short-id': alters },
      after: { noticeTime: { actions: 'forgetNotice' } },
    },
    proving: {
      description: 'A badge alone changes nothing: their password is waited for.',
      on: {
        prove: {
          guard: 'isShown',
          target: 'checking',
          actions: assign(({ context: { session }, event: { password } }) => ({
            credentials: {
              kind: 'password' as const,
              userName: required(session, 'session').login.user.userName,
              password,
            },
            notice: undefined,
          })),
        },
        'step-back': stepsBack,
      },
    },
    checking: {
      description: 'The service is asked whether that is who they are.',
      invoke: {
        src: 'prove',
        input: (at) => ({
          ...ofSession(at),
          credentials: required(at.context.credentials, 'credentials'),
        }),
        onDone: {
          target: 'asked',
          actions: [
            assign(({ context: { session } }) => ({
              session: { ...required(session, 'session'), isProven: true as const },
            })),
            ...beginsCountdown,
          ],
        },
        onError: [
          {
            guard: ({ event }) => isProblem(event.error, 'login-refused'),
            target: 'proving',
            actions: apologise,
          },
          { target: 'open', actions: [apologise, forgetDeed] },
        ],
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: { target: 'open', actions: [tellNoAnswer, forgetDeed] },
      },
      exit: 'endCall',
    },
    asked: {
      always: [
        { guard: ({ context }) => context.session?.isProven !== true, target: 'proving' },
        {
          guard: ({ context: { account: its } }) => its?.deed?.kind === 'register' && !its.deed.card,
          target: 'awaitingCard',
        },
        { target: 'altering' },
      ],
    },
    awaitingCard: {
      description: 'The card that is to be theirs, too, is to be held to the reader.',
      on: { ...takesCard, 'card-removed': { guard: 'isSameCard', target: 'awaitingInstead' } },
      after: { cardTime: { target: 'open', actions: forgetDeed } },
    },
    awaitingInstead: {
      description:
        'Theirs was taken off its reader, to make room; without the other one the session is over.',
      on: takesCard,
      after: { cardTime: { ...timesOut, target: '#terminal.leaving' } },
    },
    altering: {
      description: 'The service is told.',
      on: { card: [{ guard: 'isSameCard' }, { ...nextPerson, target: '#terminal.leaving' }] },
      invoke: {
        src: 'alterAccount',
        input: (at) => ({ ...ofSession(at), deed: required(at.context.account?.deed, 'deed') }),
        onDone: {
          target: 'reading',
          actions: assign(({ context: { account: its }, event: { output } }) => ({
            account: { ...(its ?? nothingFound), deed: undefined, shortId: output.shortId },
            notice: output.notice,
          })),
        },
        onError: [
          {
            guard: ({ event }) => event.error instanceof CardOfAnother,
            target: '#terminal.leaving',
            actions: [
              endBy('badge'),
              {
                type: 'takeCard',
                params: ({ event: { error } }) => ({
                  card: required(error instanceof CardOfAnother ? error.card : undefined, 'card'),
                }),
              },
            ],
          },
          { target: 'reading', actions: assign(({ context, event }) => afterRefusal(context, event.error)) },
        ],
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: {
          target: 'reading',
          actions: assign(({ context }) => afterRefusal(context, noAnswer())),
        },
      },
      exit: 'endCall',
    },
  },
});
