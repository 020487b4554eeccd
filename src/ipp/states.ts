/** The enums job-state (RFC 8011 section 5.3.7) and printer-state (section 5.4.11) under their registered names. */
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
