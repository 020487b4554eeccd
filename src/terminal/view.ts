/**
 * The view of a terminal in each of its states: a sentence for everyone, and for the person in front their own facts,
 * in the language they read.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { LoginOffer } from '../domain/login.ts';
import type {
  BalanceView,
  DocumentProgress,
  OutageView,
  SignView,
  TerminalView,
} from '../domain/terminal/terminal-view.ts';
import { away, slow, stateSentence } from '../domain/terminal/public-words.ts';
import type { ChangeOffers } from './documents-view.ts';
import { documentsOf, doubtsOf } from './documents-view.ts';
import type { TerminalContext } from './context.ts';
import {
  doubtNotice,
  elsewhereSentence,
  moreInPortal,
  noticesOf,
  onlyArrived,
  queued,
  staleNotice,
  underOtherName,
} from './notices.ts';
import { isAllDone, wantedOf } from './list.ts';
import type { AccountOffer } from './person/account-context.ts';
import { accountViewOf } from './person/account-view.ts';
import type { Panels } from './person/panels.ts';
import { panelsOf } from './person/panels.ts';
import { balanceOf, fittingSentence } from './person/balance-view.ts';
import type { PrintersAtHand } from './printers/at-hand.ts';
import { printerOf } from './printers/at-hand.ts';
import { chosenOf, printersOf } from './printers/printers-view.ts';
import { troubleOf, troubleSentence } from './trouble.ts';
import type { TerminalSnapshot } from './machine.ts';
import { stateOf } from './machine.ts';

/** The states in which the person is known and sees their own documents. */
const isAtHome = (state: string): boolean => state === 'choosing' || state === 'releasing';
const accountState = 'account';

const asks: Readonly<Record<string, TerminalView['asks']>> = { askingPin: 'pin', enrolling: 'enrollment' };

/** The surroundings of a terminal at a moment. */
export interface Surroundings {
  /** Why people cannot be served; absent if they can. */
  readonly outage: OutageView | undefined;
  readonly sign?: SignView;
  readonly currency?: string | undefined;
}

interface Beside extends Surroundings, Panels {
  /** The time that is left of the countdown, if it runs. */
  readonly untilEnd: Duration;
  /** The logins that may be typed, if any, and the time after which an idle person counts as gone. */
  readonly offer: LoginOffer;
  readonly logoutTimeout: Duration;
  /** The changes that may be offered for documents. */
  readonly offers: ChangeOffers;
  readonly askAbovePages: number;
  readonly account: AccountOffer;
  readonly printers: PrintersAtHand;
  /** The language of the person in front. */
  readonly language: string | undefined;
}

export function viewOf(
  snapshot: TerminalSnapshot,
  {
    untilEnd,
    offer,
    logoutTimeout,
    offers,
    askAbovePages,
    account,
    printers,
    outage,
    sign,
    currency,
    language,
    ...beside
  }: Beside,
): TerminalView {
  const { context } = snapshot;
  const value = stateOf(snapshot);
  const asked = asks[value];
  const [notice] = noticesOf(value, context);
  const balance = value === 'choosing' ? balanceOf(context) : undefined;
  const chosen = printerOf(printers, context).view();
  const trouble = troubleOf(value, context, chosen);
  const standing = stateSentence({
    state: value,
    offers: offer.ways,
    ...(context.readers === 'down' && { readers: context.readers }),
    ...(outage && { outage }),
  });
  return {
    generation: context.generation,
    state: value,
    sentence: saysNoMore(value, context)
      ? standing
      : (sentenceWithTrouble(value, context, trouble && troubleSentence(trouble, chosen)) ??
        sentenceWithNotice(value, context, { balance, standing })),
    waiting: value === 'releasing' ? context.releasing.length : context.documents.releasable.length,
    ...(notice && value !== accountState ? { notice } : {}),
    ...(context.readers === 'down' ? { readers: 'down' as const } : {}),
    ...printersOf(printers),
    ...(sign === undefined ? {} : { sign }),
    ...(currency === undefined ? {} : { currency }),
    ...(value === 'outOfService' && outage ? { outage } : {}),
    ...(language === undefined ? {} : { language }),
    ...(value === 'prompting' && offer.ways.length > 0
      ? { offers: offer.ways, typingSeconds: inSeconds(logoutTimeout) }
      : {}),
    ...(asked === undefined ? {} : { asks: asked }),
    ...(isAtHome(value)
      ? ownersView(context, {
          untilEnd,
          stick: beside.stick,
          offers: value === 'choosing' ? offers : { ...offers, can: undefined },
        })
      : {}),
    ...(value === 'choosing' ? choosersView(context, { askAbovePages, account, ...beside }) : {}),
    ...(value === accountState ? accountOf(snapshot, { untilEnd, offer: account, notice }) : {}),
    ...(isAtHome(value) ? chosenOf(context, printers) : {}),
    ...(trouble ? { trouble } : {}),
    ...(context.progress.length > 0 ? { progress: context.progress } : {}),
    ...(balance ? { balance } : {}),
  };
}

