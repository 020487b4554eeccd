/**
 * The printers of a terminal, as the conversation with a person meets them: their state, and the properties that they
 * can print.
 */
import type { PrinterCan } from '../../domain/document-changes.ts';
import { isTwoSided } from '../../domain/document-changes.ts';
import type { Document } from '../../domain/document.ts';
import type { PaperWork, WorkedOn } from '../../domain/printer/paper-work.ts';
import type { PrinterView } from '../../domain/terminal/terminal-view.ts';

/** A property that a document has or wants, and that not every printer can do. */
export type Demand = 'color' | 'two-sided' | 'paper';

export interface PrinterAtHand {
  /** Absent if it is the only printer, because it need not be told from another. */
  readonly name?: string | undefined;
  /** `undefined` while nothing is known of the printer, and if the service prints. */
  view(): PrinterView | undefined;
  /** The options that the terminal may promise a person at this printer. */
  can(): PrinterCan;
  /** What is done with the paper if a person says nothing else. */
  readonly usualWork?: PaperWork;
  /** The paper that the document asks for, as printers call it. */
  mediaOf(document: Document): WorkedOn['media'];
  /** The paper in the printer that comes next to the document's own, if that is not in it; in the service's word. */
  otherPaper(document: Document): string | undefined;
  /** By the printer's own word; `undefined` if it does not say. */
  does(demand: Demand, document: Document): boolean | undefined;
  /** All pages come out grey. */
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
}

/** The first is the default. */
export type PrintersAtHand = readonly [PrinterAtHand, ...PrinterAtHand[]];

/** The picked printer, or else the default. */
export const printerOf = (
  printers: PrintersAtHand,
  { printer }: { readonly printer: string | undefined },
): PrinterAtHand => printers.find(({ name }) => name !== undefined && name === printer) ?? printers[0];

/** As far as the service has told. */
export const demandsOf = ({ colorPages = 0, grayscale, sides, paperSize }: Document): readonly Demand[] => [
  ...(colorPages > 0 && !grayscale ? (['color'] as const) : []),
  ...(isTwoSided(sides) ? (['two-sided'] as const) : []),
  ...(paperSize === undefined ? [] : (['paper'] as const)),
];
