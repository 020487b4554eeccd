/**
 * Habits in the protocol of printers: refusals, versions, answers and connections. It is only a table, which
 * `habits.ts` reads. Each source was checked.
 */
import type { HabitTable } from '../../habit-table.ts';

const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;

const time = { means: 'seconds', form: /^\d+(?:\.\d+)?$/, range: [0, 86_400] } as const;
const refusal = { means: '0400, 0403, 0406 or 0501', form: /^0(?:400|403|406|501)$/ };
/** A refusal in IPP, only in HTTP, or by closing the connection. */
const questionRefusal = {
  means: '0400, 0403, 0406, 0500, 0501, 0507, http-404, http-405, http-500, http-503, html or closes',
  form: /^(?:0(?:400|403|406|500|501|507)|http-(?:404|405|500|503)|html|closes)$/,
};
const validationRefusal = {
  means: '0400, 0406, 040b, 0500, 0501, http-404, http-405, http-500, html or closes',
  form: /^(?:0(?:400|406|40b|500|501)|http-(?:404|405|500)|html|closes)$/,
};
const template = { means: 'names of job attributes, with +', form: /^[a-z-]+(?:\+[a-z-]+)*$/ };
const versionRefusal = {
  means: '0503, 0400, http-400, http-505, or request-id-0: 0503 with that request-id',
  form: /^(?:0503|0400|http-400|http-505|request-id-0)$/,
  usual: '0503',
};

