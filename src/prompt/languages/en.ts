/**
 * The texts of the prompt that the page does not have. The gettext catalogues beside this file cover languages whose
 * letters are in a Latin 9 console font. Letters before a colon are keys and are not translated.
 */
import type { Message } from '../../phrases/sentence.ts';

export const prompted = {
  orType: 'You can also sign in by typing:',
  print: 'Print',
  everything: 'all',
  endsIn: 'You are signed out in {n} s',
  pageOf: 'Page {n} of {of}',

  // Heads and cells of the list. They have room for three to six letters, the cost for eight.
  number: 'No',
  pages: 'Pages',
  copies: 'Copies',
  color: 'Color',
  sides: 'Sides',
  cost: 'Cost',
  document: 'Document',
  inColor: 'color',
  inGrey: 'grey',
  mayHavePrinted: 'printed?',
  unavailable: 'not here',
  printing: 'printing',
  tooDear: 'too high',

  keysWays: 'Press a number.',
  keysField: 'Enter: continue   Esc: back',
  keysChoice: '1,3-5: choose   a: all   Enter: print   Esc: undo   l: sign out',
  keysPaging: 'n: next page   b: previous page',
  keysMany: 'y: print   Esc: back',
  keysDoubt: 'r: print it again   t: it is in the tray   Esc: back',
  keysWait: 'l: sign out',

  othersAreAsked:
    'The other printers are being asked about document {n}. Print it if you know that it did not come out.',
  lookAtTray: 'Document {n} may have been printed already. Please look at the tray.',
  printedThere: 'Document {n} was printed at {place}.',
  lookThere: 'Document {n} may have printed at {place}: look there first.',
  noSuchNumber: 'There is no document {n}.',
  notNow: 'Document {n} cannot be printed now.',
  askAlone: 'Document {n} may have been printed already. Choose it alone.',
  notUnderstood: 'Type numbers, as in 1,3-5, or a for all.',
} as const satisfies Readonly<Record<string, Message>>;