const accountOf = (
  { context, value }: TerminalSnapshot,
  { untilEnd, ...beside }: Pick<Beside, 'untilEnd'> & Omit<Parameters<typeof accountViewOf>[1], 'state'>,
) => ({
  ...personOf(context, untilEnd),
  account: accountViewOf(context, { state: innerStateOf(value), ...beside }),
});

const innerStateOf = (value: TerminalSnapshot['value']): string =>
  typeof value === 'string' ? '' : String(Object.values(value)[0]);

const personOf = (context: TerminalContext, untilEnd: Duration) => ({
  endsInSeconds: Math.max(0, Math.ceil(inSeconds(untilEnd))),
  fullName: required(context.session, 'session').login.user.fullName,
});

const ownersView = (
  context: TerminalContext,
  { untilEnd, offers, stick }: Pick<Beside, 'untilEnd' | 'offers' | 'stick'>,
) => ({
  ...personOf(context, untilEnd),
  // Shown also while pages come out, so that the person does not forget the stick.
  ...(stick && { stick }),
  documents: documentsOf(context, offers),
  ...(context.documents.doubtful.length > 0 && { mayHavePrinted: doubtsOf(context) }),
  ...(context.documents.isRefusedHere && { notHere: true as const }),
});

const choosersView = (
  context: TerminalContext,
  { askAbovePages, account, ...panels }: Pick<Beside, 'askAbovePages' | 'account'> & Panels,
) => ({
  askAbovePages,
  ...defaultsOf(context),
  ...panelsOf(panels),
  ...(account === 'off' ? {} : { offersAccount: true as const }),
});

const defaultsOf = ({ session, defaults }: TerminalContext): Pick<TerminalView, 'defaults'> =>
  session?.card ? { defaults: defaults ? { kept: defaults } : {} } : {};

/** The state's own sentence is enough. A new notice and an absent service are more important than absent readers. */
const saysNoMore = (state: string, { readers, notice, cloud }: TerminalContext): boolean =>
  state === accountState ||
  (state === 'prompting' && readers === 'down' && notice === undefined && cloud !== 'down');

/** The remedy for the trouble comes first, then the way to go on. */
function sentenceWithTrouble(
  state: string,
  context: TerminalContext,
  trouble: string | undefined,
): string | undefined {
  if (trouble === undefined || state !== 'choosing') return trouble;
  return inARow(trouble, choosingSentence(context, undefined));
}

interface Alternatives {
  readonly balance: BalanceView | undefined;
  /** The state's own sentence. */
  readonly standing: string;
}

/** The question stays beside the result of the last answer to it. */
function sentenceWithNotice(state: string, context: TerminalContext, alternatives: Alternatives): string {
  const said = context.notice?.sentence;
  if (said === undefined || asks[state] === undefined)
    return said ?? sentenceOf(state, context, alternatives);
  return inARow(said, sentenceOf(state, context, alternatives));
}

function sentenceOf(state: string, context: TerminalContext, { balance, standing }: Alternatives): string {
  const { cloud, isSlow } = context;
  if (state === 'choosing') return choosingSentence(context, balance);
  if (state === 'releasing') return releasingSentence(context, standing);
  if (isSlow) return slow.sentence;
  return cloud === 'down' && state === 'prompting' ? away.sentence : standing;
}

/** Why the printer keeps the first waiting document. */
const waits: Readonly<Record<NonNullable<DocumentProgress['wait']>, string>> = {
  'waking-up': 'The printer is waking up…',
  busy: 'The printer is busy with another document.',
  rejecting: 'The printer does not accept documents at the moment.',
  held: "The printer holds your document. Release it at the printer's panel.",
  'engine-away': 'Asking the other printers…',
};

function releasingSentence(
  { cloud, before, documents, progress }: TerminalContext,
  standing: string,
): string {
  const wait = progress.find((one) => one.wait)?.wait;
  const under = wait ? waits[wait] : standing;
  const printing = before === 0 ? under : queued(before).sentence;
  return inARow(cloud === 'down' ? onlyArrived.sentence : printing, doubtNotice(documents)?.sentence);
}

const inARow = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ');

function nothingLeftSentence(context: TerminalContext): string {
  if (!isAllDone(context)) return 'There is nothing to print.';
  return context.progress.some(({ stage }) => stage === 'handed-over')
    ? 'All sent. Please take your pages from the printer.'
    : 'All done. Please take your pages.';
}

function choosingSentence(context: TerminalContext, balance: BalanceView | undefined): string {
  const { documents } = context;
  const { releasable } = documents;
  const sentence = inARow(
    staleNotice(context)?.sentence,
    underOtherName(documents)?.sentence,
    moreInPortal(documents)?.sentence,
    balance && `Your balance is ${balance.balance}.`,
    balance && fittingSentence(balance, releasable.length),
    elsewhereSentence(documents),
    doubtNotice(documents)?.sentence,
    releasable.length === 0 ? nothingLeftSentence(context) : undefined,
    wantedOf(context).length > 0 ? 'Hold your card to the reader again to print.' : undefined,
  );
  // Only the person themselves may read that they may not print here.
  return sentence === '' ? 'You are signed in.' : sentence;
}
