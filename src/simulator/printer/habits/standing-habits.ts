/**
 * Habits that delay a job or seem to: paper, trays, the panel, or an end that never comes. It is only a table, which
 * `habits.ts` reads.
 */
import type { HabitTable } from '../../habit-table.ts';

const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;

const reason = { form: /^[a-z][a-z0-9-]{0,60}$/ } as const;

export const standingHabits = {
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
