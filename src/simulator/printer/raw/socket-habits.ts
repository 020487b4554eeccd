/** The habits of the virtual raw printer, by name (AppSocket, port 9100). Each source was checked. */
import type { HabitTable, WishIn } from '../../habit-table.ts';

/** The meaning of PJL status codes, by Brother. 41xxx: a paper source is empty. */
const statusCodes =
  'https://www.manualshelf.com/manual/brother/hl-5350dn/command-reference-guide-for-software-developers-catalan-german-english-french-vietnamese/page-284.html';

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
  'closes-first': {
    does: 'it ends the connection as soon as it has read the end of the job, before the sender ends its half',
    who: 'HP printers are in a hurry to close; print servers that know where a job ends need not wait',
    source: 'https://github.com/apple/cups/issues/2325',
  },
  'half-shut': {
    does: 'it ends its half of the connection at once, and reads on',
    who: 'what takes in one direction only, and says so in the way of TCP',
    source: 'RFC 9293 3.6.1',
  },
  'resets-at-end': {
    does: 'it prints, and then breaks the connection by a reset instead of ending it',
    who: 'printers and print servers that free a connection by breaking it',
    source: 'RFC 9293 3.6.1',
  },
  'puts-out': {
    does: 'it lets so many connections in and closes each at once, unread',
    who: 'print servers with room for one connection, or out of memory',
    source: 'https://github.com/apple/cups/issues/1601',
    value: { means: 'connections', form: /^\d+$/, range: [0, 1000], usual: '3' },
  },
  pauses: {
    does: 'in the midst of a document it takes nothing for so long, as over a network that is gone',
    who: 'networks whose switch starts again; TCP itself goes on trying for 100 seconds and more',
    source: 'RFC 9293 3.8.3',
    value: { means: 'seconds', form: /^\d+(?:\.\d+)?$/, range: [0, 86_400], usual: '40' },
  },
  'talks-of-others': {
    does: 'it answers in PJL, and tells the jobs and the pages of others only',
    who: 'printers that print for several at once, and tell each of all',
    source: 'https://www.manualowl.com/m/Hewlett-Packard/5100tn/Manual/21716?page=194',
  },
  'answers-no-question': {
    does: 'it tells of its jobs in PJL, and does not answer how it is',
    who: 'printers with status messages, whose inquiries are switched off',
    source: 'https://freshmanuals.com/brother/hl-7050n/f7e8c62d19834b639d644a49af4095ff_page286',
  },
  'wants-paper': {
    does: 'its status is always this one, by which it wants paper for a tray; it is online, and prints',
    who: 'printers with several trays, one of them empty',
    source: statusCodes,
    value: { means: 'a status code', form: /^41\d{3}$/, usual: '41213' },
  },
  'stands-for-paper': {
    does: 'its status is always this one, and that it is not online; it prints all the same',
    who: 'printers that go on wanting what a job of somebody else was to be printed on',
    source: statusCodes,
    value: { means: 'a status code', form: /^41\d{3}$/, usual: '41213' },
  },
  'online-in-trouble': {
    does: 'its status is always this one, by which somebody has to see to it; it is online all the same, and prints',
    who: 'printers whose status stays behind: toner that is low, a tray or a bin that nobody needs',
    source: statusCodes,
    value: { means: 'a status code', form: /^4\d{4}$/, usual: '40038' },
  },
  'never-online': {
    does: 'it is ready (CODE=10001) and says besides, always, that it is not online',
    who: 'printers that mean another thing by online: their panel, or another interface',
    source: statusCodes,
  },
} as const satisfies HabitTable;

export type SocketHabitWish = WishIn<typeof socketPrinterHabits>;
