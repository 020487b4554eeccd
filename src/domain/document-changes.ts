/**
 * The changes that a person may make to a document before its release: the copies, the pages, savings, and what is done
 * with the paper (src/cloud/README.md 12, row 36). Of colour and sides, a change names the saving, and never a new value. So it
 * cannot widen the document that was sent, whatever the service lists later.
 */
import type { Document, Sides } from './document.ts';
import { isBeyondLimits } from './document.ts';
import type { PageRange } from './page-range.ts';
import { areInOrder, isSamePages, onlyPages } from './page-range.ts';
import type { PaperWork, WorkAbilities, WorkChoices, WorkedOn, WorkKind } from './printer/paper-work.ts';
import { amongChoices, choicesFor, isPossible, ofKinds, workKinds } from './printer/paper-work.ts';

/** Replaces how the document was sent. An empty change leaves it as it was sent. */
export interface Change {
  readonly copies?: number;
  /** In black and white. */
  readonly grey?: true;
  /** On both sides, bound at the long edge. */
  readonly twoSided?: true;
  readonly work?: PaperWork;
  /** Only these pages are printed, of a document with `of` pages by its record. */
  readonly pages?: { readonly ranges: readonly PageRange[]; readonly of: number };
  /** Its pages are made to fit this paper, in the service's word: `A4`. */
  readonly onPaper?: string;
}

/**
 * The changes that are offered before a release (src/cloud/README.md 12, row 36). `color`, `sides` and `work` of its
 * view already have the changes.
 */
export interface DocumentOptions {
  /** Black and white is offered beside the sent colour. */
  readonly grey: boolean;
  /** Both sides are offered beside the sent sides. */
  readonly twoSided: boolean;
  readonly mostCopies: number;
  /** What may be done with the paper, as the document is set now; absent if the printer offers nothing. */
  readonly work?: WorkChoices;
  /** Any of so many pages may be chosen; absent if the document can only be printed whole. */
  readonly pages?: number;
  /** Its paper is not in the printer, and it could be made to fit this one: `A4`. */
  readonly otherPaper?: string;
}

/** All wishes for one document, in the words of its view. */
export interface Wanted {
  readonly copies: number;
  readonly color: boolean;
  readonly sides?: Sides | undefined;
  readonly work?: PaperWork | undefined;
  /** Absent: all pages. */
  readonly chosenPages?: readonly PageRange[] | undefined;
  /** Absent: the paper with which it was sent. */
  readonly onPaper?: string | undefined;
}

/** A person's wishes for each document that offers them, if they say nothing else. */
export interface Defaults {
  readonly grey: boolean;
  readonly twoSided: boolean;
  readonly work?: PaperWork | undefined;
}

/** The options that the printer, or the converter before it, is certain to carry out. */
export interface PrinterCan {
  readonly grey: boolean;
  readonly twoSided: boolean;
  readonly copies: number;
  readonly work?: WorkAbilities | undefined;
  /** The kinds of work that people may choose; absent: all. */
  readonly offersWork?: readonly WorkKind[];
  /** Pages can be chosen out of a document. */
  readonly pages?: boolean;
  /** Pages can be made to fit other paper. */
  readonly fits?: boolean;
}

/** What a terminal may let people change. */
export const changeable = ['copies', 'pages', 'other-paper', 'grey', 'both-sides', ...workKinds] as const;
export type Changeable = (typeof changeable)[number];

/** As far as the terminal lets people change it. */
export const within = (can: PrinterCan, offers: readonly Changeable[]): PrinterCan => ({
  ...can,
  grey: can.grey && offers.includes('grey'),
  twoSided: can.twoSided && offers.includes('both-sides'),
  copies: offers.includes('copies') ? can.copies : 1,
  pages: can.pages === true && offers.includes('pages'),
  fits: can.fits === true && offers.includes('other-paper'),
  offersWork: workKinds.filter((kind) => offers.includes(kind)),
});

/** A document that was sent with more copies keeps them, or gets fewer. */
const mostCopies = 99;

export const isTwoSided = (sides: Sides | undefined): boolean => sides !== undefined && sides !== 'one-sided';

/**
 * For the document as it was sent, with the change made so far. `undefined` if nothing can be changed. An unknown
 * property of the document counts as possible.
 */
