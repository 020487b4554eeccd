/**
 * The changes that a person may make to a document before its release: only savings, and the copies
 * (src/cloud/README.md 12, row 36). A change names the saving, and never a new value. So it cannot widen the document
 * that was sent, whatever the service lists later.
 */
import type { Document, Sides } from './document.ts';
import { isBeyondLimits } from './document.ts';

/** Replaces how the document was sent. An empty change leaves it as it was sent. */
export interface Change {
  readonly copies?: number;
  /** In black and white. */
  readonly grey?: true;
  /** On both sides, bound at the long edge. */
  readonly twoSided?: true;
}

/**
 * The changes that are offered before a release: only savings (src/cloud/README.md 12, row 36). `color` and `sides` of
 * its view already have the changes.
 */
export interface DocumentOptions {
  /** Black and white is offered beside the sent colour. */
  readonly grey: boolean;
  /** Both sides are offered beside the sent sides. */
  readonly twoSided: boolean;
  readonly mostCopies: number;
}

/** All wishes for one document, in the words of its view. */
export interface Wanted {
  readonly copies: number;
  readonly color: boolean;
  readonly sides?: Sides | undefined;
}

/** A person's wishes for each document that offers them, if they say nothing else. */
export interface Defaults {
  readonly grey: boolean;
  readonly twoSided: boolean;
}

/** The options that the printer is certain to carry out. */
export interface PrinterCan {
  readonly grey: boolean;
  readonly twoSided: boolean;
  readonly copies: number;
}

/** A document that was sent with more copies keeps them, or gets fewer. */
const mostCopies = 99;

export const isTwoSided = (sides: Sides | undefined): boolean => sides !== undefined && sides !== 'one-sided';

/** `undefined` if nothing can be changed. An unknown property of the document counts as possible. */
export function optionsOf(
  document: Document,
  { can, monochrome }: { readonly can: PrinterCan; readonly monochrome: boolean },
): DocumentOptions | undefined {
  if (isBeyondLimits(document)) return undefined;
  const { copies, colorPages, grayscale, sides, totalPages } = document;
  return {
    grey: can.grey && !monochrome && !grayscale && colorPages !== 0,
    twoSided: can.twoSided && !isTwoSided(sides) && totalPages !== 1,
    mostCopies: Math.max(copies, Math.min(mostCopies, can.copies)),
  };
}

/** Whether the view allows this wish. Any one-sided state stands for how the document was sent. */
export function isOffered(
  { options, ...shown }: Wanted & { readonly options?: DocumentOptions | undefined },
  { copies, color, sides }: Wanted,
): boolean {
  if (options === undefined) return false;
  const maySaveSides = options.twoSided && sides !== 'two-sided-short-edge';
  return (
    Number.isInteger(copies) &&
    copies >= 1 &&
    copies <= options.mostCopies &&
    (options.grey || color === shown.color) &&
    (maySaveSides || sides === shown.sides)
  );
}

/** Compared with the document as it was sent. `monochrome`: everything is printed grey in any case. */
export const changeTo = (
  document: Document,
  { copies, color, sides }: Wanted,
  { monochrome }: { readonly monochrome: boolean },
): Change => ({
  ...(copies === document.copies ? {} : { copies }),
  ...(color || monochrome || document.grayscale ? {} : { grey: true }),
  ...(isTwoSided(sides) && !isTwoSided(document.sides) ? { twoSided: true } : {}),
});

/** Only as far as it is offered. */
export const changeBy = (defaults: Defaults | undefined, options: DocumentOptions | undefined): Change => ({
  ...(defaults?.grey && options?.grey && { grey: true }),
  ...(defaults?.twoSided && options?.twoSided && { twoSided: true }),
});

/** The document as it is to be printed. */
export const withChange = (document: Document, { copies, grey, twoSided }: Change = {}): Document => ({
  ...document,
  copies: copies === undefined ? document.copies : Math.min(copies, Math.max(mostCopies, document.copies)),
  grayscale: document.grayscale || grey === true,
  sides: twoSided && !isTwoSided(document.sides) ? 'two-sided-long-edge' : document.sides,
});
