/**
 * The supplies of a printer: `printer-supply` with its descriptions (PWG 5100.13 section 5.6: words of RFC 3805), else the
 * `marker-…` attributes of CUPS and of most printers. A level that the printer does not know is left out.
 */
import { printable } from '../../../core/text/printable.ts';
import type { Supply } from '../../../domain/printer/supplies.ts';
import type { Attribute } from '../../../ipp/message.ts';
import { integers, strings, valuesOf } from '../../../ipp/message.ts';

export const requestedOfSupplies: readonly string[] = [
  'marker-levels',
  'marker-names',
  'marker-types',
  'printer-supply',
  'printer-supply-description',
];

/** More than any printer has. */
const mostSupplies = 16;

export function printerSupplies(attributes: readonly Attribute[]): readonly Supply[] {
  const told = valuesOf(attributes, 'printer-supply').map((value) =>
    value.tag === 'octetString' ? fieldsOf(value.octets.toString('latin1')) : new Map<string, string>(),
  );
  const names = strings(attributes, 'printer-supply-description');
  const supplies =
    told.length > 0 ? told.flatMap((fields, at) => supplyOf(fields, names[at])) : markers(attributes);
  return supplies.slice(0, mostSupplies);
}

const fieldsOf = (words: string): ReadonlyMap<string, string> =>
  new Map(
    words.split(';').map((field) => {
      const [name = '', value = ''] = field.split('=', 2);
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );

function supplyOf(fields: ReadonlyMap<string, string>, name: string | undefined): readonly Supply[] {
  const level = Number(fields.get('level') ?? Number.NaN);
  const capacity = Number(fields.get('maxcapacity') ?? Number.NaN);
  // Negative values are: other, unknown, and "some is left" (RFC 3805, prtMarkerSuppliesLevel).
  if (!(level >= 0) || !(capacity > 0)) return [];
  const type = fields.get('type') ?? '';
  return named(
    name ?? ([fields.get('colorantname'), type].filter(Boolean).join(' ') || 'supply'),
    level / capacity,
    {
      fills: fields.get('class') === 'receptacleThatIsFilled' || isWaste(type),
    },
  );
}

/** Levels are per cent. */
function markers(attributes: readonly Attribute[]): readonly Supply[] {
  const names = strings(attributes, 'marker-names');
  const types = strings(attributes, 'marker-types');
  return integers(attributes, 'marker-levels').flatMap((level, at) =>
    level < 0
      ? []
      : named(names[at] ?? types[at] ?? 'supply', level / 100, { fills: isWaste(types[at] ?? '') }),
  );
}

const isWaste = (type: string): boolean => /^waste/i.test(type);

const longestName = 64;

const named = (name: string, level: number, { fills }: Pick<Supply, 'fills'>): readonly Supply[] => [
  { name: printable(name).slice(0, longestName), level: Math.min(1, level), fills },
];
