/**
 * The sentences of a terminal to a person besides that of its state: the newest notice first, then other obstacles. The
 * words of problems are in `domain/problem/problem-kinds.ts`.
 */
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import { forgottenRelease } from '../domain/release.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import { away, slow } from '../domain/terminal/public-words.ts';
import type { SessionProgress } from './session-progress.ts';
import { isMissing } from './session-progress.ts';
import type { TerminalContext } from './context.ts';
import type { Sorted } from './given.ts';

const say = (code: Notice['code'], sentence: string): Notice => ({ code, sentence });
const count = (code: Notice['code'], n: number, sentence: string): Notice => ({
  ...say(code, sentence),
  params: { n },
});

export const registered = say('card-registered', 'Your card is registered. You can now sign in with it.');
export const notRegistered = say(
  'card-not-registered',
  'You are signed in. The card could not be registered.',
);
export const perhapsRegistered = say(
  'card-registration-unknown',
  'You are signed in. We do not know whether the card was registered.',
);

export const pinRefused = (n: number): Notice => {
  const tries = n === 1 ? '1 try' : `${n} tries`;
  return count('pin-refused', n, `That was not accepted (${tries}). Please try again, or ask for help.`);
};

export const cardDropped = say('card-dropped', 'The card is no longer yours.');
export const shortIdGiven = say(
  'short-id-given',
  'You have a new ID number. The one before is no longer good.',
);
export const cardsMissing = say(
  'cards-missing',
  'Not all of your other cards could be kept. Please look at the list, and register what is missing.',
);

export const cardNotDropped = say(
  'card-not-dropped',
  'This is not possible at the moment. Your cards are as they were.',
);

export const notKept = say('defaults-not-kept', 'That could not be kept. It is as it was.');

export const notAsAsked = say(
  'not-as-asked',
  'The printer cannot do everything that was asked for. Please look at your pages.',
);

export const lookingAgain = say('looking-again', 'Looking again.');
const nothingNew = say('nothing-new', 'No new documents yet.');
const newDocuments = (n: number): Notice =>
  count('new-documents', n, n === 1 ? '1 new document.' : `${n} new documents.`);

/** The notice after another look at the list. */
export function looked(
  { isLookAskedFor, notice }: Pick<TerminalContext, 'isLookAskedFor' | 'notice'>,
  arrived: number,
): Notice | undefined {
  if (arrived > 0) return newDocuments(arrived);
  return isLookAskedFor ? nothingNew : notice;
}

/** The documents that other gateways print at the moment. */
export function elsewhereSentence({ others }: Sorted): string | undefined {
  const [first, ...more] = others.filter(({ why }) => why === 'being-printed-elsewhere');
  if (first === undefined) return undefined;
  return more.length === 0
    ? `One document is being printed at ${first.place}.`
    : `${more.length + 1} documents are being printed at other printers.`;
}

/** How many documents are in doubt, and why; nothing if there are none. */
export function doubtNotice({ doubtful }: Sorted): Notice | undefined {
  const { length: n } = doubtful;
  if (n === 0) return undefined;
  const [{ elsewhere } = {}] = doubtful;
  if (n === 1 && elsewhere?.place !== undefined) {
    return { code: 'left-alone', params: { n }, sentence: wasElsewhere(elsewhere) };
  }
  if (doubtful.every((one) => one.elsewhere?.releaseId === forgottenRelease)) {
    return { code: 'fleet-forgot', params: { n }, sentence: problemKinds['fleet-forgot'].person };
  }
  const some = n === 1 ? 'One document' : `${n} documents`;
  const were = n === 1 ? 'was' : 'were';
  return count(
    'left-alone',
    n,
    `${some} may have been printed already and ${were} not printed again. Please look at the tray.`,
  );
}

const wasElsewhere = ({ how, place }: HeldElsewhere): string =>
  how === 'printed'
    ? `One document was printed at ${place}.`
    : `One document may have printed at ${place}: look there first.`;

/**
 * How many documents did not come out for certain, and the reason of the last one. Nothing if all came out. Nothing for
 * a single document either, because the screen tells more about it.
 */
function missingNotice(progress: SessionProgress, why: Notice | undefined): Notice | undefined {
  const n = progress.filter(isMissing).length;
  const of = progress.length;
  if (n === 0 || of === 1) return undefined;
  const said = `${n} of ${of} documents may be missing. Please look at the tray.`;
  return {
    code: 'not-all-printed',
    params: { n, of },
    sentence: why === undefined ? said : `${said} ${why.sentence}`,
  };
}

export const queued = (n: number): Notice =>
  count(
    'queued',
    n,
    n === 1
      ? 'Another document is being printed at this printer. Yours comes next.'
      : `${n} other documents are printed at this printer before yours.`,
  );

export function moreInPortal({ releasable, doubtful, others, mayBeMore }: Sorted): Notice | undefined {
  if (!mayBeMore) return undefined;
  const n = releasable.length + doubtful.length + others.length;
  return count('more-in-portal', n, `${n} documents are shown. There may be more in the portal.`);
}

/** The documents of another user, or of this user in another spelling. The terminal cannot tell which. */
export function underOtherName({ underOtherName: n }: Sorted): Notice | undefined {
  if (n === 0) return undefined;
  const some = n === 1 ? 'One document is' : `${n} documents are`;
  const sentence = `${some} not shown, because the user name is different. Please ask for help.`;
  return count('under-other-name', n, sentence);
}

/**
 * The most important notice for a person who leaves with everything that was available. They have already read about
 * the documents that stay.
 */
export const lastWord = ({ notice, documents, progress }: TerminalContext): Notice | undefined =>
  missingNotice(progress, notice) ?? notice ?? underOtherName(documents);

/** A document that has come in is still printed. */
export const onlyArrived = say(
  'only-arrived',
  'The print service cannot be reached. Only documents that are already here are printed.',
);
const notFetched = say(
  'list-stale',
  'The print service cannot be reached. Your documents are shown as they were before.',
);
/** For an open list: documents that come or go meanwhile are not seen. */
export const staleNotice = ({ list, cloud }: Pick<TerminalContext, 'list' | 'cloud'>): Notice | undefined =>
  list === 'stale' || cloud === 'down' ? notFetched : undefined;

/** The most important notice first. */
export function noticesOf(state: string, context: TerminalContext): readonly Notice[] {
  const { notice, isSlow, cloud, before, documents } = context;
  const isAway = cloud === 'down';
  const isAtHome = state === 'choosing' || state === 'releasing';
  return [
    notice,
    (isAtHome ? cloud === 'slow' : isSlow) && slow,
    state === 'choosing' && staleNotice(context),
    isAway && state === 'prompting' && away,
    isAway && state === 'releasing' && onlyArrived,
    !isAway && state === 'releasing' && before > 0 && queued(before),
    state === 'choosing' && underOtherName(documents),
    state === 'choosing' && moreInPortal(documents),
    isAtHome && doubtNotice(documents),
  ].filter((one): one is Notice => one !== undefined && one !== false);
}
