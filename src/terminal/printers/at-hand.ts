/** The printers of a terminal, as the conversation with a person meets them: how each is, and what it does with a document. */
import type { PrinterCan } from '../../domain/document-changes.ts';
import { isTwoSided } from '../../domain/document-changes.ts';
import type { Document } from '../../domain/document.ts';
import type { PrinterView } from '../../domain/terminal/terminal-view.ts';

/** How a document was sent, or is wanted, where not every printer can do it. */
export type Demand = 'color' | 'two-sided' | 'paper';

export interface PrinterAtHand {
  /** Absent: it is the only one, and nobody has to tell it from another. */
  readonly name?: string | undefined;
  /** `undefined` while nothing is known of it, and where the service prints. */
  view(): PrinterView | undefined;
  /** What a person may be promised there. */
  can(): PrinterCan;
  /** By its own word; `undefined`: it does not say. */
  does(demand: Demand, document: Document): boolean | undefined;
  /** All comes out grey. */
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
}

/** The first is the default. */
export type PrintersAtHand = readonly [PrinterAtHand, ...PrinterAtHand[]];

/** The one that was picked, or else the default. */
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
