/** A printer of the station as the conversation with a person meets it, by its own description. */
import type { TerminalConfig } from '../../config/schema/config.ts';
import { isTwoSided, within } from '../../domain/document-changes.ts';
import type { Document } from '../../domain/document.ts';
import type { PrinterCapabilities, PrinterDescription } from '../../domain/ports/printer-description.ts';
import type { DeliveryMode } from '../../domain/release.ts';
import { mediaDimensions, mediaName } from '../../printing/media.ts';
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
      { ...printerCan(watch.capabilities(), delivery), pages: delivery === 'local' && mayChangePages() },
      config.offers,
    ),
  usualWork: config.defaults,
  mediaOf({ paperSize = '' }) {
    const media = mediaName(paperSize);
    return media === undefined ? undefined : { name: media, size: mediaDimensions(media) };
  },
  does: (demand, document) => answers[demand](watch, document, settings),
  get monochrome() {
    return settings.current().monochrome.value;
  },
  get sendUsername() {
    return settings.current().sendUsername.value;
  },
});

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

function hasPaper(
  { mediaReady = [] }: Partial<PrinterDescription> = {},
  { paperSize = '' }: Document,
): boolean | undefined {
  const name = mediaName(paperSize);
  return name === undefined || mediaReady.length === 0 ? undefined : mediaReady.includes(name);
}

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
