/** Every word that the prompt itself puts on the screen; a translation is another table of this type. */
import type { TypedWay } from '../domain/login.ts';
import type { PrintTotal } from '../domain/print-total.ts';
import type { DocumentView, DoubtView } from '../domain/terminal/terminal-view.ts';

/** What is typed into a line of its own. */
export type FieldName = 'userName' | 'password' | 'shortId' | 'email' | 'pin';

export interface Sentences {
  readonly title: string;
  readonly ways: Readonly<Record<TypedWay, string>>;
  readonly fields: Readonly<Record<FieldName, string>>;
  /** Before the letter for each way. */
  readonly orType: string;
  readonly choice: string;
  readonly everything: string;
  readonly columns: {
    readonly number: string;
    readonly pages: string;
    readonly copies: string;
    readonly color: string;
    readonly sides: string;
    readonly cost: string;
    readonly document: string;
  };
  readonly color: string;
  readonly grey: string;
  readonly oneSided: string;
  readonly twoSided: string;
  readonly standings: Readonly<Record<DocumentView['standing'], string>>;
  readonly tooDear: string;
  readonly keys: {
    readonly ways: string;
    readonly field: string;
    readonly choice: string;
    readonly paging: string;
    readonly doubt: string;
    readonly many: string;
    readonly wait: string;
  };
  endsIn(seconds: number): string;
  balance(balance: string): string;
  pageOf(page: number, pages: number): string;
  /** What would be printed. */
  total(total: PrintTotal): string;
  many(total: PrintTotal): string;
  /** `place`: of another gateway's printer, where it was there. */
  mayHavePrinted(
    number: number,
    doubt: Pick<DoubtView, 'place' | 'isPrinted' | 'isAskedFor'> | undefined,
  ): string;
  noSuchNumber(number: number): string;
  notNow(number: number): string;
  askAlone(number: number): string;
  readonly notUnderstood: string;
  /** They may not print at this printer. */
  readonly notHere: string;
}

const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

const totalText = ({ documents, pages, isAtLeast }: PrintTotal): string =>
  `${counted(documents, 'document')}, ${counted(pages, 'page')}${isAtLeast ? ' or more' : ''}`;

const doubtText: Sentences['mayHavePrinted'] = (number, { place, isPrinted, isAskedFor } = {}) => {
  if (isAskedFor)
    return `The other printers are being asked about document ${number}. Print it if you know that it did not come out.`;
  if (place === undefined)
    return `Document ${number} may have been printed already. Please look at the tray.`;
  return isPrinted
    ? `Document ${number} was printed at ${place}.`
    : `Document ${number} may have printed at ${place}: look there first.`;
};

export const english: Sentences = {
  title: 'Print terminal',
  ways: {
    'short-id': 'ID number',
    password: 'User name and password',
    name: 'User name',
    email: 'E-mail address',
  },
  fields: {
    userName: 'User name',
    password: 'Password',
    shortId: 'ID number',
    email: 'E-mail address',
    pin: 'PIN',
  },
  orType: 'You can also sign in by typing:',
  choice: 'Print',
  everything: 'all',
  columns: {
    number: 'No',
    pages: 'Pages',
    copies: 'Copies',
    color: 'Color',
    sides: 'Sides',
    cost: 'Cost',
    document: 'Document',
  },
  color: 'color',
  grey: 'grey',
  oneSided: '1',
  twoSided: '2',
  standings: {
    releasable: '',
    'may-have-printed': 'printed?',
    unavailable: 'not here',
    printing: 'printing',
  },
  tooDear: 'too high',
  keys: {
    ways: 'Press a number.',
    field: 'Enter: continue   Esc: back',
    choice: '1,3-5: choose   a: all   Enter: print   Esc: undo   l: sign out',
    paging: 'n: next page   b: previous page',
    many: 'y: print   Esc: back',
    doubt: 'r: print it again   t: it is in the tray   Esc: back',
    wait: 'l: sign out',
  },
  endsIn: (seconds) => `You are signed out in ${seconds} s`,
  balance: (balance) => `Balance ${balance}`,
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  total: totalText,
  many: (total) => `Print all of this? ${totalText(total)}`,
  mayHavePrinted: doubtText,
  noSuchNumber: (number) => `There is no document ${number}.`,
  notNow: (number) => `Document ${number} cannot be printed now.`,
  askAlone: (number) => `Document ${number} may have been printed already. Choose it alone.`,
  notUnderstood: 'Type numbers, as in 1,3-5, or a for all.',
  notHere: 'You may not print at this printer. Your documents wait at your other printers.',
};
