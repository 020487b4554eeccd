/**
 * The paper in a printer's trays, if it tells: `printer-input-tray` (PWG 5100.13 section 5.7.12:
 * `…;mediafeed=297000;mediaxfeed=210000;maxcapacity=250;level=0;…`), `media-ready` (RFC 8011 section 5.2.11) and
 * `media-col-ready` (PWG 5100.7).
 */
import type { PaperTrays } from '../../../domain/printer/paper-trays.ts';
import type { ReadyPaper, Size } from '../../../domain/printer/paper-work.ts';
import type { Attribute } from '../../../ipp/message.ts';
import { collections, integer, string, strings, valuesOf } from '../../../ipp/message.ts';
import { mediaDimensions } from '../../media.ts';

export const requestedOfTrays: readonly string[] = ['media-col-ready', 'media-ready', 'printer-input-tray'];

export const paperTrays = (attributes: readonly Attribute[]): PaperTrays => ({
  trays: valuesOf(attributes, 'printer-input-tray').flatMap((value) =>
    value.tag === 'octetString' ? trayOf(value.octets.toString('latin1')) : [],
  ),
  ready: [
    ...strings(attributes, 'media-ready').map(mediaDimensions),
    ...collections(attributes, 'media-col-ready').map(sizeOf),
  ],
});

/** `auto` is the choice among the trays, not a tray. */
function trayOf(words: string): PaperTrays['trays'] {
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
