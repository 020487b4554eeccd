/** The lasting habits the virtual raw printer can have, by name (AppSocket, port 9100). A table; each source was looked up. */
import type { HabitTable, WishIn } from '../../habit-table.ts';

export const socketPrinterHabits = {
  'prints-empty-connections': {
    does: 'every connection without a document is a job called Untitled, of no octets; a question too',
    who: 'printer applications of PAPPL',
    source: 'https://github.com/michaelrsweet/pappl/blob/master/pappl/printer-raw.c',
  },
  'closes-late': {
    does: 'its half of the connection stays open for so long after the sender has ended',
    who: 'HP LaserJet Pro 400, Lexmark T640, OKI B411: ten seconds to a minute',
    source: 'https://github.com/apple/cups/issues/4620',
    value: { means: 'seconds', form: /^\d+(?:\.\d+)?$/, range: [0, 86_400], usual: '10' },
  },
  'answers-nothing': {
    does: 'takes everything and never says a word, whatever it is asked in PJL',
    who: 'printers that take in one direction only, and those whose status readback is off',
    source: 'https://github.com/apple/cups/issues/5425',
  },
} as const satisfies HabitTable;

export type SocketHabitWish = WishIn<typeof socketPrinterHabits>;
