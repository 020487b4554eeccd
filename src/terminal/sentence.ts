/**
 * The sentence of a terminal in each of its states: the remedy for a trouble, the newest notice, or what is so and how
 * to go on.
 */
import type { BalanceView, DocumentProgress } from '../domain/terminal/terminal-view.ts';
import { away, slow } from '../domain/terminal/public-words.ts';
import type { TerminalContext } from './context.ts';
import { isAllDone, wantedOf } from './list.ts';
import {
  doubtNotice,
  elsewhereSentence,
  moreInPortal,
  onlyArrived,
  queued,
  staleNotice,
  underOtherName,
} from './notices.ts';

interface Beside {
  /** The state's own sentence. */
  readonly standing: string;
  /** The state waits for the answer to a question. */
  readonly isAsking: boolean;
  readonly trouble: string | undefined;
  readonly balance: BalanceView | undefined;
}

export function sentenceAt(state: string, context: TerminalContext, beside: Beside): string {
  if (saysNoMore(state, context)) return beside.standing;
  return sentenceWithTrouble(state, context, beside) ?? sentenceWithNotice(state, context, beside);
}

/** The state's own sentence is enough. A new notice and an absent service are more important than absent readers. */
const saysNoMore = (state: string, { readers, notice, cloud }: TerminalContext): boolean =>
  state === 'account' ||
  (state === 'prompting' && readers === 'down' && notice === undefined && cloud !== 'down');

/** The remedy for the trouble comes first, then the way to go on. */
function sentenceWithTrouble(
  state: string,
  context: TerminalContext,
  { trouble }: Beside,
): string | undefined {
  if (trouble === undefined || state !== 'choosing') return trouble;
  return inARow(trouble, choosingSentence(context, undefined));
}

/** The question stays beside the result of the last answer to it. */
function sentenceWithNotice(state: string, context: TerminalContext, beside: Beside): string {
  const said = context.notice?.sentence;
  if (said === undefined || !beside.isAsking) return said ?? sentenceOf(state, context, beside);
  return inARow(said, sentenceOf(state, context, beside));
}

function sentenceOf(state: string, context: TerminalContext, { balance, standing }: Beside): string {
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

function fittingSentence({ cost, costs, fitting }: BalanceView, waiting: number): string {
  const [first] = costs;
  if (waiting === 1 && first) {
    return first.fits ? `Your document fits (${cost}).` : `Your document costs too much (${first.cost}).`;
  }
  // Quotes still come, and a very long list is never quoted as a whole.
  const quoted = costs.length < waiting ? `the first ${costs.length}` : waiting;
  return `${fitting} of ${quoted} documents fit (${cost}).`;
}
