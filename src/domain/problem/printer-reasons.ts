/**
 * The printer-state-reasons that printers give (RFC 8011 section 5.4.12, PWG 5100.9, PWG 5100.13, and `offline` of
 * CUPS) in our own words. Each has a sentence for the person at the printer and an advice for the operator. The table
 * also tells whether the reason keeps pages from coming out of a printer that stops for it; only its printer-state
 * tells whether it has stopped. A printer's own text is never shown (INVARIANTS.md B.4, 7 Print).
 */
import type { SaidReason } from './finisher-reasons.ts';
import { finisherReason } from './finisher-reasons.ts';
import type { PrinterNeed } from './printer-needs.ts';
import { needSentence } from './printer-needs.ts';

export interface PrinterReason extends SaidReason {
  readonly preventsPrinting: boolean;
  /** The need that a picture can show. */
  readonly need: PrinterNeed;
}

/** Without a need in the row, only a person who knows the printer can help. */
type Row = readonly [words: readonly string[], person: string, advice: string, need?: PrinterNeed];

/**
 * A part is empty, open, missing or jammed. It may be one tray of two, the cover of a bin, or one colour. Only
 * printer-state tells whether pages still come out (apple/cups#4656, apple/cups#5776).
 */
const hindrances: readonly Row[] = [
  // Paper.
  [['media-empty', 'media-path-input-empty'], needSentence('paper'), 'Add paper.', 'paper'],
  [
    ['media-needed', 'media-path-input-request', 'input-manual-input-request'],
    'The printer waits for paper.',
    'Add the paper that the display asks for.',
    'paper',
  ],
  [
    [
      'media-jam',
      'media-path-jam',
      'media-path-input-jam',
      'media-path-output-jam',
      'input-media-tray-jam',
      'output-media-tray-jam',
    ],
    needSentence('jam'),
    'Clear the jam. The display shows where.',
    'jam',
  ],
  [
    [
      'input-media-tray-feed-error',
      'output-media-tray-feed-error',
      'media-path-input-feed-error',
      'media-path-output-feed-error',
    ],
    'The printer cannot move its paper.',
    'Take the paper out and put it in again. Check the rollers.',
    'jam',
  ],
  [['input-tray-missing'], needSentence('tray'), 'Push the tray in.', 'tray'],
  [
    ['output-tray-missing', 'media-path-media-tray-missing'],
    'The output tray of the printer is missing.',
    'Put the output tray in its place.',
    'tray',
  ],
  [
    ['output-area-full', 'media-path-output-full', 'media-path-media-tray-full'],
    needSentence('output-full'),
    'Take the printed pages out.',
    'output-full',
  ],
  // Covers.
  [['cover-open'], 'A cover of the printer is open.', 'Close the covers.', 'door'],
  [['door-open', 'interlock-open'], needSentence('door'), 'Close the doors.', 'door'],
  // Ink and toner.
  [['toner-empty'], needSentence('toner'), 'Change the toner cartridge.', 'toner'],
  [['marker-ink-empty'], 'The printer is out of ink.', 'Change the ink cartridge.', 'toner'],
  [
    ['marker-supply-empty', 'marker-print-ribbon-empty'],
    'The printer is out of ink or toner.',
    'Change the cartridge that the display shows.',
    'toner',
  ],
  [
    [
      'marker-supply-missing',
      'marker-toner-missing',
      'marker-toner-cartridge-missing',
      'marker-ink-missing',
      'marker-print-ribbon-missing',
    ],
    'A cartridge of the printer is missing.',
    'Put in the cartridge that the display shows.',
    'toner',
  ],
  [
    ['marker-waste-full', 'marker-waste-toner-receptacle-full', 'marker-waste-ink-receptacle-full'],
    'The waste container of the printer is full.',
    'Change the container for waste toner or ink.',
  ],
  [
    ['marker-waste-missing', 'marker-waste-toner-receptacle-missing', 'marker-waste-ink-receptacle-missing'],
    'The waste container of the printer is missing.',
    'Put the container for waste toner or ink in its place.',
  ],
  [
    ['developer-empty', 'marker-developer-empty', 'marker-developer-missing'],
    'The printer needs a new developer unit.',
    'Change the developer unit.',
  ],
  // The engine.
  [
    ['opc-life-over', 'marker-opc-missing'],
    'The printer needs a new drum.',
    'Change the drum (the photoconductor).',
  ],
  [['fuser-over-temp'], 'The printer is too hot.', 'Let the printer cool down. Have the fuser checked.'],
  [
    ['fuser-under-temp'],
    'The printer is warming up.',
    'Wait a minute. If it does not help, have the fuser checked.',
  ],
  [
    [
      'marker-fuser-missing',
      'marker-fuser-thermistor-failure',
      'marker-fuser-timing-failure',
      'motor-failure',
      'fan-failure',
      'laser-failure',
      'media-path-failure',
    ],
    'The printer has a fault.',
    'Switch the printer off and on. If that does not help, call its service.',
  ],
  [['timed-out'], 'The printer does not answer its controller.', 'Switch the printer off and on.'],
  [
    ['spool-area-full'],
    'The memory of the printer is full.',
    'Wait until its jobs are printed, or delete held jobs at the printer.',
  ],
];

