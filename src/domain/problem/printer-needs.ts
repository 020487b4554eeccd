/**
 * The needs of a printer that a person in front can satisfy (the printer-state-reasons of RFC 8011, 5.4.12). The
 * English words are here only. Page and prompt get them by `phrases/en.ts`; a view, the status and the log by this
 * file. `somebody`: only a person who knows the printer can help. `administrator`: has no reason, but the printer
 * answers and must not be used.
 */

interface NeedPhrases {
  /** Without a full stop. */
  readonly what: string;
  /** For the person in front. */
  readonly todo: string;
  /** In two words, for the person who maintains it. */
  readonly short: string;
}

export const printerNeeds = {
  paper: {
    what: 'The printer is out of paper',
    todo: 'Please add paper, or tell somebody.',
    short: 'needs paper',
  },
  jam: {
    what: 'Paper is jammed in the printer',
    todo: 'Please take it out carefully, or tell somebody.',
    short: 'paper jam',
  },
  door: {
    what: 'A door of the printer is open',
    todo: 'Please close it.',
    short: 'door open',
  },
  toner: {
    what: 'The printer is out of toner',
    todo: 'Please tell somebody.',
    short: 'needs toner',
  },
  tray: {
    what: 'A paper tray of the printer is missing',
    todo: 'Please push it in.',
    short: 'tray missing',
  },
  'output-full': {
    what: 'The output tray of the printer is full',
    todo: 'Please take the pages out.',
    short: 'output full',
  },
  somebody: {
    what: 'The printer needs attention',
    todo: 'Please look at its display, or tell somebody.',
    short: 'needs somebody',
  },
  administrator: {
    what: 'The printer cannot be used',
    todo: 'An administrator has to check it.',
    short: 'not usable',
  },
} as const satisfies Readonly<Record<string, NeedPhrases>>;

export type PrinterNeed = keyof typeof printerNeeds;

export const needSentence = (need: PrinterNeed): string => `${printerNeeds[need].what}.`;

/** `undefined` if it waits for nothing. A need of a newer agent is shown as it is. */
export function needText(need: string | null | undefined): string | undefined {
  if (typeof need !== 'string') return undefined;
  return Object.hasOwn(printerNeeds, need) ? printerNeeds[need as PrinterNeed].short : need;
}
