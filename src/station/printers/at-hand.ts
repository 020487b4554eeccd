/** A printer of the station as the conversation with a person meets it, by its own description. */
import type { TerminalConfig } from '../../config/schema/config.ts';
import { isTwoSided, within } from '../../domain/document-changes.ts';
import type { Document } from '../../domain/document.ts';
import type { PrinterCapabilities, PrinterDescription } from '../../domain/ports/printer-description.ts';
import type { DeliveryMode } from '../../domain/release.ts';
import type { Size } from '../../domain/printer/paper-work.ts';
import { isNowhere, isThere } from '../../domain/printer/paper-trays.ts';
import { mediaDimensions, mediaName, paperSizes } from '../../printing/media.ts';
import type { PrinterWatch } from '../../status/printer-watch.ts';
import type { Demand, PrinterAtHand } from '../../terminal/printers/at-hand.ts';
import type { PrinterCan } from '../../domain/document-changes.ts';
import { documentLimits } from '../../domain/document.ts';
import type { PrinterSettings } from './printer-settings.ts';

interface Met {
  readonly name: string | undefined;
  readonly watch: Pick<PrinterWatch, 'view' | 'capabilities' | 'description'>;
  readonly settings: PrinterSettings;
  /** The converter can pick pages out of documents. */
  mayChangePages(): boolean;
  readonly delivery: DeliveryMode;
  readonly config: Pick<TerminalConfig['printer'], 'offers' | 'defaults'>;
}

export const printerAtHand = ({
  name,
  watch,
  settings,
  mayChangePages,
  delivery,
  config,
}: Met): PrinterAtHand => ({
  name,
  // If the service prints, our own way to the printer is not needed.
  view: () => (delivery === 'cloud' ? undefined : watch.view()),
  can: () =>
    within(
      // The service prints whole documents only.
      { ...printerCan(watch.capabilities(), delivery), ...ofPages(delivery === 'local' && mayChangePages()) },
      config.offers,
    ),
  usualWork: config.defaults,
  mediaOf({ paperSize = '' }) {
    const media = mediaName(paperSize);
    return media === undefined ? undefined : { name: media, size: mediaDimensions(media) };
  },
  otherPaper: (document) => otherPaper(watch.description(), document),
  does: (demand, document) => answers[demand](watch, document, settings),
  get monochrome() {
    return settings.current().monochrome.value;
  },
  get sendUsername() {
    return settings.current().sendUsername.value;
  },
});

const ofPages = (mayChange: boolean) => ({ pages: mayChange, fits: mayChange });

type Answer = (watch: Met['watch'], document: Document, settings: PrinterSettings) => boolean | undefined;

const answers: Readonly<Record<Demand, Answer>> = {
  color(watch, _document, settings) {
    if (settings.current().monochrome.value) return false;
    const { color = 'unknown' } = watch.capabilities() ?? {};
    return color === 'unknown' ? undefined : color === 'color';
  },
  'two-sided'(watch, { sides }) {
    const known = watch.capabilities()?.sides ?? [];
    if (known.length === 0 || sides === undefined) return undefined;
    return !isTwoSided(sides) || known.includes(sides);
  },
  paper: (watch, document) => hasPaper(watch.description(), document),
};

type Paper = Pick<PrinterDescription, 'trays'>;

const sizeOf = (paperSize = ''): Size | undefined => mediaDimensions(mediaName(paperSize) ?? '');

function hasPaper({ trays }: Paper = {}, { paperSize }: Document): boolean | undefined {
  const size = sizeOf(paperSize);
  if (size === undefined || trays === undefined) return undefined;
  if (isNowhere(size, trays)) return false;
  return isThere(size, trays) || undefined;
}

/** The next smaller paper that is there, else the next larger. */
function otherPaper({ trays }: Paper = {}, { paperSize }: Document): string | undefined {
  const own = sizeOf(paperSize);
  if (own === undefined || trays === undefined || !isNowhere(own, trays)) return undefined;
  const there = paperSizes
    .map((word) => ({ word, size: sizeOf(word) ?? own }))
    .filter(({ size }) => isThere(size, trays))
    .toSorted((one, other) => areaOf(one.size) - areaOf(other.size));
  const smaller = there.findLast(({ size }) => areaOf(size) < areaOf(own));
  return (smaller ?? there[0])?.word;
}

const areaOf = ({ width, height }: Size): number => width * height;

/**
 * The options that a person may be promised at one terminal, by the printer's own description and by the side that
 * prints. Without a description nothing is promised.
 */
export function printerCan(
  capabilities: PrinterCapabilities | undefined,
  delivery: DeliveryMode,
): PrinterCan {
  const { color, sides = [] } = capabilities ?? {};
  // On a printer without colour that is no choice (src/cloud/README.md 8).
  const hasColor = color !== 'monochrome';
  if (delivery === 'cloud') {
    // The service has its own way to the printer, and takes all options as parameters.
    const isOneSided = sides.length > 0 && !sides.some((one) => one.startsWith('two-sided'));
    return { grey: hasColor, twoSided: !isOneSided, copies: documentLimits.copies };
  }
  const { obeys, copies = 1, work } = capabilities ?? {};
  return {
    grey: hasColor && obeys?.grey === true,
    twoSided: obeys?.twoSided === true,
    copies,
    // In the other modes the service may print, and its API has no such option.
    work: delivery === 'local' ? work : undefined,
  };
}