/**
 * These reasons are about jobs and not about a part: the printer was taken out of service, or holds new jobs. They
 * count in every printer-state, because a printer that only holds its new jobs is idle.
 */
const withdrawals: readonly Row[] = [
  [['paused', 'moving-to-paused'], 'The printer is paused.', 'Resume it at its panel or in the spooler.'],
  [['hold-new-jobs'], 'The printer is holding new documents.', 'Turn off “hold new jobs” at the printer.'],
  [['shutdown', 'power-down'], 'The printer is switched off.', 'Switch the printer on.'],
  [
    ['offline', 'deactivated'],
    'The printer is offline.',
    'Switch the printer online at its panel. Check its cable and network.',
  ],
];

/** With these reasons pages still come out, as long as the printer does not stop for them. */
const notices: readonly Row[] = [
  [['media-low'], 'The printer is low on paper.', 'Add paper.'],
  [
    ['output-area-almost-full', 'media-path-media-tray-almost-full'],
    'The output tray of the printer is almost full.',
    'Take the printed pages out.',
  ],
  [['toner-low'], 'The printer is low on toner.', 'Have a toner cartridge ready.'],
  [['marker-ink-almost-empty'], 'The printer is low on ink.', 'Have an ink cartridge ready.'],
  [
    ['marker-supply-low', 'marker-supply-almost-empty', 'marker-print-ribbon-almost-empty'],
    'The printer is low on ink or toner.',
    'Have the cartridge ready that the display shows.',
  ],
  [
    [
      'marker-waste-almost-full',
      'marker-waste-toner-receptacle-almost-full',
      'marker-waste-ink-receptacle-almost-full',
    ],
    'The waste container of the printer is almost full.',
    'Have a container for waste toner or ink ready.',
  ],
  [
    ['developer-low', 'marker-developer-almost-empty'],
    'The printer soon needs a new developer unit.',
    'Have a developer unit ready.',
  ],
  [['opc-near-eol'], 'The printer soon needs a new drum.', 'Have a drum (a photoconductor) ready.'],
  [
    [
      'input-pick-roller-life-warn',
      'input-pick-roller-life-over',
      'media-path-pick-roller-life-warn',
      'media-path-pick-roller-life-over',
      'cleaner-life-almost-over',
      'cleaner-life-over',
      'lamp-near-eol',
      'lamp-at-eol',
      'laser-near-eol',
      'laser-at-eol',
    ],
    'A part of the printer is worn out.',
    'Have the printer serviced. The display shows the part.',
  ],
  [
    [
      'input-pick-roller-failure',
      'input-pick-roller-missing',
      'input-media-tray-failure',
      'input-tray-elevation-failure',
      'input-tray-position-failure',
      'output-media-tray-failure',
      'media-path-pick-roller-failure',
      'media-path-pick-roller-missing',
      'output-mailbox-select-failure',
    ],
    'A tray of the printer has a fault.',
    'Take the tray out and put it back. If that does not help, call its service.',
  ],
  [
    [
      'input-cannot-feed-size-selected',
      'input-media-size-change',
      'input-media-type-change',
      'input-media-color-change',
      'input-media-weight-change',
      'input-media-form-parts-change',
    ],
    'The printer does not have the paper that this document needs.',
    'Add the paper that the display asks for.',
  ],
  [
    ['media-path-cannot-duplex-media-selected'],
    'The printer cannot print on both sides of its paper.',
    'Put in paper that it can turn.',
  ],
  [['media-drying'], 'The printer is letting its pages dry.', 'Wait a minute.'],
  [['marker-adjusting-print-quality'], 'The printer is adjusting itself.', 'Wait a minute.'],
  [['marker-cleaner-missing'], 'A part of the printer is missing.', 'The display shows the part.'],
  [
    [
      'interpreter-resource-unavailable',
      'interpreter-complex-page-encountered',
      'interpreter-memory-decrease',
    ],
    'A page was too complex for the printer.',
    'Print fewer pages at once, or use another format. More memory helps.',
  ],
  [
    ['lamp-failure', 'camera-failure'],
    'The scanner of the printer has a fault.',
    'Printing still works. Call its service.',
  ],
  [
    ['connecting-to-device'],
    'Platen is connecting to the printer.',
    'Wait a minute. Then check that the printer is on.',
  ],
  [['stopping'], 'The printer is stopping.', 'Wait a minute. The display shows why.'],
  [['stopped-partly'], 'A part of the printer is stopped.', 'The display shows which part, and why.'],
  [
    ['power-up', 'printer-manual-reset', 'printer-nms-reset'],
    'The printer is starting.',
    'Wait until the printer is ready.',
  ],
  [
    ['identify-printer-requested'],
    'The printer is showing where it is.',
    'Nothing is wrong. Somebody is looking for this printer.',
  ],
];

