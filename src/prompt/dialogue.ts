/**
 * Decides the effect of a key, given the view of the terminal. Pure, except that it wipes typed text. Typed text
 * belongs to one generation of the view and is erased with it (INVARIANTS.md D2, I3). A number means the same document
 * for the whole session.
 */
import { isMany, totalOf } from '../domain/print-total.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';
import type { DocumentView, TerminalView } from '../domain/terminal/terminal-view.ts';
import type { Form, Numbered, Numbering } from './typed-input.ts';
import {
  emptyForm,
  isUntouched,
  numbered,
  numbersOf,
  renumbered,
  typedPick,
  typeInto,
  wipeForm,
} from './typed-input.ts';
import type { Key } from './keys.ts';

/** The problem with a choice, and the number that caused it. */
export interface Note {
  readonly kind: 'noSuchNumber' | 'notNow' | 'askAlone' | 'notUnderstood';
  readonly number: number;
}

export interface Dialogue {
  readonly generation: number;
  readonly asks: TerminalView['asks'];
  readonly form: Form | undefined;
  /** For example `1,3-5`, or `a`. */
  readonly pick: string;
  /** The document that may have printed, while the person is asked about it. */
  readonly doubt: string | undefined;
  /** The chosen documents, while the person is asked to confirm so many pages. */
  readonly many: readonly string[] | undefined;
  readonly numbering: Numbering;
  /** Counted from 0. */
  readonly page: number;
  readonly note: Note | undefined;
}

/** The person's word to the terminal, in answer to the shown view. */
export type Words = PersonsWord extends infer Word
  ? Word extends PersonsWord
    ? Omit<Word, 'generation'>
    : never
  : never;

export interface Turn {
  readonly dialogue: Dialogue;
  readonly words?: Words;
}

/** Documents on one page of the screen. */
export const perPage = 12;

const noDocuments: readonly DocumentView[] = [];

export const isChoosing = ({ documents }: TerminalView): boolean => documents !== undefined;

export function beginDialogue(view: TerminalView): Dialogue {
  return {
    generation: view.generation,
    asks: view.asks,
    form: openForm(view),
    pick: '',
    doubt: undefined,
    many: undefined,
    numbering: renumbered([], view.documents ?? noDocuments),
    page: 0,
    note: undefined,
  };
}

/** If the terminal asks for one thing or offers only one way, its form opens at once. */
function openForm({ asks, offers = [] }: TerminalView): Form | undefined {
  if (asks !== undefined) return emptyForm(asks);
  const [only] = offers;
  return only !== undefined && offers.length === 1 ? emptyForm(only) : undefined;
}

/** Adapts the dialogue to a changed view. */
export function renew(dialogue: Dialogue, view: TerminalView): Dialogue {
  const isSame = dialogue.generation === view.generation && dialogue.asks === view.asks;
  if (!isSame || (dialogue.form !== undefined && !takesForm(dialogue.form, view))) {
    forget(dialogue);
    return beginDialogue(view);
  }
  const documents = view.documents ?? noDocuments;
  const isInDoubt = documents.some(
    ({ uuid, standing }) => uuid === dialogue.doubt && standing === 'may-have-printed',
  );
  return {
    ...dialogue,
    form: dialogue.form ?? openForm(view),
    doubt: isInDoubt ? dialogue.doubt : undefined,
    numbering: renumbered(dialogue.numbering, documents),
    page: Math.min(dialogue.page, pagesOf(documents) - 1),
  };
}

const takesForm = ({ kind }: Form, { asks, offers = [] }: TerminalView): boolean =>
  asks === undefined ? offers.some((way) => way === kind) : kind === asks;

/** Called after a long time without a key, because half a password must not remain. */
export function forgetTyped(dialogue: Dialogue, view: TerminalView): Dialogue {
  forget(dialogue);
  return { ...beginDialogue(view), numbering: dialogue.numbering, page: dialogue.page };
}

export function forget({ form }: Dialogue): void {
  if (form) wipeForm(form);
}

/** No line is begun, so a number that is typed now can only be a badge. */
export const isAtRest = ({ form, pick, doubt, many }: Dialogue): boolean =>
  (form === undefined || isUntouched(form)) && pick === '' && doubt === undefined && many === undefined;

export const pagesOf = (documents: readonly DocumentView[]): number =>
  Math.max(1, Math.ceil(documents.length / perPage));

export const documentsOf = (dialogue: Dialogue, view: TerminalView): readonly Numbered[] =>
  numbered(dialogue.numbering, view.documents ?? noDocuments);

export function press(dialogue: Dialogue, key: Key, view: TerminalView): Turn {
  const noted = { ...dialogue, note: undefined };
  if (dialogue.form) return pressInForm(noted, dialogue.form, key, view);
  if (dialogue.doubt !== undefined) return pressInDoubt(noted, dialogue.doubt, key);
  if (dialogue.many) return pressInQuestion(noted, dialogue.many, key);
  if (isChoosing(view)) return pressInList(noted, key, view);
  if (view.offers) return { dialogue: { ...noted, form: offered(key, view.offers) } };
  // A login or a list request is in progress.
  return isLetter(key, 'l') ? { dialogue, words: { type: 'log-out' } } : { dialogue };
}

