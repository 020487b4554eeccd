/** What a terminal shows of itself: a state, a sentence, and of the person's documents their number and cost only. */
import type { SnapshotFrom } from 'xstate';
import { printAmount } from '../domain/amount.ts';
import { fittingOf } from '../domain/balance.ts';
import type { BalanceView, TerminalView } from '../domain/terminal-view.ts';
import type { TerminalContext } from './terminal-setup.ts';
import { doubtSentence, wantedOf } from './terminal-setup.ts';
import type { terminalMachine } from './terminal.ts';

const sentences: Readonly<Record<string, string>> = {
  outOfService: 'This terminal is not signed in. Please use another one.',
  prompting: 'Hold your card to the reader.',
  authenticating: 'One moment, please.',
  listing: 'Looking for your documents.',
  releasing: 'Printing. Please wait for your pages.',
  leaving: 'Goodbye.',
  stopped: 'This terminal is being restarted.',
};

/** A document that has come in is printed all the same. */
const sentencesWhileAway: Readonly<Record<string, string>> = {
  prompting: 'The print service cannot be reached at the moment.',
  releasing: 'The print service cannot be reached. Only what has arrived here is printed.',
};

export function viewOf({ value, context }: SnapshotFrom<typeof terminalMachine>): TerminalView {
  const balance = value === 'choosing' ? balanceOf(context) : undefined;
  return {
    generation: context.generation,
    state: value,
    sentence: context.notice ?? sentenceOf(value, context, balance),
    waiting: value === 'releasing' ? context.releasing.length : context.documents.releasable.length,
    ...doubtsOf(value, context),
    ...(balance ? { balance } : {}),
  };
}

function doubtsOf(state: string, { documents }: TerminalContext): Pick<TerminalView, 'mayHavePrinted'> {
  if (documents.doubtful.length === 0 || (state !== 'choosing' && state !== 'releasing')) return {};
  const mayHavePrinted = documents.doubtful.map(({ document, at }) => ({
    documentUuid: document.uuid,
    ...(at === undefined ? {} : { at }),
  }));
  return { mayHavePrinted };
}

function balanceOf({ quotes }: TerminalContext): BalanceView | undefined {
  const fitting = fittingOf(quotes);
  if (!fitting) return undefined;
  const fits = fitting.costs.filter((one) => one.fits).length;
  return {
    balance: printAmount(fitting.balance),
    cost: printAmount(fitting.cost),
    fitting: fits,
    tooDear: fitting.costs.length - fits,
    costs: fitting.costs.map((one) => ({ cost: printAmount(one.cost), fits: one.fits })),
  };
}

function sentenceOf(state: string, context: TerminalContext, balance: BalanceView | undefined): string {
  const { cloud, isSlow } = context;
  if (state === 'choosing') return choosingSentence(context, balance);
  if (state === 'releasing') return releasingSentence(context);
  if (isSlow) return 'The print service does not answer. Still trying…';
  return (cloud === 'down' ? sentencesWhileAway[state] : undefined) ?? sentences[state] ?? '';
}

function releasingSentence({ cloud, before, documents }: TerminalContext): string {
  const printing = before === 0 ? sentences['releasing'] : placeSentence(before);
  const what = cloud === 'down' ? sentencesWhileAway['releasing'] : printing;
  return inARow(what, doubtSentence(documents));
}

const placeSentence = (before: number): string =>
  before === 1
    ? 'Another document is being printed at this printer. Yours comes next.'
    : `${before} other documents are printed at this printer before yours.`;

const inARow = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ');

function choosingSentence(context: TerminalContext, balance: BalanceView | undefined): string {
  const { releasable, doubtful, others, mayBeMore } = context.documents;
  const shown = releasable.length + doubtful.length + others.length;
  return inARow(
    mayBeMore ? `${shown} documents are shown; there may be more in the portal.` : undefined,
    balance && `Your balance is ${balance.balance}.`,
    balance && fittingSentence(balance, releasable.length),
    doubtSentence(context.documents),
    releasable.length === 0 ? 'There is nothing to print.' : undefined,
    wantedOf(context).length > 0 ? 'Hold your card to the reader again to print.' : undefined,
  );
}

function fittingSentence({ cost, costs, fitting }: BalanceView, waiting: number): string {
  const [first] = costs;
  if (waiting === 1 && first) {
    return first.fits ? `Your document fits (${cost}).` : `Your document costs too much (${first.cost}).`;
  }
  // Until all have been asked for, and of a very long list, these are not all that wait.
  const quoted = costs.length < waiting ? `the first ${costs.length}` : waiting;
  return `${fitting} of ${quoted} documents fit (${cost}).`;
}
