/**
 * The screen of a person's own account, as states of `machine.ts`. The account is read when the screen opens, and
 * forgotten when it closes. Reading needs only the session. A change needs a session that was opened by a password, or
 * by a badge with its PIN; other people first type their password. A word names a card by its place in the shown list,
 * so that a word said twice drops no second card (D2).
 */
import { required } from '../../core/required.ts';
import type { Secret } from '../../core/secret.ts';
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
  asSaid,
  beginsCountdown,
  endBy,
  errorOf,
  isOwn,
  isShown,
  leaves,
  logsOut,
  nextPerson,
  sameCard,
  timesOut,
} from '../endings.ts';
import { cardNotDropped, cardsMissing } from '../notices.ts';
import { comeBack, sessionOf, speaksOn, staysOn } from '../session.ts';
import type { Altered } from './account-calls.ts';
import type { AccountContext, AccountOffer, Deed, FoundAccount } from './account-context.ts';
import { CardOfAnother, CardsMissing, CardsNotKept, nothingFound } from './account-context.ts';

/** The deed that this word asks for, if the screen offers it. */
export function deedOf(
  { generation, account, session }: TerminalContext,
  said: AccountDeed,
  offer: AccountOffer,
): Deed | undefined {
  const cards = account?.found?.cards;
  if (said.generation !== generation || offer !== 'full' || !account || !cards) return undefined;
  if (said.type === 'drop-card' && said.edition !== account.edition) return undefined;
  const deed = wantedDeed(said, cards);
  // A person who drops the card in their hand would be locked out.
  if (deed?.kind === 'drop' && deed.card.equals(session?.card)) return undefined;
  return deed && !account.denied.includes(deed.kind) ? deed : undefined;
}

function wantedDeed(said: AccountDeed, cards: readonly CardNumber[]): Deed | undefined {
  if (said.type === 'register-card') return { kind: 'register' };
  if (said.type === 'new-short-id') return { kind: 'short-id' };
  const card = cards[said.card];
  return card && { kind: 'drop', card };
}

type Changed = Pick<TerminalContext, 'account'>;

export const opened: AccountContext = nothingFound;

export const withDeed = ({ account }: TerminalContext, deed: Deed | undefined): Changed => ({
  account: { ...(account ?? nothingFound), deed, shortId: undefined },
});

export const withFound = ({ account = nothingFound }: TerminalContext, found: FoundAccount): Changed => ({
  account: { ...account, found, edition: account.edition + 1, denied: found.denied },
});

export const withAltered = ({ account }: TerminalContext, { notice, shortId }: Altered) => ({
  account: { ...(account ?? nothingFound), deed: undefined, shortId },
  notice,
});

/** A deed that the service refuses by permission is not offered again. */
export function afterRefusal(
  { account = nothingFound }: TerminalContext,
  error: unknown,
): Pick<TerminalContext, 'account' | 'notice'> {
  const { deed, denied } = account;
  const isDenied = deed && isProblem(error, 'cloud-denied');
  return {
    account: { ...account, deed: undefined, denied: isDenied ? [...denied, deed.kind] : denied },
    notice: noticeAfter(error),
  };
}

function noticeAfter(error: unknown): Notice {
  if (error instanceof CardsMissing) return cardsMissing;
  return error instanceof CardsNotKept ? cardNotDropped : noticeOf(serviceFailure(error));
}

const isCardWanted = ({ account: its }: TerminalContext): boolean =>
  its?.deed?.kind === 'register' && !its.deed.card;

const forgetDeed = { type: 'noteDeed', params: { deed: undefined } } as const;
const newCard = ({ event }: { event: { card: CardNumber } }) => ({
  deed: { kind: 'register' as const, card: event.card },
});

const alters = {
  guard: { type: 'mayAlter', params: asSaid<AccountDeed> },
  target: 'asked',
  actions: [
    {
      type: 'noteDeed',
      params: ({ context, event }: Told<AccountDeed>) => ({ deed: deedOf(context, event, 'full') }),
    },
    ...beginsCountdown,
  ],
} as const;

const stepsBack = { guard: isShown, target: 'open', actions: [forgetDeed, ...beginsCountdown] } as const;

