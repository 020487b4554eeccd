/**
 * What a person changes of a document before its release: only what saves, and the copies (src/cloud/README.md 12, row
 * 36). A change says what is saved, never what is wanted instead: applied to whatever the service lists by then, it
 * cannot widen what was sent.
 */
import type { Document, Sides } from './document.ts';
import { isBeyondLimits } from './document.ts';

/** In place of how it was sent; nothing of it: as it was sent. */
export interface Change {
  readonly copies?: number;
  /** In black and white. */
  readonly grey?: true;
  /** On both sides, bound at the long edge. */
  readonly twoSided?: true;
}

/**
 * What the person may change before a release: only what saves (src/cloud/README.md 12, row 36). `color` and `sides` of
 * its view are as changed.
 */
export interface DocumentOptions {
  /** In black and white, or as it was sent. */
  readonly grey: boolean;
  /** On both sides, or as it was sent. */
  readonly twoSided: boolean;
  readonly mostCopies: number;
}

/** The whole wanted state of one document, in the words of its view. */
export interface Wanted {
  readonly copies: number;
  readonly color: boolean;
  readonly sides?: Sides | undefined;
}

/** What a person wants of each document that offers it, where they say nothing else. */
export interface Defaults {
  readonly grey: boolean;
  readonly twoSided: boolean;
}

/** What is certain to happen where it is asked for. */
export interface PrinterCan {
  readonly grey: boolean;
  readonly twoSided: boolean;
  readonly copies: number;
}

/** A document that was sent with more keeps them, or gets fewer. */
const mostCopies = 99;

export const isTwoSided = (sides: Sides | undefined): boolean => sides !== undefined && sides !== 'one-sided';

/** `undefined`: nothing. What nobody told of the document may well be so. */
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

/** Whether the view lets this be said. Any one-sided state stands for how the document was sent. */
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

/** Of a document as it was sent; `monochrome`: all is printed grey, whoever asks for it. */
export const changeTo = (
  document: Document,
  { copies, color, sides }: Wanted,
  { monochrome }: { readonly monochrome: boolean },
): Change => ({
  ...(copies === document.copies ? {} : { copies }),
  ...(color || monochrome || document.grayscale ? {} : { grey: true }),
  ...(isTwoSided(sides) && !isTwoSided(document.sides) ? { twoSided: true } : {}),
});

/** As far as it is offered. */
export const changeBy = (defaults: Defaults | undefined, options: DocumentOptions | undefined): Change => ({
  ...(defaults?.grey && options?.grey && { grey: true }),
  ...(defaults?.twoSided && options?.twoSided && { twoSided: true }),
});

/** As it is to be printed. */
export const withChange = (document: Document, { copies, grey, twoSided }: Change = {}): Document => ({
  ...document,
  copies: copies === undefined ? document.copies : Math.min(copies, Math.max(mostCopies, document.copies)),
  grayscale: document.grayscale || grey === true,
  sides: twoSided && !isTwoSided(document.sides) ? 'two-sided-long-edge' : document.sides,
});
