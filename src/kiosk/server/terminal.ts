/**
 * What the kiosk needs of a terminal, and whether what a page says is possible: that is read off the view it would change.
 * The terminal itself ignores, without a word, what is stale or out of place (D2).
 */
import { isOffered } from '../../domain/document-changes.ts';
import type { PersonsWord, PickedPrinter, SaidOfPages } from '../../domain/terminal/persons-word.ts';
import type { CardView } from '../../domain/terminal/account-view.ts';
import type { DocumentView, TerminalView, TerminalViewSource } from '../../domain/terminal/terminal-view.ts';

export interface KioskTerminal {
  readonly view: TerminalViewSource;
  tell(word: PersonsWord): void;
  /** PNG, of that name in the view; `undefined`: it is shown no more. */
  picture(name: string): Buffer | undefined;
}

/** Somebody has begun to say who they are, or has been let in. */
export const isSomebodys = ({ state }: TerminalView): boolean =>
  !['outOfService', 'prompting', 'relaying', 'stopped'].includes(state);

/** Somebody has been let in. */
export const isSignedIn = ({ state }: TerminalView): boolean =>
  ['listing', 'choosing', 'releasing', 'account'].includes(state);

/** `false`, and nothing has happened, where the view does not offer it. */
export function obey(terminal: KioskTerminal, word: PersonsWord): boolean {
  if (!isPossible(word, terminal.view.current())) return false;
  terminal.tell(word);
  return true;
}

function isPossible(word: PersonsWord, view: TerminalView): boolean {
  if (word.generation !== view.generation) return false;
  const { offers = [], asks, documents = [] } = view;
  switch (word.type) {
    case 'log-in':
      return offers.includes(word.credentials.kind);
    case 'pin':
      return asks === 'pin';
    case 'enrol':
      return asks === 'enrollment';
    case 'look-again':
      return view.notice?.code === 'list-stale';
    case 'delete':
      return view.state === 'choosing' && picksSome(word, view);
    case 'change':
      return (
        view.state === 'choosing' &&
        documents.some((one) => one.uuid === word.documentUuid && isOffered(one, word))
      );
    case 'printer':
      return view.chosenPrinter !== undefined && isAmong(word, view);
    case 'preview':
      return view.offersPreview === true && documents.some((one) => isSeen(one, word));
    case 'end-preview':
      return view.preview !== undefined;
    case 'open-stick':
      return view.state === 'choosing' && view.stick?.stage === 'in';
    case 'bring-file':
      return isInStick(word, view);
    case 'close-stick':
      return view.stick !== undefined && !['in', 'several'].includes(view.stick.stage);
    case 'release':
      return !view.notHere && picksSome(word, view);
    case 'print-missing':
      return !view.notHere && isMissing(word, view);
    case 'print-again':
      return !view.notHere && isInDoubt(word, view);
    case 'it-is-there':
      return isInDoubt(word, view);
    case 'keep-defaults':
      return view.defaults !== undefined;
    case 'forget-defaults':
      return view.defaults?.kept !== undefined;
    case 'open-account':
      return view.offersAccount === true;
    case 'close-account':
      return view.account !== undefined;
    case 'drop-card':
    case 'register-card':
    case 'new-short-id':
    case 'prove':
    case 'step-back':
      return isPossibleInAccount(word, view);
    case 'language':
      return isSignedIn(view);
    // Whoever is still there, or logs out.
    default:
      return isSomebodys(view);
  }
}

type InAccount = 'drop-card' | 'register-card' | 'new-short-id' | 'prove' | 'step-back';

function isPossibleInAccount(word: Extract<PersonsWord, { type: InAccount }>, view: TerminalView): boolean {
  const { account } = view;
  const isOpen = account?.stage === 'open';
  switch (word.type) {
    case 'drop-card':
      return isOpen && account.may.drop && isLoose(account.cards?.[word.card]);
    case 'register-card':
      return isOpen && account.may.register;
    case 'new-short-id':
      return isOpen && account.may.shortId;
    case 'prove':
      return account?.stage === 'proving';
    default:
      return account?.stage === 'proving' || account?.stage === 'awaiting-card';
  }
}

const isInStick = (
  { file, edition }: { readonly file: number; readonly edition: number },
  { stick }: TerminalView,
): boolean => stick?.stage === 'files' && edition === stick.edition && file < (stick.files?.length ?? 0);

const isAmong = ({ printer }: PickedPrinter, { printers = [] }: TerminalView): boolean =>
  printers.some(({ name }) => name === printer);

/** One of theirs that they do not hold in their hand. */
const isLoose = (card: CardView | undefined): boolean => card !== undefined && card.isHeld !== true;

const isInDoubt = (
  { documentUuid }: { readonly documentUuid: string },
  { mayHavePrinted = [] }: TerminalView,
): boolean => mayHavePrinted.some((one) => one.documentUuid === documentUuid);

const isMissing = ({ documentUuid, from, to }: SaidOfPages, { mayHavePrinted = [] }: TerminalView): boolean =>
  mayHavePrinted.some(
    (one) => one.documentUuid === documentUuid && one.missing?.from === from && one.missing.to === to,
  );

/** It can be looked at, as what may be printed can. */
const isSeen = (
  { uuid, standing }: DocumentView,
  { documentUuid }: { readonly documentUuid: string },
): boolean => uuid === documentUuid && (standing === 'releasable' || standing === 'may-have-printed');

const picksSome = (
  { documentUuids }: { readonly documentUuids: readonly string[] },
  { documents = [] }: TerminalView,
): boolean =>
  documents.some(({ uuid, standing }) => standing === 'releasable' && documentUuids.includes(uuid));