const rowsOf = (rows: readonly Row[], common: Pick<PrinterReason, 'preventsPrinting'>) =>
  rows.flatMap(([words, person, advice, need = 'somebody']) =>
    words.map((word) => [word, { person, advice, need, ...common }] as const),
  );

const reasons: ReadonlyMap<string, PrinterReason> = new Map([
  ...rowsOf(hindrances, { preventsPrinting: true }),
  ...rowsOf(withdrawals, { preventsPrinting: true }),
  ...rowsOf(notices, { preventsPrinting: false }),
]);

/** `undefined` for a reason of no standard, such as a manufacturer's own. */
export const printerReason = (reason: string): PrinterReason | undefined => {
  const { word } = partsOf(reason);
  const finisher = finisherReason(word);
  return reasons.get(word) ?? (finisher && { ...finisher, preventsPrinting: false, need: 'somebody' });
};

/** A reason is a word and, with many printers, a severity. Some words themselves end like a severity. */
function partsOf(reason: string): { word: string; severity?: string } {
  const [, word, severity] = /^(.+)-(report|warning|error)$/.exec(reason) ?? [];
  const isWhole = reasons.has(reason) || finisherReason(reason) !== undefined;
  return word === undefined || severity === undefined || isWhole ? { word: reason } : { word, severity };
}

/**
 * By its words it may keep pages from coming out. Many printers leave the severity out. A report or a warning never
 * stops pages.
 */
export function hinders(reason: string): boolean {
  const { word, severity } = partsOf(reason);
  if (severity === 'report' || severity === 'warning') return false;
  return reasons.get(word)?.preventsPrinting ?? false;
}

const withdrawn: ReadonlySet<string> = new Set(withdrawals.flatMap(([words]) => words));

/** It keeps pages from coming out in every printer-state. */
export const withdraws = (reason: string): boolean => hinders(reason) && withdrawn.has(partsOf(reason).word);

/** A tray has run out, whatever severity the printer gives. */
export const isAboutPaper = (reason: string): boolean => printerReason(reason)?.need === 'paper';

/** The first reason that has a sentence. Reasons that keep pages from coming out come before the others. */
export function foremostReason(said: readonly string[]): PrinterReason | undefined {
  const known = said.filter((reason) => printerReason(reason) !== undefined);
  const foremost = known.find(hinders) ?? known[0];
  return foremost === undefined ? undefined : printerReason(foremost);
}
