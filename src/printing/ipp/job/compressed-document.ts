/**
 * Compresses a document with gzip on its way to the printer (`compression` of RFC 8011 section 3.2.1.1, RFC 1952) if
 * that saves time. Page languages and rasters shrink to a quarter or a tenth within milliseconds; PDF is compressed
 * already. Printers need the length before the first byte, so the compressed form is made in memory first, within
 * limits.
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

/**
 * Octets. Below the first, only a packet would be saved; above the second, neither time nor memory would be limited.
 */
const bounds = { shortest: 64 * 1024, longest: 64 * 1024 ** 2, packed: 4 * 1024 ** 2 } as const;
const sampled = 64 * 1024;
/** If a sample keeps more of its length than this, the document is sent as it is. */
const mostKept = 0.8;
/** Nearly as small as at higher levels, and many times as fast as the line. */
const level = 1;

export const isWorthPacking = (format: string): boolean => worthIt.has(format.toLowerCase());

/**
 * `undefined`: the document goes out as it is. A document that is still coming in is not awaited. If it cannot be read,
 * the transfer meets the same fault and reports it.
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

/** `undefined` if it would take too much memory. */
async function gzipped(document: SpooledDocument, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let octets = 0;
  const gzip = createGzip({ level });
  // The stream that it feeds fails with the same error, which is handled there.
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
  for await (const chunk of document.read()) {
    chunks.push(chunk);
    octets += chunk.length;
    if (octets >= sampled) break;
  }
  return Buffer.concat(chunks).subarray(0, sampled);
}
