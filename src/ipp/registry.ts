/**
 * Status codes, states and operations of IPP under their registered names. The status codes are those of RFC 8011
 * appendix B; the codes for documents, accounts and several jobs are from PWG 5100.13, PWG 5100.16 and RFC 3998.
 */

export const statusCodes = {
  'successful-ok': 0x0000,
  'successful-ok-ignored-or-substituted-attributes': 0x0001,
  'successful-ok-conflicting-attributes': 0x0002,
  'client-error-bad-request': 0x0400,
  'client-error-forbidden': 0x0401,
  'client-error-not-authenticated': 0x0402,
  'client-error-not-authorized': 0x0403,
  'client-error-not-possible': 0x0404,
  'client-error-timeout': 0x0405,
  'client-error-not-found': 0x0406,
  'client-error-gone': 0x0407,
  'client-error-request-entity-too-large': 0x0408,
  'client-error-request-value-too-long': 0x0409,
  'client-error-document-format-not-supported': 0x040a,
  'client-error-attributes-or-values-not-supported': 0x040b,
  'client-error-uri-scheme-not-supported': 0x040c,
  'client-error-charset-not-supported': 0x040d,
  'client-error-conflicting-attributes': 0x040e,
  'client-error-compression-not-supported': 0x040f,
  'client-error-compression-error': 0x0410,
  'client-error-document-format-error': 0x0411,
  'client-error-document-access-error': 0x0412,
  'client-error-document-password-error': 0x0418,
  'client-error-document-permission-error': 0x0419,
  'client-error-document-security-error': 0x041a,
  'client-error-document-unprintable-error': 0x041b,
  'client-error-account-info-needed': 0x041c,
  'client-error-account-closed': 0x041d,
  'client-error-account-limit-reached': 0x041e,
  'client-error-account-authorization-failed': 0x041f,
  'server-error-internal-error': 0x0500,
  'server-error-operation-not-supported': 0x0501,
  'server-error-service-unavailable': 0x0502,
  'server-error-version-not-supported': 0x0503,
  'server-error-device-error': 0x0504,
  'server-error-temporary-error': 0x0505,
  'server-error-not-accepting-jobs': 0x0506,
  'server-error-busy': 0x0507,
  'server-error-job-canceled': 0x0508,
  'server-error-multiple-document-jobs-not-supported': 0x0509,
  'server-error-printer-is-deactivated': 0x050a,
  'server-error-too-many-jobs': 0x050b,
  'server-error-too-many-documents': 0x050c,
} as const;
export type Status = keyof typeof statusCodes;

const names = new Map<number, string>(Object.entries(statusCodes).map(([name, code]) => [code, name]));

export const statusName = (code: number): string =>
  names.get(code) ?? `0x${code.toString(16).padStart(4, '0')}`;

/** RFC 8011 section B.1.2: 0x0000 to 0x00ff. */
export const isSuccessful = (code: number): boolean => code >= 0 && code <= 0x00ff;

/** Job-state (RFC 8011 section 5.3.7) and printer-state (section 5.4.11). */
export const jobStates = {
  pending: 3,
  'pending-held': 4,
  processing: 5,
  'processing-stopped': 6,
  canceled: 7,
  aborted: 8,
  completed: 9,
} as const;

export const printerStates = { idle: 3, processing: 4, stopped: 5 } as const;

type JobStateName = keyof typeof jobStates;
type PrinterStateName = keyof typeof printerStates;

const isJobState = (name: string): name is JobStateName => name in jobStates;
const isPrinterState = (name: string): name is PrinterStateName => name in printerStates;

/** `undefined` for an unknown number. */
export const jobStateName = (number: number | undefined): JobStateName | undefined =>
  Object.keys(jobStates)
    .filter(isJobState)
    .find((name) => jobStates[name] === number);

export const printerStateName = (number: number | undefined): PrinterStateName | undefined =>
  Object.keys(printerStates)
    .filter(isPrinterState)
    .find((name) => printerStates[name] === number);

/** RFC 8011 section 5.4.15, PWG 5100.11 and 5100.13; CUPS has its own. */
export const operations = {
  'Print-Job': 0x0002,
  'Validate-Job': 0x0004,
  'Create-Job': 0x0005,
  'Send-Document': 0x0006,
  'Cancel-Job': 0x0008,
  'Get-Job-Attributes': 0x0009,
  'Get-Jobs': 0x000a,
  'Get-Printer-Attributes': 0x000b,
  'Cancel-My-Jobs': 0x0039,
  'Close-Job': 0x003b,
  'Identify-Printer': 0x003c,
  'CUPS-Get-Printers': 0x4002,
} as const;
export type Operation = keyof typeof operations;

/** `finishings` (RFC 8011 section 5.2.6, PWG 5100.1 table 2). 3 is `none`. */
const finishings: Readonly<Record<string, number>> = {
  staple: 4,
  punch: 5,
  cover: 6,
  bind: 7,
  'saddle-stitch': 8,
  'edge-stitch': 9,
  fold: 10,
  trim: 11,
  bale: 12,
  'booklet-maker': 13,
  'jog-offset': 14,
  coat: 15,
  laminate: 16,
  'staple-top-left': 20,
  'staple-bottom-left': 21,
  'staple-top-right': 22,
  'staple-bottom-right': 23,
  'edge-stitch-left': 24,
  'edge-stitch-top': 25,
  'edge-stitch-right': 26,
  'edge-stitch-bottom': 27,
  'staple-dual-left': 28,
  'staple-dual-top': 29,
  'staple-dual-right': 30,
  'staple-dual-bottom': 31,
  'staple-triple-left': 32,
  'staple-triple-top': 33,
  'staple-triple-right': 34,
  'staple-triple-bottom': 35,
  'bind-left': 50,
  'bind-top': 51,
  'bind-right': 52,
  'bind-bottom': 53,
  'punch-top-left': 70,
  'punch-bottom-left': 71,
  'punch-top-right': 72,
  'punch-bottom-right': 73,
  'punch-dual-left': 74,
  'punch-dual-top': 75,
  'punch-dual-right': 76,
  'punch-dual-bottom': 77,
  'punch-triple-left': 78,
  'punch-triple-top': 79,
  'punch-triple-right': 80,
  'punch-triple-bottom': 81,
  'punch-quad-left': 82,
  'punch-quad-top': 83,
  'punch-quad-right': 84,
  'punch-quad-bottom': 85,
  'punch-multiple-left': 86,
  'punch-multiple-top': 87,
  'punch-multiple-right': 88,
  'punch-multiple-bottom': 89,
  'fold-accordion': 90,
  'fold-double-gate': 91,
  'fold-gate': 92,
  'fold-half': 93,
  'fold-half-z': 94,
  'fold-left-gate': 95,
  'fold-letter': 96,
  'fold-parallel': 97,
  'fold-poster': 98,
  'fold-right-gate': 99,
  'fold-z': 100,
  'fold-engineering-z': 101,
};

const finishingNames = new Map(Object.entries(finishings).map(([name, number]) => [number, name]));

export const finishingNumber = (name: string): number | undefined => finishings[name];
/** `undefined` for `none`, and for what only its maker knows. */
export const finishingName = (number: number): string | undefined => finishingNames.get(number);

/** `print-quality` (RFC 8011 section 5.2.13). */
export const printQualities = { draft: 3, normal: 4, high: 5 } as const;
