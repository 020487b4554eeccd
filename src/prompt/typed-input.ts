/**
 * What a person types: credentials, a PIN, or the numbers of documents. All typed text of a form is held in a
 * `Secret`, also the user name, so that it cannot get into a log. A line is wiped when the person gives it up.
 */
import { Secret } from '../core/secret.ts';
import type { TypedCredentials, TypedWay } from '../domain/login.ts';
import type { DocumentView } from '../domain/terminal/terminal-view.ts';
import type { Key } from './keys.ts';

/** The fields; each is typed on its own line. */
export type FieldName = 'userName' | 'password' | 'shortId' | 'email' | 'pin';

type FormKind = TypedWay | 'pin' | 'enrollment';

export interface Form {
  readonly kind: FormKind;
  /** The finished lines. */
  readonly lines: readonly Secret[];
  /** The line that is being typed. */
  readonly line: Secret;
}

/** The person's word, without the generation of the view. */
type Filled =
  | { readonly type: 'log-in'; readonly credentials: TypedCredentials }
  | { readonly type: 'pin'; readonly pin: Secret }
  | { readonly type: 'enrol'; readonly userName: string; readonly password: Secret };

/** In characters. The terminal sends nothing longer (domain/login.ts). */
const longestLine = 255;

const fieldsOf: Readonly<Record<FormKind, readonly FieldName[]>> = {
  'short-id': ['shortId'],
  password: ['userName', 'password'],
  name: ['userName'],
  email: ['email'],
  pin: ['pin'],
  enrollment: ['userName', 'password'],
};

const hidden: ReadonlySet<FieldName> = new Set(['password', 'pin', 'shortId']);

export const emptyForm = (kind: FormKind): Form => ({ kind, lines: [], line: new Secret('') });

export const isUntouched = ({ lines, line }: Form): boolean => lines.length === 0 && line.reveal() === '';

/** The lines for the screen. Hidden lines are stars. */
export function shownLines(form: Form): readonly { readonly field: FieldName; readonly text: string }[] {
  const typed = [...form.lines, form.line];
  return fieldsOf[form.kind].slice(0, typed.length).map((field, index) => {
    const text = typed[index]?.reveal() ?? '';
    return { field, text: hidden.has(field) ? '*'.repeat(Array.from(text).length) : text };
  });
}

export function wipeForm({ lines, line }: Form): void {
  for (const one of [...lines, line]) one.wipe();
}

/** Gives the form after the key, or its result when it is complete; `undefined` if the person gives it up. */
export function typeInto(form: Form, key: Key): Form | Filled | undefined {
  const { kind, lines, line } = form;
  const typed = line.reveal();
  const changed = (text: string): Form => {
    line.wipe();
    return { kind, lines, line: new Secret(text) };
  };
  switch (key.kind) {
    case 'text':
      return Array.from(typed).length < longestLine ? changed(typed + key.text) : form;
    case 'backspace':
      return changed(Array.from(typed).slice(0, -1).join(''));
    case 'erase-line':
      return changed('');
    case 'escape':
      wipeForm(form);
      return undefined;
    case 'enter':
    case 'tab':
      if (typed === '') {
        wipeForm(form);
        return undefined;
      }
      if (lines.length + 1 === fieldsOf[kind].length) return filled(form);
      return { kind, lines: [...lines, line], line: new Secret('') };
    default:
      return form;
  }
}

function filled({ kind, lines: [first = new Secret('')], line }: Form): Filled {
  switch (kind) {
    case 'short-id':
      return { type: 'log-in', credentials: { kind, shortId: line } };
    case 'password':
      return { type: 'log-in', credentials: { kind, userName: first.reveal(), password: line } };
    case 'name':
      return { type: 'log-in', credentials: { kind, userName: line.reveal() } };
    case 'email':
      return { type: 'log-in', credentials: { kind, email: line.reveal() } };
    case 'pin':
      return { type: kind, pin: line };
    default:
      return { type: 'enrol', userName: first.reveal(), password: line };
  }
}

/**
 * The number of each document for the whole session. A number from the screen means the same document even if the list
 * changes. A later document gets the next number.
 */
export type Numbering = readonly string[];

export interface Numbered extends DocumentView {
  readonly number: number;
}

/** In characters. */
const longestPick = 40;

const pickable = /^[0-9,\-\u0020]$/;

/** The documents that a person means by the typed numbers: `1,3-5`, or `a` for all. Pure. */
export const renumbered = (before: Numbering, documents: readonly DocumentView[]): Numbering => [
  ...before,
  ...documents.map(({ uuid }) => uuid).filter((uuid) => !before.includes(uuid)),
];

export const numbered = (numbering: Numbering, documents: readonly DocumentView[]): readonly Numbered[] =>
  documents
    .map((document) => ({ ...document, number: numbering.indexOf(document.uuid) + 1 }))
    .sort((one, other) => one.number - other.number);

export const typedPick = (pick: string, character: string): string =>
  pickable.test(character) && pick !== 'a' && pick.length < longestPick ? pick + character : pick;

/** The chosen numbers in ascending order; `undefined` if the text is not a list of numbers. */
export function numbersOf(pick: string, documents: readonly Numbered[]): readonly number[] | undefined {
  if (pick === 'a') return documents.filter(isReleasable).map(({ number }) => number);
  const parts = pick
    .split(/[, ]+/)
    .filter((part) => part !== '')
    .map((part) => /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part));
  const meant = new Set<number>();
  for (const part of parts) {
    if (part === null) return undefined;
    const first = Number(part[1]);
    const last = Number(part[2] ?? first);
    meant.add(first).add(last);
    // Of a range, the existing numbers count. A range may also be written backwards.
    for (const { number } of documents) if ((number - first) * (number - last) <= 0) meant.add(number);
  }
  return [...meant].sort((one, other) => one - other);
}

const isReleasable = ({ standing, fits }: DocumentView): boolean =>
  standing === 'releasable' && fits !== false;