function pressInForm(dialogue: Dialogue, form: Form, key: Key, view: TerminalView): Turn {
  const typed = typeInto(form, key);
  if (typed === undefined) {
    const given = { ...dialogue, form: openForm(view) };
    return view.asks === undefined ? { dialogue: given } : { dialogue: given, words: { type: 'log-out' } };
  }
  if ('line' in typed) return { dialogue: { ...dialogue, form: typed } };
  return { dialogue: { ...dialogue, form: openForm(view) }, words: typed };
}

function pressInDoubt(dialogue: Dialogue, documentUuid: string, key: Key): Turn {
  const answered = { ...dialogue, doubt: undefined };
  if (isLetter(key, 'r')) return { dialogue: answered, words: { type: 'print-again', documentUuid } };
  if (isLetter(key, 't')) return { dialogue: answered, words: { type: 'it-is-there', documentUuid } };
  return { dialogue: key.kind === 'escape' || key.kind === 'enter' ? answered : dialogue };
}

function pressInQuestion(dialogue: Dialogue, documentUuids: readonly string[], key: Key): Turn {
  const answered = { ...dialogue, many: undefined };
  if (isLetter(key, 'y')) return { dialogue: answered, words: { type: 'release', documentUuids } };
  return { dialogue: key.kind === 'escape' || key.kind === 'enter' ? answered : dialogue };
}

function pressInList(dialogue: Dialogue, key: Key, view: TerminalView): Turn {
  const { pick, page } = dialogue;
  const lastPage = pagesOf(view.documents ?? noDocuments) - 1;
  if (isLetter(key, 'n') || key.kind === 'page-down')
    return { dialogue: { ...dialogue, page: Math.min(page + 1, lastPage) } };
  if (isLetter(key, 'b') || key.kind === 'page-up')
    return { dialogue: { ...dialogue, page: Math.max(page - 1, 0) } };
  if (isLetter(key, 'l')) return { dialogue: { ...dialogue, pick: '' }, words: { type: 'log-out' } };
  if (isLetter(key, 'a')) return { dialogue: { ...dialogue, pick: 'a' } };
  switch (key.kind) {
    case 'text':
      return { dialogue: { ...dialogue, pick: typedPick(pick, key.text) } };
    case 'backspace':
      return { dialogue: { ...dialogue, pick: pick.slice(0, -1) } };
    case 'escape':
    case 'erase-line':
      return { dialogue: { ...dialogue, pick: '' } };
    case 'enter':
      return pick === '' ? { dialogue } : picked({ ...dialogue, pick: '' }, { pick, view });
    default:
      return { dialogue };
  }
}

/**
 * Enter after the numbers: printable documents are released. For the first other document there is a note or a
 * question.
 */
function picked(dialogue: Dialogue, { pick, view }: { pick: string; view: TerminalView }): Turn {
  const documents = documentsOf(dialogue, view);
  const numbers = numbersOf(pick, documents);
  if (numbers === undefined) return { dialogue: { ...dialogue, note: { kind: 'notUnderstood', number: 0 } } };
  const meant = numbers.map((number) => ({
    number,
    document: documents.find((one) => one.number === number),
  }));
  const [first] = meant;
  if (meant.length === 1 && first?.document?.standing === 'may-have-printed' && !view.notHere)
    return { dialogue: { ...dialogue, doubt: first.document.uuid } };

  const isReady = ({ document }: (typeof meant)[number]) =>
    !view.notHere && document?.standing === 'releasable';
  const left = meant.find((one) => !isReady(one));
  const noted = { ...dialogue, note: left && noteOf(left.number, left.document) };
  const ready = meant.filter(isReady).flatMap(({ document }) => document ?? []);
  const documentUuids = ready.map(({ uuid }) => uuid);
  if (isMany(totalOf(ready), view.askAbovePages)) return { dialogue: { ...noted, many: documentUuids } };
  return documentUuids.length === 0
    ? { dialogue: noted }
    : { dialogue: noted, words: { type: 'release', documentUuids } };
}

/** The documents that Enter would print. */
export function meantBy(dialogue: Dialogue, view: TerminalView): readonly Numbered[] {
  const { pick, many } = dialogue;
  const documents = documentsOf(dialogue, view);
  if (many) return documents.filter(({ uuid }) => many.includes(uuid));
  const numbers = numbersOf(pick, documents) ?? [];
  return documents.filter(({ number, standing }) => numbers.includes(number) && standing === 'releasable');
}

function noteOf(number: number, document: DocumentView | undefined): Note {
  if (document === undefined) return { kind: 'noSuchNumber', number };
  return { kind: document.standing === 'may-have-printed' ? 'askAlone' : 'notNow', number };
}

function offered(key: Key, offers: NonNullable<TerminalView['offers']>): Form | undefined {
  const way = key.kind === 'text' && /^[1-9]$/.test(key.text) ? offers[Number(key.text) - 1] : undefined;
  return way && emptyForm(way);
}

const isLetter = (key: Key, letter: string): boolean =>
  key.kind === 'text' && key.text.toLowerCase() === letter;
