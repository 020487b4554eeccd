/** A session's documents as their owner sees them: in the order of the list, with those on their way out last. */
import { printAmount } from '../domain/amount.ts';
import { fittingOf } from '../domain/balance.ts';
import type { Change, DocumentOptions, PrinterCan } from '../domain/document-changes.ts';
import { isOffered, optionsOf, withChange } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import { forgottenRelease } from '../domain/release.ts';
import type { DocumentView, DoubtView } from '../domain/terminal/terminal-view.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { TerminalContext } from './context.ts';
import { missingOf } from './list.ts';
import type { PrinterAtHand } from './printers/at-hand.ts';
import { printerOf } from './printers/at-hand.ts';

/** The changes that may be offered for documents. */
export interface ChangeOffers {
  /** Absent if nothing can be changed. */
  readonly can?: PrinterCan | undefined;
  /** All pages come out grey. */
  readonly monochrome: boolean;
  media?: PrinterAtHand['mediaOf'];
  otherPaper?: PrinterAtHand['otherPaper'];
  lacksPaper?(document: Document): boolean;
}

/** The changes that the chosen printer offers now. */
export function offersAt({ given, printer }: Pick<TerminalContext, 'given' | 'printer'>): ChangeOffers {
  const chosen = printerOf(given.printers, { printer });
  return {
    can: chosen.can(),
    monochrome: chosen.monochrome,
    media: chosen.mediaOf,
    otherPaper: chosen.otherPaper,
    lacksPaper: (document) => chosen.does('paper', document) === false,
  };
}

export function documentsOf(
  { documents, changes, quotes, releasing }: TerminalContext,
  { can, monochrome, ...at }: ChangeOffers,
): readonly DocumentView[] {
  const shown = (document: Document, standing: DocumentView['standing']): DocumentView => ({
    ...factsOf(document),
    color: !document.grayscale && !monochrome,
    standing,
  });
  const changeable = (sent: Document, standing: DocumentView['standing']): DocumentView => {
    const change = changes.get(sent.uuid);
    const offered = can && optionsOf(sent, { ...at, can, monochrome }, change);
    const options = offered && withWayBack(offered, change);
    const document = withChange(sent, change);
    const { work, pages, onPaper } = change ?? {};
    return {
      ...shown(document, standing),
      ...(pages && { pages: sent.totalPages, chosenPages: pages.ranges }),
      ...(onPaper !== undefined && { onPaper }),
      ...(at.lacksPaper?.(document) && { lacksPaper: true as const }),
      ...(work && { work }),
      ...(options && { options }),
    };
  };
  const costs = fittingOf(quotes)?.costs ?? [];
  return [
    ...documents.releasable.map((document, index) => {
      const quoted = costs[index];
      const cost = quoted && { cost: printAmount(quoted.cost), fits: quoted.fits };
      const shownNow = changeable(document, 'releasable');
      const isCheaper = shownNow.color && shownNow.options?.grey && quotes[index]?.isSufficientInGrey;
      return { ...shownNow, ...cost, ...(isCheaper && { fitsInGrey: true as const }) };
    }),
    ...documents.doubtful.map(({ document }) => changeable(document, 'may-have-printed')),
    ...documents.others.map(({ document, why, place }) => ({
      ...shown(document, 'unavailable'),
      why,
      ...(place === undefined ? {} : { place }),
    })),
    ...releasing.map((document) => shown(document, 'printing')),
  ];
}

/** A change that was made for another printer may be taken back here. */
const withWayBack = (offered: DocumentOptions, change: Change | undefined): DocumentOptions => ({
  ...offered,
  grey: offered.grey || change?.grey === true,
  twoSided: offered.twoSided || change?.twoSided === true,
});

/** The word answers the view that is shown, and the view offers the change. */
export const mayChange = (
  context: TerminalContext,
  { generation, documentUuid, ...wanted }: Said<'change'>,
  offers: ChangeOffers,
): boolean =>
  generation === context.generation &&
  documentsOf(context, offers).some((shown) => shown.uuid === documentUuid && isOffered(shown, wanted));

const factsOf = ({ uuid, name, totalPages, copies, sides, paperSize, sentAt }: Document) => ({
  uuid,
  name,
  copies,
  sides,
  pages: totalPages,
  ...(paperSize === undefined ? {} : { paper: paperSize }),
  ...(sentAt === undefined ? {} : { sentAt }),
});

/** Documents that may have been printed. They may be printed again by an explicit word. */
export const doubtsOf = (context: TerminalContext): readonly DoubtView[] =>
  context.documents.doubtful.map((one) => {
    const { document, at, elsewhere } = one;
    const missing = missingOf(context, one);
    return {
      documentUuid: document.uuid,
      ...(missing ? { missing } : {}),
      ...(at === undefined ? {} : { at }),
      ...(elsewhere?.place !== undefined && { place: elsewhere.place }),
      ...(elsewhere?.how === 'printed' && { isPrinted: true as const }),
      ...(elsewhere?.releaseId === forgottenRelease && { isAskedFor: true as const }),
    };
  });
