/**
 * Packs a document with gzip on its way to the printer (`compression` of RFC 8011 section 3.2.1.1, RFC 1952), where
 * that pays: page languages and rasters become a quarter to a tenth in milliseconds, PDF is packed already. Printers
 * want to know the length before the first byte, so the packed form is made whole first, in memory, within bounds.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { SpooledDocument } from '../../../domain/ports/printing.ts';
import { formats } from '../../document-format.ts';

const worthIt: ReadonlySet<string> = new Set(
  [formats.postscript, formats.pcl, formats.pclXl, formats.pwgRaster, formats.urf].map((one) =>
    one.toLowerCase(),
  ),
);

/** Octets: below, a packet more or less; above, neither time nor memory is bounded any more. */
const bounds = { shortest: 64 * 1024, longest: 64 * 1024 ** 2, packed: 4 * 1024 ** 2 } as const;
const sampled = 64 * 1024;
/** A sample that keeps more of its length than this is sent as it is. */
const mostKept = 0.8;
/** Nearly as small as the higher levels, and many times as fast as the line. */
const level = 1;

export const isWorthPacking = (format: string): boolean => worthIt.has(format.toLowerCase());

/**
 * `undefined`: it goes out as it is. What is still coming in is not waited for; what cannot be read is left to the
 * transfer, which meets the same fault and tells what it means.
 */
export async function packed(
  document: SpooledDocument,
  { signal }: CallOptions,
): Promise<SpooledDocument | undefined> {
  const { length } = document;
  if (length < bounds.shortest || length > bounds.longest || document.digest() === undefined)
    return undefined;
  try {
    const sample = await headOf(document);
    if (gzipSync(sample, { level }).length > mostKept * sample.length) return undefined;
    const whole = await gzipped(document, signal);
    return (
      whole && {
        ...document,
        length: whole.length,
        read: () => Readable.from([whole], { objectMode: false }),
      }
    );
  } catch {
    return undefined;
  }
}

/** `undefined` where it would take too much memory. */
async function gzipped(document: SpooledDocument, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let octets = 0;
  const gzip = createGzip({ level });
  // Its failure is that of the stream it feeds, and is met there.
  pipeline(document.read(), gzip, { signal }).catch(() => {});
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > bounds.packed) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, octets);
}

async function headOf(document: SpooledDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of document.read() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    octets += chunk.length;
    if (octets >= sampled) break;
  }
  return Buffer.concat(chunks).subarray(0, sampled);
}
