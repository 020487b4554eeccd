/** Some of the pages of a document, and the document as if it had no others. */
import type { Document } from './document.ts';

/** From and to, both included; counted from 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** `of` is the number of pages of the whole document. */
export interface PickedPages extends PageRange {
  readonly of: number;
}

/**
 * The share of the document's colour pages that these pages are charged for. Their places are not known, so they are
 * taken to lie evenly. The shares of all parts add up to all colour pages, so no page is free because it came in a
 * part.
 */
export function shareOf(marked: number, { from, to, of }: PickedPages): number {
  const upTo = (page: number): number => Math.round((Math.min(marked, of) * page) / of);
  return upTo(to) - upTo(from - 1);
}

/** They lie in the document, in its order, and none of them twice. */
export const areInOrder = (ranges: readonly PageRange[], pages: number): boolean =>
  ranges.length > 0 &&
  ranges.every(({ from, to }, index) => (ranges[index - 1]?.to ?? 0) < from && from <= to && to <= pages);

export const isSamePages = (one: readonly PageRange[] = [], other: readonly PageRange[] = []): boolean =>
  one.length === other.length &&
  one.every(({ from, to }, index) => other[index]?.from === from && other[index].to === to);

export const countOf = (ranges: readonly PageRange[]): number =>
  ranges.reduce((count, { from, to }) => count + to - from + 1, 0);

/** The document as if it had only these pages, for charging, counting and recording. */
export function onlyPages(document: Document, ranges: readonly PageRange[]): Document {
  const { listed: _, colorPages, ...whole } = document;
  const of = document.totalPages ?? ranges.at(-1)?.to ?? 0;
  const inColor = (marked: number) =>
    ranges.reduce((sum, range) => sum + shareOf(marked, { ...range, of }), 0);
  return {
    ...whole,
    totalPages: countOf(ranges),
    colorPages: colorPages === undefined ? undefined : inColor(colorPages),
  };
}

/**
 * As people type it: `3, 5-8`. In the order of the document, and what overlaps is joined. `undefined` if it is something
 * else, or names a page that the document does not have.
 */
export function rangesIn(text: string, pages: number): readonly PageRange[] | undefined {
  const parts = text
    .replaceAll(/\s*([-–])\s*/g, '$1')
    .split(/[\s,;،、]+/u)
    .filter((part) => part !== '');
  const typed = parts.map((part) => /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(part));
  const ranges = typed.map((match) => {
    const from = Number(match?.[1]);
    return { from, to: Number(match?.[2] ?? from) };
  });
  if (ranges.length === 0 || !ranges.every(({ from, to }) => 1 <= from && from <= to && to <= pages))
    return undefined;
  return joined(ranges);
}

function joined(ranges: readonly PageRange[]): readonly PageRange[] {
  const found: PageRange[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && from <= last.to + 1) found[found.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else found.push({ from, to });
  }
  return found;
}

/** `3, 5–8` */
export const rangesText = (ranges: readonly PageRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
