/**
 * What a person types line by line: credentials, a PIN. What was typed so far is held as a `Secret`, the user's name
 * too, so that nothing of it can come into a log; a line that is given up is wiped.
 */
import { Secret } from '../core/secret.ts';
import type { TypedCredentials, TypedWay } from '../domain/login.ts';
import type { Key } from './keys.ts';

/** What is typed into a line of its own. */
export type FieldName = 'userName' | 'password' | 'shortId' | 'email' | 'pin';

export type FormKind = TypedWay | 'pin' | 'enrollment';

export interface Form {
  readonly kind: FormKind;
  /** The lines that are whole. */
  readonly lines: readonly Secret[];
  /** The line that is being typed. */
  readonly line: Secret;
}

/** As a person's word, still without the view that it answers. */
export type Filled =
  | { readonly type: 'log-in'; readonly credentials: TypedCredentials }
  | { readonly type: 'pin'; readonly pin: Secret }
  | { readonly type: 'enrol'; readonly userName: string; readonly password: Secret };

/** Characters; longer is nothing that the terminal sends (domain/login.ts). */
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

/** What the screen may show: a hidden line as stars. */
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

/** The form after the key, or all that it asks for; `undefined` when the person gives it up. */
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
