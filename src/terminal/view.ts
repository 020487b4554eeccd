/**
 * The view of a terminal in each of its states: a sentence for everyone, and for the person in front their own facts,
 * in the language they read.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import { printAmount } from '../domain/amount.ts';
import { fittingOf } from '../domain/balance.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { LoginOffer } from '../domain/login.ts';
import type {
  BalanceView,
  OutageView,
  PreviewView,
  SignView,
  TerminalView,
} from '../domain/terminal/terminal-view.ts';
import type { StickView } from '../domain/terminal/stick-view.ts';
import { stateSentence } from '../domain/terminal/public-words.ts';
import type { ChangeOffers } from './documents-view.ts';
import { documentsOf, doubtsOf } from './documents-view.ts';
import type { TerminalContext } from './context.ts';
import { noticesOf } from './notices.ts';
import type { AccountOffer } from './person/account-context.ts';
import { accountViewOf } from './person/account-view.ts';
import type { PrintersAtHand } from './printers/at-hand.ts';
import { printerOf } from './printers/at-hand.ts';
import { insteadOf } from './printers/instead.ts';
import { sentenceAt } from './sentence.ts';
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

/** The panels that a person opens over their list: the pages of a document, and the stick that they put in. */
interface Panels {
  readonly offersPreview: boolean;
  readonly preview: PreviewView | undefined;
  readonly stick: StickView | undefined;
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
    sentence: sentenceAt(value, context, {
      standing,
      isAsking: asked !== undefined,
      trouble: trouble && troubleSentence(trouble, chosen),
      balance,
    }),
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
  ...(panels.offersPreview ? { offersPreview: true as const } : {}),
  ...(panels.preview ? { preview: panels.preview } : {}),
  ...(account === 'off' ? {} : { offersAccount: true as const }),
});

const defaultsOf = ({ session, defaults }: TerminalContext): Pick<TerminalView, 'defaults'> =>
  session?.card ? { defaults: defaults ? { kept: defaults } : {} } : {};

/** The costs of the prints, and how many of them the balance covers. */
function balanceOf({ quotes }: Pick<TerminalContext, 'quotes'>): BalanceView | undefined {
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

/** The state of the default printer, and of each if there are several. Visible to everyone in the room. */
function printersOf(printers: PrintersAtHand): Pick<TerminalView, 'printer' | 'printers'> {
  const printer = printers[0].view();
  const named = printers.flatMap((one) => {
    const is = one.view();
    return one.name === undefined ? [] : [{ name: one.name, ...(is && { is }) }];
  });
  return { ...(printer && { printer }), ...(named.length > 1 && { printers: named }) };
}

/** The printer that the person picked, if there are several, and the one that could stand in for it. */
function chosenOf(
  context: TerminalContext,
  printers: PrintersAtHand,
): Pick<TerminalView, 'chosenPrinter' | 'instead'> {
  const { name } = printerOf(printers, context);
  if (printers.length === 1 || name === undefined) return {};
  const instead = insteadOf(context, printers);
  return { chosenPrinter: name, ...(instead && { instead }) };
}

/** The states in which the badge was read already. */
const isKnown = ['askingPin', 'authenticating', 'listing', 'choosing', 'releasing', 'account'];

/**
 * The language chosen in this session, or with this badge before. `undefined` if none was chosen, or if no person is
 * known to be here.
 */
export function languageAt(at: TerminalSnapshot): LanguageCode | undefined {
  const { given, session, card, language } = at.context;
  if (!isKnown.includes(stateOf(at))) return undefined;
  if (language !== undefined) return language;
  const shown = session ? session.card : card;
  return shown && given.languages.of(shown);
}
