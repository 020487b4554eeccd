/**
 * A download on its way into the converter's room, and nowhere else: its first octets are looked at for its format, then
 * it flows. Nothing of it is kept here. A room that has to be told the length is; where the service does not tell it, a
 * short document waits in memory until it is whole.
 */
import { Readable } from 'node:stream';
import type { Download } from '../../domain/ports/service.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { formatOf, sniffedOctets } from '../document-format.ts';

export interface ArrivingDocument extends Disposable {
  readonly format: string;
  readonly length: number;
  /** Once. */
  read(): Readable;
}

/** Of a document whose length nobody tells. */
const longestUntold = 8 * 1024 ** 2;

/** Rejects with the download's problem. Disposing ends the download. */
export async function arriving(download: Download): Promise<ArrivingDocument> {
  const { bytes, length } = download;
  const chunks = (bytes as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const here: Buffer[] = [];
  const enough = length === undefined ? longestUntold : sniffedOctets;
  try {
    const octets = await take(chunks, here, enough);
    if (length === undefined && octets > longestUntold) {
      throw new Problem('document-not-convertible', 'the service does not say how long the document is');
    }
    return {
      format: formatOf(Buffer.concat(here)),
      length: length ?? octets,
      read: () => Readable.from(flowing(here, chunks)),
      [Symbol.dispose]: () => void bytes.destroy(),
    };
  } catch (error) {
    bytes.destroy();
    throw error;
  }
}

type Chunks = AsyncIterator<Buffer, unknown>;

/** Until there are more than enough of them, or all; gives how many octets those are. */
async function take(chunks: Chunks, here: Buffer[], enough: number): Promise<number> {
  let octets = 0;
  while (octets <= enough) {
    const { done, value } = await chunks.next();
    if (done === true) return octets;
    here.push(value);
    octets += value.length;
  }
  return octets;
}

async function* flowing(here: Buffer[], chunks: Chunks): AsyncGenerator<Buffer> {
  for (let chunk = here.shift(); chunk !== undefined; chunk = here.shift()) yield chunk;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done === true) return;
    yield value;
  }
}