const takesCard = {
  card: { target: 'altering', actions: [{ type: 'noteDeed', params: newCard }, ...beginsCountdown] },
  'card-unreadable': {
    target: 'open',
    actions: [
      {
        type: 'noteApology',
        params: ({ event }: { event: { problem: Problem } }) => ({ error: event.problem }),
      },
      forgetDeed,
    ],
  },
  'step-back': stepsBack,
} as const;

const noAnswer = () => ({ error: new Problem('cloud-unreachable', 'no answer', { delivery: 'perhaps' }) });

const withPassword = ({ context, event }: Told<{ readonly password: Secret }>) => ({
  credentials: {
    kind: 'password' as const,
    userName: required(context.session, 'session').login.user.userName,
    password: event.password,
  },
});

const foundBy = ({ event }: { event: { output: FoundAccount } }) => event.output;
const alteredBy = ({ event }: { event: { output: Altered } }) => event.output;
const isOfAnother = ({ event }: { event: { error: unknown } }): boolean =>
  event.error instanceof CardOfAnother;
const itsCard = ({ event: { error } }: { event: { error: unknown } }) => ({
  card: required(error instanceof CardOfAnother ? error.card : undefined, 'card'),
});

export const account = {
  description: 'The person looks at their own account.',
  initial: 'reading',
  entry: ['openAccount', ...beginsCountdown],
  exit: ['closeAccount', 'stopCountdown', 'forgetNotice'],
  on: {
    card: [{ ...leaves, guard: sameCard }, nextPerson],
    'log-out': logsOut,
    // The list is still open and is renewed as any other. Closing the account is no word to print.
    'close-account': { guard: isShown, target: '#terminal.choosing.looking', actions: beginsCountdown },
    // Documents that the service did not delete are on the list again.
    DELETION_REFUSED: { guard: isOwn, actions: comeBack },
    language: speaksOn,
    'still-there': staysOn,
    WALKED_AWAY: timesOut,
  },
  states: {
    reading: {
      description: 'The service is asked for it.',
      invoke: {
        src: 'readAccount',
        input: sessionOf,
        onDone: { target: 'open', actions: { type: 'noteAccount', params: foundBy } },
        onError: { target: 'open', actions: apologise },
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: { target: 'open', actions: { type: 'noteApology', params: noAnswer } },
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
          guard: isShown,
          target: 'checking',
          actions: { type: 'takeProof', params: withPassword },
        },
        'step-back': stepsBack,
      },
    },
    checking: {
      description: 'The service is asked whether that is who they are.',
      invoke: {
        src: 'prove',
        input: ({ context }: In) => ({
          session: required(context.session, 'session'),
          credentials: required(context.credentials, 'credentials'),
        }),
        onDone: { target: 'asked', actions: ['noteProven', ...beginsCountdown] },
        onError: [
          {
            guard: ({ event }: { event: { error: unknown } }) => isProblem(event.error, 'login-refused'),
            target: 'proving',
            actions: apologise,
          },
          { target: 'open', actions: [apologise, forgetDeed] },
        ],
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: { target: 'open', actions: [{ type: 'noteApology', params: noAnswer }, forgetDeed] },
      },
      exit: 'endCall',
    },
    asked: {
      always: [
        { guard: ({ context }: In) => context.session?.isProven !== true, target: 'proving' },
        { guard: ({ context }: In) => isCardWanted(context), target: 'awaitingCard' },
        { target: 'altering' },
      ],
    },
    awaitingCard: {
      description: 'The card that is to be theirs, too, is to be held to the reader.',
      on: { ...takesCard, 'card-removed': { guard: sameCard, target: 'awaitingInstead' } },
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
      on: { card: [{ guard: sameCard }, { ...nextPerson, target: '#terminal.leaving' }] },
      invoke: {
        src: 'alterAccount',
        input: ({ context }: In) => ({
          session: required(context.session, 'session'),
          deed: required(context.account?.deed, 'deed'),
        }),
        onDone: { target: 'reading', actions: { type: 'noteAltered', params: alteredBy } },
        onError: [
          {
            guard: isOfAnother,
            target: '#terminal.leaving',
            actions: [endBy('badge'), { type: 'takeCard', params: itsCard }],
          },
          { target: 'reading', actions: [{ type: 'noteUnaltered', params: errorOf }] },
        ],
      },
      after: {
        patience: { actions: 'noteSlow' },
        callLimit: { target: 'reading', actions: { type: 'noteUnaltered', params: noAnswer } },
      },
      exit: 'endCall',
    },
  },
} as const;
