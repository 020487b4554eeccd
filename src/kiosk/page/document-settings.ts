/**
 * How a document is to be printed, as far as its owner may change that here: what the terminal says of it, and what has
 * been asked for and not been answered yet.
 */
import { isTwoSided } from '../../domain/document-changes.ts';
import type { DocumentView } from '../../domain/terminal/terminal-view.ts';

export type DocumentSettings = Pick<DocumentView, 'copies' | 'color' | 'sides'>;

/** By the document's id. */
export type WantedSettings = ReadonlyMap<string, DocumentSettings>;

export const settingsOf = ({ copies, color, sides }: DocumentView): DocumentSettings => ({
  copies,
  color,
  sides,
});

/** Not on both sides stands for however it was sent. */
export const isSetSo = (document: DocumentView, { copies, color, sides }: DocumentSettings): boolean =>
  document.copies === copies && document.color === color && isTwoSided(document.sides) === isTwoSided(sides);

/** As it was asked for; what that costs only the terminal can say. */
export function asWanted(document: DocumentView, wanted: WantedSettings): DocumentView {
  const settings = wanted.get(document.uuid);
  if (settings === undefined || isSetSo(document, settings)) return document;
  const { cost: _cost, fits: _fits, fitsInGrey: _fitsInGrey, ...rest } = document;
  return { ...rest, ...settings };
}
