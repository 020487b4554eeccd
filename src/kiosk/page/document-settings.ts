/**
 * The print settings of a document that its owner may change here: the terminal's values, and wishes without an answer
 * so far.
 */
import { isSameWork } from '../../domain/printer/paper-work.ts';
import { isSamePages } from '../../domain/page-range.ts';
import { isTwoSided } from '../../domain/document-changes.ts';
import type { DocumentView } from '../../domain/terminal/terminal-view.ts';

export type DocumentSettings = Pick<
  DocumentView,
  'copies' | 'color' | 'sides' | 'work' | 'chosenPages' | 'onPaper'
>;

/** By the id of the document. */
export type WantedSettings = ReadonlyMap<string, DocumentSettings>;

export const settingsOf = ({
  copies,
  color,
  sides,
  work,
  chosenPages,
  onPaper,
}: DocumentView): DocumentSettings => ({
  copies,
  color,
  sides,
  ...(work ? { work } : {}),
  ...(chosenPages ? { chosenPages } : {}),
  ...(onPaper === undefined ? {} : { onPaper }),
});

/** All values except two-sided are equal here, because they mean: as it was sent. */
export const isSetSo = (
  document: DocumentView,
  { copies, color, sides, work, chosenPages, onPaper }: DocumentSettings,
): boolean =>
  document.copies === copies &&
  document.color === color &&
  isTwoSided(document.sides) === isTwoSided(sides) &&
  isSameWork(document.work, work) &&
  isSamePages(document.chosenPages, chosenPages) &&
  document.onPaper === onPaper;

/** With the wishes and without a price, because only the terminal knows the new one. */
export function asWanted(document: DocumentView, wanted: WantedSettings): DocumentView {
  const settings = wanted.get(document.uuid);
  if (settings === undefined || isSetSo(document, settings)) return document;
  const {
    cost: _cost,
    fits: _fits,
    fitsInGrey: _fitsInGrey,
    chosenPages: _pages,
    onPaper: _paper,
    ...rest
  } = document;
  return { ...rest, ...settings };
}
