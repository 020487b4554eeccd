/**
 * The paper in a printer's trays, if it tells: `printer-input-tray` (PWG 5100.13 section 5.7.12:
 * `…;mediafeed=297000;mediaxfeed=210000;maxcapacity=250;level=0;…`), `media-ready` (RFC 8011 section 5.2.11) and
 * `media-col-ready` (PWG 5100.7). Nothing is concluded from silence.
 */
import type { ReadyPaper, Size } from '../../../domain/printer/paper-work.ts';
import { isSameSize } from '../../../domain/printer/paper-work.ts';
import type { Attribute } from '../../../ipp/message.ts';
import { collections, integer, string, strings, valuesOf } from '../../../ipp/message.ts';
import { mediaDimensions } from '../../media.ts';

export const requestedOfTrays: readonly string[] = ['media-col-ready', 'media-ready', 'printer-input-tray'];

interface Tray {
  readonly isEmpty: boolean;
  /** `undefined`: the tray does not tell its paper. */
  readonly size: Size | undefined;
}

export interface PaperTrays {
  readonly trays: readonly Tray[];
  /** The paper that the printer lists as ready; `undefined` is paper of a size that cannot be read. */
  readonly ready: readonly (Size | undefined)[];
}

export const paperTrays = (attributes: readonly Attribute[]): PaperTrays => ({
  trays: valuesOf(attributes, 'printer-input-tray').flatMap((value) =>
    value.tag === 'octetString' ? trayOf(value.octets.toString('latin1')) : [],
  ),
  ready: [
    ...strings(attributes, 'media-ready').map(mediaDimensions),
    ...collections(attributes, 'media-col-ready').map(sizeOf),
  ],
});

/** Every tray that the printer lists is empty. */
export const areAllEmpty = ({ trays }: PaperTrays): boolean =>
  trays.length > 0 && trays.every(({ isEmpty }) => isEmpty);

/** The trays show that none of them has paper of this size, a name of PWG 5101.1. */
export function isNowhere(media: string, { trays, ready }: PaperTrays): boolean {
  const wanted = mediaDimensions(media);
  if (wanted === undefined) return false;
  const mayBe = (size: Size | undefined) => size === undefined || isSameSize(size, wanted);
  return (
    (trays.length > 0 && !trays.some(({ isEmpty, size }) => !isEmpty && mayBe(size))) ||
    (ready.length > 0 && !ready.some(mayBe))
  );
}

/** `auto` is the choice among the trays, not a tray. */
function trayOf(words: string): readonly Tray[] {
  const fields = new Map(words.split(';').map((field) => fieldOf(field)));
  if (fields.get('name')?.toLowerCase() === 'auto') return [];
  const unit = fields.get('dimunit') === 'tenThousandthsOfInches' ? 0.254 : 0.1;
  const side = (name: string) => Math.round(Number(fields.get(name) ?? 0) * unit);
  const size = { width: side('mediaxfeed'), height: side('mediafeed') };
  // A negative value means unknown (RFC 3805, prtInputCurrentLevel).
  const isEmpty = Number(fields.get('level') ?? -2) === 0;
  return [{ isEmpty, size: size.width > 0 && size.height > 0 ? size : undefined }];
}

function fieldOf(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}

/** What lies in the printer, by media-col-ready. */
export const readyPapers = (attributes: readonly Attribute[]): readonly ReadyPaper[] =>
  collections(attributes, 'media-col-ready').map((one) => ({
    size: sizeOf(one),
    source: string(one, 'media-source'),
    type: string(one, 'media-type'),
  }));

function sizeOf(collection: readonly Attribute[]): Size | undefined {
  const [size = []] = collections(collection, 'media-size');
  const [width, height] = [integer(size, 'x-dimension'), integer(size, 'y-dimension')];
  if (width !== undefined && height !== undefined) return { width, height };
  return mediaDimensions(string(collection, 'media-size-name') ?? '');
}
