/**
 * The lasting habits of the virtual printer, by name. Each describes real devices and names a source, and a printer may
 * have several. A behaviour (`behaviour.ts`) is different: only one is active, and it ends.
 */
import type { HabitsOf, HabitTable, WishIn } from '../../habit-table.ts';
import { jobHabits } from './job-habits.ts';
import { speechHabits } from './speech-habits.ts';

const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;

const reason = { form: /^[a-z][a-z0-9-]{0,60}$/ } as const;

/** Habits that delay a job or seem to: paper, trays, the panel, or an end that never comes. */
const standingHabits = {
  complains: {
    does: 'printer-state-reasons always has this reason; it is idle, takes jobs, and prints them',
    who: 'Xerox with an empty bypass tray: media-empty, and it prints from the others',
    source: issue('apple/cups', 4656),
    value: { ...reason, means: 'the printer-state-reason', usual: 'media-empty-error' },
  },
  'lacks-paper': {
    does: 'it says media-empty-error, has this paper ready alone, and begins no job that asks for another',
    who: 'printers of two trays, of which one is empty: “one or more trays”',
    source: issue('apple/cups', 5776),
    value: { means: 'a size of PWG 5101.1', form: /^[a-z0-9._-]{1,60}$/, usual: 'na_letter_8.5x11in' },
  },
  'stays-pending': {
    does: 'it is idle and says media-empty-error all the time; jobs stay pending until somebody brings paper',
    who: 'the standard lets a job be pending for whatever reason the printer has',
    source: 'RFC 8011 5.3.7',
  },
  'holds-jobs': {
    does: 'each job is pending-held for this reason until somebody releases it at the panel',
    who: 'devices with a policy or a PIN: the ipp backend of CUPS stopped looking at such a job',
    source: issue('apple/cups', 2352),
    value: { ...reason, means: 'the job-state-reason', usual: 'job-hold-until-specified' },
  },
  'never-ends': {
    does: 'a job stays processing for good when all its pages are out and counted, and the printer is idle',
    who: 'Infrastructure printers of ippserver; Pantum M6559NW for a minute (OpenPrinting/cups#648)',
    source: issue('istopwg/ippsample', 189),
  },
} as const satisfies HabitTable;

/**
 * Habits of devices that answer in HTTP at the printer's address, before IPP. The answers are in `../habitual-answers.ts`.
 * Each source was checked.
 */
const webHabits = {
  'wants-tls': {
    does: 'requests without TLS are answered 426, every one or those with a document alone',
    who: 'CUPS with Encryption Required for all or for Send-Document',
    source: issue('apple/cups', 4125),
    value: { means: 'all or documents', form: /^(?:all|documents)$/, usual: 'all' },
  },
  'sends-elsewhere': {
    does: 'requests are answered by a redirect: to TLS, to another path or to another host',
    who: 'Kyocera ECOSYS P4060dn: 307 to a client of IPP; HP with HTTPS enforced',
    source: 'https://github.com/gmuth/ipp-client-kotlin/pull/28',
    value: { means: 'tls, path or host', form: /^(?:tls|path|host)$/, usual: 'tls' },
  },
  'other-path': {
    does: 'the printer is at this path alone, and 404 is said of every other',
    who: 'OKI C822: 404 at /ipp/print; Dell C2665dnf: /ipp; Epson ET-2550: 404 at /ipp/printer',
    source: issue('ctalkington/python-ipp', 515),
    value: { means: 'the path', form: /^\/[\w./-]*$/, usual: '/ipp' },
  },
  'missing-queue': {
    does: 'the printer is at this path alone, and client-error-not-found is said of every other',
    who: 'CUPS, of a queue that it does not have',
    source: issue('OpenPrinting/cups', 586),
    value: { means: 'the path', form: /^\/[\w./-]*$/, usual: '/printers/office' },
  },
  'no-printer': {
    does: 'there is no printer at any path: each request is answered by this status',
    who: 'Canon MF210: 404, and 406 at other paths',
    source: issue('BenoitDuffez/AndroidCupsPrint', 36),
    value: { means: '404, 405, 406, 410, 415 or 501', form: /^(?:404|405|406|410|415|501)$/, usual: '404' },
  },
  'web-page': {
    does: 'requests are answered 200 with a page of HTML, or with nothing at all',
    who: 'devices whose IPP is switched off, and networks that want a login first',
    source: issue('ctalkington/python-ipp', 96),
    value: { means: 'html or nothing', form: /^(?:html|nothing)$/, usual: 'html' },
  },
} as const satisfies HabitTable;

export const printerHabits = { ...jobHabits, ...standingHabits, ...speechHabits, ...webHabits };

export type HabitWish = WishIn<typeof printerHabits>;

export type Habits = HabitsOf<typeof printerHabits>;
