/**
 * Reads `config/readers.json`: known readers by USB vendor and product, and the position of the number in raw reports.
 * Each entry names its public source.
 */
import { z } from 'zod';
import table from '../../../config/readers.json' with { type: 'json' };

const usbNumber = z.string().regex(/^[0-9a-f]{4}$/);
const offset = z.number().int().min(0).max(1023);

const reportLayout = z.strictObject({
  /** The first byte of the report, if the device has several kinds of report. */
  reportId: z.number().int().min(1).max(255).optional(),
  /** Position of the length of the number. All offsets are in bytes from the start of the report. */
  length: offset,
  number: offset,
  /** Largest length in bytes. A report with a larger length is garbage. */
  most: z.number().int().min(1).max(128),
  output: z.enum(['hex', 'text']),
  order: z.enum(['as-sent', 'reversed']).default('as-sent'),
  /** The first and last character of the text, which are not part of the number. */
  between: z.tuple([z.string().length(1), z.string().length(1)]).optional(),
  /** Position of a flag: a value other than zero means that the number continues in the next report. */
  continued: offset.optional(),
  /** The meaning of length zero: the card was removed, or it could not be read. */
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

/** Gives `undefined` for an unknown reader. Vendor and product are four hex digits, in either case. */
export const knownReaderOf = (device: { vendor: string; product: string }): KnownReader | undefined =>
  known.readers.find(
    ({ vendor, product }) =>
      vendor === device.vendor.toLowerCase() && product === device.product.toLowerCase(),
  );