export function optionsOf(
  document: Document,
  { can, monochrome, media, otherPaper }: ChangedAt,
  change: Change = {},
): DocumentOptions | undefined {
  if (isBeyondLimits(document)) return undefined;
  const { copies, colorPages, grayscale, sides, totalPages } = document;
  const now = withChange(document, change);
  const job: WorkedOn = {
    sides: now.sides,
    isGrey: now.grayscale || monochrome,
    copies: now.copies,
    media: media?.(now),
    work: change.work ?? {},
  };
  const stillDone = (turned: Partial<WorkedOn>) =>
    can.work === undefined || change.work === undefined || isPossible(can.work, { ...job, ...turned });
  const other = can.fits ? otherPaper?.(document) : undefined;
  const work = can.work && ofKinds(choicesFor(can.work, job), can.offersWork);
  return {
    grey: can.grey && !monochrome && !grayscale && colorPages !== 0 && stillDone({ isGrey: true }),
    twoSided:
      can.twoSided && !isTwoSided(sides) && totalPages !== 1 && stillDone({ sides: 'two-sided-long-edge' }),
    mostCopies: Math.max(copies, Math.min(mostCopies, can.copies)),
    ...(work && Object.keys(work).length > 0 ? { work } : {}),
    ...(can.pages && totalPages !== undefined && totalPages > 1 ? { pages: totalPages } : {}),
    ...(other === undefined ? {} : { otherPaper: other }),
  };
}

/** The printer at which a document is to be changed. */
interface ChangedAt {
  readonly can: PrinterCan;
  readonly monochrome: boolean;
  /** The paper that the document asks for. */
  media?(document: Document): WorkedOn['media'];
  /** The paper that lies there in place of the document's own, which does not. */
  otherPaper?(document: Document): string | undefined;
}

/** Whether the view allows this wish. Any one-sided state stands for how the document was sent. */
export function isOffered(
  { options, ...shown }: Wanted & { readonly options?: DocumentOptions | undefined },
  { copies, color, sides, work = {}, chosenPages, onPaper }: Wanted,
): boolean {
  if (options === undefined) return false;
  const maySaveSides = options.twoSided && sides !== 'two-sided-short-edge';
  return (
    Number.isInteger(copies) &&
    copies >= 1 &&
    copies <= options.mostCopies &&
    (options.grey || color === shown.color) &&
    (maySaveSides || sides === shown.sides) &&
    (chosenPages === undefined ||
      isSamePages(chosenPages, shown.chosenPages) ||
      areInOrder(chosenPages, options.pages ?? 0)) &&
    (onPaper === undefined || onPaper === shown.onPaper || onPaper === options.otherPaper) &&
    workKinds.every(
      (kind) =>
        work[kind] === undefined ||
        work[kind] === shown.work?.[kind] ||
        options.work?.[kind]?.includes(work[kind]),
    )
  );
}

/** Compared with the document as it was sent. `monochrome`: everything is printed grey in any case. */
export const changeTo = (
  document: Document,
  { copies, color, sides, work = {}, chosenPages, onPaper }: Wanted,
  { monochrome }: { readonly monochrome: boolean },
): Change => ({
  ...(copies === document.copies ? {} : { copies }),
  ...(color || monochrome || document.grayscale ? {} : { grey: true }),
  ...(isTwoSided(sides) && !isTwoSided(document.sides) ? { twoSided: true } : {}),
  ...(Object.keys(work).length > 0 ? { work } : {}),
  ...partOf(document, chosenPages),
  ...(onPaper === undefined || onPaper === document.paperSize ? {} : { onPaper }),
});

/** All pages are no choice. */
function partOf(
  { totalPages: of }: Document,
  ranges: readonly PageRange[] | undefined,
): Pick<Change, 'pages'> {
  const isPart = of !== undefined && ranges !== undefined && !isSamePages(ranges, [{ from: 1, to: of }]);
  return isPart ? { pages: { ranges, of } } : {};
}

/** Only as far as it is offered. */
export function changeBy(defaults: Defaults | undefined, options: DocumentOptions | undefined): Change {
  const work = amongChoices(defaults?.work ?? {}, options?.work ?? {});
  return {
    ...(defaults?.grey && options?.grey && { grey: true }),
    ...(defaults?.twoSided && options?.twoSided && { twoSided: true }),
    ...(Object.keys(work).length > 0 && { work }),
  };
}

/** The document as it is to be printed. */
export function withChange(
  document: Document,
  { copies, grey, twoSided, pages, onPaper }: Change = {},
): Document {
  const printed = onPaper === undefined ? document : { ...asPrinted(document), paperSize: onPaper };
  return {
    ...(pages ? onlyPages(printed, pages.ranges) : printed),
    copies: copies === undefined ? document.copies : Math.min(copies, Math.max(mostCopies, document.copies)),
    grayscale: document.grayscale || grey === true,
    sides: twoSided && !isTwoSided(document.sides) ? 'two-sided-long-edge' : document.sides,
  };
}

/** Without what the service has in its list, because something else comes out. */
const asPrinted = ({ listed: _, ...document }: Document): Document => document;