export const speechHabits = {
  sleeping: {
    does: 'asleep, it takes a connection and is silent for so long; it falls asleep after five minutes of rest',
    who: 'Canon TS8350a: 18 seconds to its first answer; HP ENVY 7640: 20',
    source: issue('home-assistant/core', 180543),
    value: { ...time, usual: '18' },
  },
  'sleeping-deaf': {
    does: 'asleep, it breaks the connection that wakes it and takes none for so long',
    who: 'printers that cannot be reached from sleep: HP, Epson and Brother time out or refuse',
    source: issue('home-assistant/core', 93006),
    value: { ...time, usual: '18' },
  },
  'busy-at-send': {
    does: 'so many times in a row a document is answered server-error-busy without being read, then one is taken',
    who: 'printers that make a job before they know whether they can print it',
    source: issue('apple/cups', 2951),
    value: { means: 'times', form: /^\d+$/, range: [1, 999_999], usual: '2' },
  },
  rejecting: {
    does: 'printer-is-accepting-jobs is false and printer-state idle; jobs are refused',
    who: 'every queue of CUPS after cupsreject',
    source: issue('google/cloud-print-connector', 233),
  },
  'rejects-at-send': {
    does: 'it says that it accepts jobs, and answers a document server-error-not-accepting-jobs',
    who: 'Samsung ML-2151N, now and then',
    source: issue('apple/cups', 1075),
  },
  'refuses-compression-at-send': {
    does: 'compression-supported lists gzip, and a document that comes so is refused',
    who: 'the standard has this answer; a refusal so late is what a client forgets',
    source: 'RFC 8011 4.3.1',
  },
  'cannot-unpack': {
    does: 'compression-supported lists gzip; a packed document is answered client-error-compression-error, and its job waits for another or is aborted with compression-error',
    who: 'the standard has both for a printer whose gzip is not what it says',
    source: 'RFC 8011 B.1.4.17',
    value: { means: 'waits, or aborts', form: /^(?:waits|aborts)$/, usual: 'waits' },
  },
  'refuses-document-name': {
    does: 'document-name is refused as an attribute that is not supported',
    who: 'printers that refuse operation attributes they do not expect; CUPS only warns of them',
    source: issue('apple/cups', 4086),
  },
  'refuses-job-name': {
    does: 'job-name is refused as an attribute that is not supported',
    who: 'Canon, with requesting-user-name; CUPS where it is not well-formed',
    source: issue('williamkapke/ipp', 17),
    value: { means: 'any, or not-ascii', form: /^(?:any|not-ascii)$/, usual: 'any' },
  },
  'refuses-user-name': {
    does: 'requesting-user-name is refused as an attribute that is not supported, where a job is made',
    who: 'Canon, with job-name',
    source: issue('williamkapke/ipp', 17),
    value: { means: 'any, or not-ascii', form: /^(?:any|not-ascii)$/, usual: 'any' },
  },
  'refuses-validation': {
    does: 'Validate-Job is refused, and every job is made and printed',
    who: 'Livebox 2 with server-error-operation-not-supported, and Novell; others call the request bad',
    source: issue('apple/cups', 4081),
    value: { ...validationRefusal, usual: '0501' },
  },
  'refuses-wishes': {
    does: 'a job that asks for one of these attributes is refused, though the printer lists them',
    who: 'printers that refuse what they were to ignore; CUPS had it with document-format',
    source: issue('apple/cups', 4086),
    value: { ...template, usual: 'sides' },
  },
  'ignores-wishes': {
    does: 'these attributes of a job are ignored, which the answer says, though the printer lists them',
    who: 'the standard has this answer for a printer that cannot do as it was asked',
    source: 'RFC 8011 4.1.7',
    value: { ...template, usual: 'sides' },
  },
  'refuses-jobs': {
    does: 'every job is refused for who wants it: a quota is used up, or the user may not print',
    who: 'cupsd says 0404 of a quota that is used up and 0403 of a user that is not on the list',
    source: 'https://github.com/OpenPrinting/cups/blob/master/scheduler/ipp.c',
    value: { means: '0401, 0403, 0404 or 041e', form: /^04(?:0[134]|1e)$/, usual: '0404' },
  },
  'trips-over-names': {
    does: 'a job of a user with a backslash, or with a name that is not ASCII, is refused, and nothing says for what',
    who: 'Kyocera ECOSYS P3155dn with DOMAIN\\user; printers that stumble over titles',
    source: issue('OpenPrinting/cups', 1145),
    value: { means: '0400 or 0500', form: /^0(?:400|500)$/, usual: '0400' },
  },
  'denies-at-send': {
    does: 'Create-Job is free, a document without credentials is answered 401',
    who: 'CUPS with a policy for Send-Document alone',
    source: issue('apple/cups', 3704),
  },
  'refuses-job-questions': {
    does: 'Get-Job-Attributes is always refused',
    who: 'Ricoh and HP with client-error-bad-request',
    source: issue('gmuth/ipp-client-kotlin', 40),
    value: { ...questionRefusal, usual: '0400' },
  },
  'refuses-job-lists': {
    does: 'Get-Jobs is always refused',
    who: 'RISO, with client-error-not-found',
    source: issue('HPInc/jipp', 191),
    value: { ...refusal, usual: '0406' },
  },
  'interim-answers': {
    does: 'interim answers come before the answer, 100 Continue without being asked for',
    who: 'Xerox Phaser 8200; RFC 9110 15.2 wants them parsed',
    source: issue('apple/cups', 716),
    value: {
      means: '100, 102, 103, or several with +',
      form: /^10[023](?:\+10[023]){0,2}$/,
      usual: '100+102+103',
    },
  },
  'only-ipp-1.1': {
    does: 'IPP/2.0 is refused; IPP/1.1 and 1.0 are understood',
    who: 'Konica Minolta bizhub C253; CUPS 1.3 with HTTP 400; OKI C822',
    source: issue('OpenPrinting/cups-filters', 163),
    value: versionRefusal,
  },
  'only-ipp-1.0': {
    does: 'all but IPP/1.0 is refused',
    who: 'TP-Link TL-WPS510U, with request-id 0; Windows print servers',
    source: issue('williamkapke/ipp', 15),
    value: versionRefusal,
  },
  'print-job-only': {
    does: 'Create-Job and Send-Document are neither listed nor known',
    who: 'older printers; CUPS has a way of its own for them',
    source: 'https://github.com/OpenPrinting/cups/pull/866',
  },
  'no-content-type': {
    does: 'its answers have no Content-Type',
    who: 'HP DeskJet 4530, HP OfficeJet 6830',
    source: issue('gmuth/ipp-client-kotlin', 11),
  },
  'wrong-content-type': {
    does: 'its answers have another Content-Type',
    who: 'printers that RFC 8010 3.4.3 has not reached; the tools of the PWG check it',
    source: issue('istopwg/ippsample', 39),
    value: { means: 'the type', form: /^[a-z]+\/[a-z.+-]+$/, usual: 'text/html' },
  },
  'broken-answers': {
    does: 'its answers have an empty group before the full one, or a part that breaks the rules: a member without a value, a collection without its end, a stray memberAttrName, no end-of-attributes, or what it tells in another group',
    who: 'Kyocera FS-4200DN (a memberAttrName where none may be); Canon MF262dw II sends collections that cannot be read (OpenPrinting/cups#1149)',
    source: issue('OpenPrinting/cups', 755),
    value: {
      means: 'empty-group, split-groups, no-value, no-end, stray-member, no-last-tag or wrong-group',
      form: /^(?:empty-group|split-groups|no-value|no-end|stray-member|no-last-tag|wrong-group)$/,
      usual: 'stray-member',
    },
  },
  'absurd-integers': {
    does: 'numbers that become lengths and sizes are negative or as high as can be: job-password-supported, copies-supported, resolutions, octets, times',
    who: 'printers that attack who asks them (CVE-2026-39314: a negative job-password-supported)',
    source: 'https://nvd.nist.gov/vuln/detail/CVE-2026-39314',
  },
  'no-printer-state': {
    does: 'printer-state and printer-state-reasons are absent',
    who: 'printers that answer with part of what is required',
    source: issue('OpenPrinting/cups-filters', 163),
  },
  'wrong-request-id-in-errors': {
    does: 'errors are answered with request-id 0',
    who: 'TP-Link TL-WPS510U and other print servers',
    source: issue('williamkapke/ipp', 23),
  },
  'closes-every-connection': {
    does: 'each connection is closed after its answer',
    who: 'print servers of HTTP/1.0, as in Lexmark T620dn',
    source: issue('apple/cups', 2683),
  },
  'hangs-up': {
    does: 'each connection is closed after its answer, and no header says so',
    who: 'printers that testers of Platen met; the kind that announces it is that of closes-every-connection',
    source: issue('apple/cups', 2683),
    value: { means: 'milliseconds after the answer', form: /^\d+$/, range: [0, 1000], usual: '0' },
  },
  'one-connection-at-a-time': {
    does: 'while one connection is open every other is silent',
    who: 'printers whose IPP spool is off: while they print for one they hear nobody else',
    source: 'https://manualsdump.com/amp/en/manuals/152675/148',
  },
} as const satisfies HabitTable;
