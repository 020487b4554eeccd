/**
 * `config/readers.json`: readers by their USB vendor and product, and where the number stands in the input reports of
 * those that are no keyboards. Each entry names the public document it is from.
 */
import { z } from 'zod';
import table from '../../../config/readers.json' with { type: 'json' };

const usbNumber = z.string().regex(/^[0-9a-f]{4}$/);
const offset = z.number().int().min(0).max(1023);

const reportLayout = z.strictObject({
  /** The first byte, where the device has more than one kind of report. */
  reportId: z.number().int().min(1).max(255).optional(),
  /** Where it stands how many bytes the number has. Offsets are in bytes from the start of the report. */
  length: offset,
  number: offset,
  /** Bytes; a report that claims more is none. */
  most: z.number().int().min(1).max(128),
  output: z.enum(['hex', 'text']),
  order: z.enum(['as-sent', 'reversed']).default('as-sent'),
  /** What the text begins and ends with, and is not of the number. */
  between: z.tuple([z.string().length(1), z.string().length(1)]).optional(),
  /** Anything but zero there means that the rest comes in another report. */
  continued: offset.optional(),
  /** What a length of zero means: the card was taken away, or could not be read. */
  empty: z.enum(['removed', 'unreadable']),
  source: z.string().min(1),
});

const knownReader = z.strictObject({
  vendor: usbNumber,
  product: usbNumber,
  name: z.string().min(1),
  mode: z.enum(['keyboard', 'raw', 'serial', 'pcsc']),
  layout: z.string().optional(),
  source: z.string().min(1),
});

export type ReportLayout = z.output<typeof reportLayout>;
export type KnownReader = z.output<typeof knownReader>;

const known = z
  .strictObject({ layouts: z.record(z.string(), reportLayout), readers: z.array(knownReader) })
  .parse(table);

export const reportLayouts: ReadonlyMap<string, ReportLayout> = new Map(Object.entries(known.layouts));

export const knownReaders: readonly KnownReader[] = known.readers;

/** `undefined` for one that the table does not have. Vendor and product are four digits of hex, in either case. */
export const knownReaderOf = (device: { vendor: string; product: string }): KnownReader | undefined =>
  known.readers.find(
    ({ vendor, product }) =>
      vendor === device.vendor.toLowerCase() && product === device.product.toLowerCase(),
  );
