/**
 * The progress of the released documents. If the frame has no progress, they count as under way. A document that the
 * service or a printer has accepted is done. Only a confirmed one is "printed" (I12).
 */
import type { DocumentProgress, DocumentView, PrinterView } from '../domain/terminal/terminal-view.ts';
import type { SentenceKey } from './message.ts';
import type { Phrases } from './phrases.ts';
import type { Shown } from './shown.ts';

type Stage = DocumentProgress['stage'];

export const progressOf = ({ progress, documents = [] }: Shown): readonly DocumentProgress[] =>
  progress ??
  documents
    .filter(({ standing }) => standing === 'printing')
    .map(({ uuid, name }) => ({ documentUuid: uuid, name, stage: 'printing' }));

/** First the documents that come out now, then failures, then waiting documents; finished ones are last. */
const ranks: Readonly<Record<Stage, number>> = {
  printing: 0,
  converting: 0,
  downloading: 1,
  failed: 2,
  unknown: 2,
  waiting: 3,
  'handed-over': 4,
  printed: 4,
};

export const byUrgency = (rows: readonly DocumentProgress[]): readonly DocumentProgress[] =>
  rows.toSorted((one, other) => ranks[one.stage] - ranks[other.stage]);

type Wait = NonNullable<DocumentProgress['wait']>;

export const waitWords: Readonly<Record<Wait, SentenceKey>> = {
  'waking-up': 'printerWakesUp',
  busy: 'printerHasAnother',
  rejecting: 'printerTakesNone',
  held: 'printerHolds',
  'engine-away': 'oneMoment',
};

/** The reason why the printer lets a document wait, from the first such document. */
export function waitOf(frame: Shown): SentenceKey | undefined {
  const wait = progressOf(frame).find((one) => one.wait)?.wait;
  return wait && waitWords[wait];
}

/** The reason why nothing comes out of the printer now, if it is visible. */
export function haltOf(printer: PrinterView | undefined): SentenceKey | undefined {
  if (printer?.lamp === 'needs-attention') return 'printingStopped';
  return printer?.lamp === 'unreachable' ? 'printerAway' : undefined;
}

export interface Tally {
  readonly all: number;
  /** Printed, or sent to a printer that gives no confirmation. */
  readonly done: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly isOver: boolean;
}

export function tallyOf(rows: readonly Pick<DocumentProgress, 'stage'>[]): Tally {
  const count = (...stages: readonly Stage[]) => rows.filter(({ stage }) => stages.includes(stage)).length;
  const tally = {
    all: rows.length,
    done: count('printed', 'handed-over'),
    sent: count('handed-over'),
    failed: count('failed'),
    unknown: count('unknown'),
  };
  return { ...tally, isOver: tally.all > 0 && endedOf(tally) === tally.all };
}

export const endedOf = ({ done, failed, unknown }: Omit<Tally, 'isOver'>): number => done + failed + unknown;

/** The result after all documents have ended. */
export function verdictOf({ done, sent, failed, unknown }: Tally): SentenceKey {
  if (unknown > 0) return 'printingLook';
  if (done === 0) return 'printingNone';
  if (failed > 0) return 'printingSome';
  return sent > 0 ? 'printingSent' : 'printingDone';
}

/**
 * The result if nothing is left to print or to answer. A document with an unknown result that is no longer in the list
 * does not count, because a person has looked for it.
 */
export function lastVerdictOf({ documents = [], progress = [] }: Shown): SentenceKey | undefined {
  const tally = tallyOf(progress.filter(({ stage }) => stage !== 'unknown'));
  return documents.every(isOfNoUse) && tally.isOver ? verdictOf(tally) : undefined;
}

const isOfNoUse = ({ why }: DocumentView): boolean => why === 'gone' || why === 'already-printed';

/** `2 of 5 done · 1 not printed`. It changes with each finished document, but not with each page. */
export function sayTally({ all, done, failed, unknown }: Tally, { say }: Phrases): string {
  return [
    say('doneOf', { n: done, of: all }),
    failed > 0 ? say('notPrintedN', { n: failed }) : undefined,
    unknown > 0 ? say('notConfirmedN', { n: unknown }) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}
