/** A session's documents as their owner sees them: in the order of the list, those on their way out last. */
import { printAmount } from '../domain/amount.ts';
import { fittingOf } from '../domain/balance.ts';
import type { Document } from '../domain/document.ts';
import type { DocumentView } from '../domain/terminal-view.ts';
import type { TerminalContext } from './terminal-setup.ts';

export function documentsOf({ documents, quotes, releasing }: TerminalContext): readonly DocumentView[] {
  const costs = fittingOf(quotes)?.costs ?? [];
  return [
    ...documents.releasable.map((document, index) => {
      const quoted = costs[index];
      const cost = quoted && { cost: printAmount(quoted.cost), fits: quoted.fits };
      return { ...shown(document, 'releasable'), ...cost };
    }),
    ...documents.doubtful.map(({ document }) => shown(document, 'may-have-printed')),
    ...documents.others.map((document) => shown(document, 'unavailable')),
    ...releasing.map((document) => shown(document, 'printing')),
  ];
}

const shown = (document: Document, standing: DocumentView['standing']): DocumentView => ({
  uuid: document.uuid,
  name: document.name,
  pages: document.totalPages,
  copies: document.copies,
  color: !document.grayscale,
  sides: document.sides,
  standing,
});
