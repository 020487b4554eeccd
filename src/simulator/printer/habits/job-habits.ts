/**
 * Habits in the treatment of a job and its reports: counters, waits, names and ends. It is only a table, which
 * `habits.ts` reads. Each source was checked. RFC 8011 is the source if it allows the habit.
 */
import type { HabitTable } from '../../habit-table.ts';

const rfc8011 = (section: string) => `RFC 8011 ${section}`;
const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;

const pages = { means: 'pages', form: /^\d+$/, range: [0, 9999] } as const;
const time = { means: 'seconds', form: /^\d+(?:\.\d+)?$/, range: [0, 86_400] } as const;

export const jobHabits = {
  'counts-late': {
    does: 'the counters stay 0 while the job prints and are right once it has ended',
    who: 'LPrint and other printer applications of PAPPL, of a document that they pass on as it is',
    source: 'https://github.com/michaelrsweet/lprint/blob/master/lprint-tspl.c',
  },
  'counts-nothing-zero': {
    does: 'the counters are always 0, of completed jobs too',
    who: 'Canon TR4500',
    source: issue('gmuth/ipp-client-kotlin', 20),
  },
  'counts-nothing': {
    does: 'there are no counters: job-impressions-completed and job-media-sheets-completed are absent',
    who: 'Ricoh Aficio 2035',
    source: issue('apple/cups', 1762),
  },
  'counts-sheets': {
    does: 'job-impressions-completed counts the sheets: of two sides half of what came out',
    who: 'who takes an impression (a side) for a sheet of media, which the standard tells apart',
    source: rfc8011('5.3'),
  },
  finisher: {
    does: 'it staples, punches and folds, has three bins and four papers ready, and refuses what does not go together',
    who: 'office printers with a finisher; the attributes are those of the standard',
    source: 'RFC 8011 5.2.6',
  },
  'slow-rip': {
    does: 'each job is processing for so long before its first page, and no counter moves',
    who: 'HP LaserJet M507: 40 to 75 seconds a job',
    source: issue('apple/cups', 5970),
    value: { ...time, usual: '90' },
  },
  'warm-up': {
    does: 'the first job after a rest of a minute is processing for so long before its first page',
    who: 'any fuser that has to get hot; HP LaserJet M507 takes it out on every job',
    source: issue('apple/cups', 5970),
    value: { ...time, usual: '40' },
  },
  'holds-answer': {
    does: 'a document is answered only when its job has ended',
    who: 'printers whose IPP spool is off: they print while they receive',
    source: 'https://manualsdump.com/amp/en/manuals/152675/148',
  },
  'behind-others': {
    does: 'jobs of strangers stand in the queue before each of ours, which is pending meanwhile',
    who: 'any printer that many people share',
    source: rfc8011('5.3.7'),
    value: {
      means: 'how many, x, how many seconds each',
      form: /^\d{1,3}x\d{1,5}(?:\.\d+)?$/,
      usual: '3x20',
    },
  },
  'stops-while-processing': {
    does: 'the paper runs out after so many pages of each job: media-empty-error, and the job stays processing',
    who: 'Ricoh Aficio MP C3004: the job is processing while the printer says media-empty-error',
    source: issue('apple/cups', 5743),
    value: { ...pages, usual: '1' },
  },
  'cuts-names': {
    does: 'job-name comes back cut after so many octets, in the middle of a character if need be',
    who: 'HP and Lexmark keep 80 octets of a job name, older HP 127, others a buffer of 64 with or without its end',
    source: 'https://www.mib-explorer.com/en/mib/oid/1.3.6.1.4.1.11.2.3.9.4.2.1.1.6.5.1',
    value: {
      means: 'octets',
      form: /^\d+$/,
      range: [1, 255],
      usual: '63',
    },
  },
  'capital-names': {
    does: 'job-name comes back in capitals',
    who: 'HP Color LaserJet 4550: its job names are A to Z and 0 to 9',
    source:
      'https://www.manualshelf.com/manual/hp/hp-color-laserjet-4550-printer/hp-color-laserjet-4550-printer-family-software-technical-reference/page-50.html',
  },
  'ascii-names': {
    does: 'job-name comes back with a question mark for each character that is not ASCII',
    who: 'HP LaserJet Enterprise 500: characters below 32 and above 126 are not kept',
    source: 'https://www.manualslib.com/manual/474973/Hp-Laserjet-Enterprise-500.html?page=112',
  },
  'masks-names': {
    does: 'job-name comes back as asterisks',
    who: 'devices that hide names, as Konica Minolta bizhub C3300i does on its panel',
    source: 'https://konicaminoltaoffer.co.uk/Online-Manuals/Bizhub/C3300i/contents/opkey_114_S.html',
  },
  'empty-names': {
    does: 'job-name comes back empty',
    who: 'devices that hide the details of jobs, as Xerox Phaser 7100 does on its panel',
    source: 'https://www.manualshelf.com/manual/xerox/phaser-7100/administrator-s-guide-english/page-54.html',
  },
  'own-names': {
    does: 'every job is called Print, and its user Guest, whatever was asked for',
    who: 'HP PageWide Pro 477w and 452dw',
    source: issue('williamkapke/ipp', 44),
  },
  'hides-names': {
    does: 'job-name and job-originating-user-name are told to the user who made the job, and absent for others',
    who: 'CUPS as it is installed (JobPrivateAccess, JobPrivateValues)',
    source: issue('apple/cups', 5164),
  },
  'tells-no-uuid': {
    does: 'jobs have no job-uuid',
    who: 'printers of IPP/1.1 alone: job-uuid is not among the attributes of the standard itself',
    source: rfc8011('5.3'),
  },
  'tells-no-up-time': {
    does: 'printer-up-time and job-printer-up-time are absent',
    who: 'Konica Minolta bizhub C253 and others that answer with part of what is required',
    source: issue('OpenPrinting/cups-filters', 163),
  },
  restarts: {
    does: 'it restarts after so many pages of each job: no job is known, ids begin at 1, up-time at 0',
    who: 'printers whose firmware crashes in mid job',
    source: issue('apple/cups', 5544),
    value: { ...pages, usual: '1' },
  },
  'completes-with-errors': {
    does: 'jobs end completed with job-completed-with-errors; every page came out',
    who: 'the standard allows it',
    source: rfc8011('5.3.8'),
  },
  'completes-unprintable': {
    does: 'jobs end completed with such a reason; no page came out',
    who: 'Brother MFC 6900 takes a document, says document-format-error, and the job is over',
    source: issue('OpenPrinting/cups', 1703),
    value: { means: 'the job-state-reason', form: /^[a-z-]{1,60}$/, usual: 'document-unprintable-error' },
  },
  'completes-short': {
    does: 'jobs end completed with so many pages, which is all that came out',
    who: 'HP OfficeJet: completed with counters of 0 and nothing in the tray',
    source: issue('OpenPrinting/cups', 1254),
    value: { ...pages, usual: '1' },
  },
  'queued-in-device': {
    does: 'jobs are completed with queued-in-device once the document is there; pages come out after, uncounted',
    who: 'print servers in front of a device that says nothing back',
    source: rfc8011('5.3.8'),
  },
  'completes-aborted': {
    does: 'jobs end completed with aborted-by-system after so many pages',
    who: 'printers that end every job completed and leave the truth to job-state-reasons',
    source: rfc8011('5.3.8'),
    value: { ...pages, usual: '1' },
  },
  'canceled-at-panel': {
    does: 'somebody cancels each job at the panel after so many pages',
    who: 'HP OfficeJet 8010: job-state canceled at the printer, 0 sheets, while CUPS says completed',
    source: issue('OpenPrinting/cups-browsed', 76),
    value: { ...pages, usual: '1' },
  },
  'refuses-cancel': {
    does: 'Cancel-Job is answered client-error-not-possible once the job prints',
    who: 'Brother MFC 6900',
    source: issue('OpenPrinting/cups', 1703),
  },
  'forgets-at-once': {
    does: 'a job is not found as soon as it has ended',
    who: 'printers without a job history, and Windows 2003',
    source: issue('apple/cups', 4079),
  },
} as const satisfies HabitTable;
