/**
 * The port PagePictures: one page of a document as PNG, made by Ghostscript in the sandbox while the document comes in
 * (INVARIANTS.md D10, T17). Nothing of it is on a disk, not even encrypted: the room is in memory, and the output is
 * short. The output is accepted only if it is a PNG of the requested size.
 */
import { Readable } from 'node:stream';
import { seconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PagePicture, PagePictures } from '../../domain/ports/preview.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Task } from '../conversion/running.ts';
import type { SandboxLimits } from '../conversion/sandbox-room.ts';
import type { Sandbox } from '../conversion/sandbox.ts';
import { usualLimits } from '../conversion/sandbox.ts';
import type { Download } from '../../domain/ports/service.ts';
import { formatOf, sniffedOctets } from '../document-format.ts';
import { pictureSide, pictureSteps } from './picture-commands.ts';

const mebibyte = 1024 ** 2;

/** A user is waiting. A document that takes longer or is larger has no preview, and can still be printed. */
export const pictureLimits: SandboxLimits = {
  ...usualLimits,
  wall: seconds(15),
  cpu: seconds(10),
  files: 256 * mebibyte,
  output: 8 * mebibyte,
};

/** `sandbox` has these limits. It is not the sandbox of the releases, which must not wait for pictures. */
export const createPagePictures = ({ sandbox }: { readonly sandbox: Sandbox }): PagePictures => ({
  async of(download, wanted, call) {
    using document = await arriving(download);
    const steps = pictureSteps(document.format, wanted);
    if (steps === undefined) return { kind: 'no-preview' };
    const { before, last } = steps;
    if (before === undefined)
      return pictureIn(await written(sandbox, { recipe: last, document }, call), wanted);
    const pdf = await written(sandbox, { recipe: before, document }, call);
    const page = { length: pdf.length, read: () => Readable.from([pdf]) };
    try {
      return pictureIn(await written(sandbox, { recipe: last, document: page }, call), wanted);
    } finally {
      pdf.fill(0);
    }
  },
});

async function written(sandbox: Sandbox, task: Task, call: CallOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of sandbox.run(task, call)) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  for (const chunk of chunks) chunk.fill(0);
  return whole;
}

/**
 * PNG (ISO/IEC 15948), sections 5.2 and 11.2: the beginning and the end of a picture.
 *
 * +--------------------+----------------------+----------+-----------+----------+-----+--------------------+
 * |  89 "PNG" CR LF    |  00 00 00 0d "IHDR"  |  width   |  height   |  chunks  | ... |  00 00 00 00       |
 * |  1a LF             |                      |          |           |          |     |  "IEND" ae 42 60 82|
 * +--------------------+----------------------+----------+-----------+----------+-----+--------------------+
 * |  8 octets          |  8 octets            | 4 octets | 4 octets  |          |     |  12 octets         |
 */
const beginning = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const end = Buffer.from('0000000049454e44ae426082', 'hex');

/** Ghostscript writes nothing for a page that does not exist. */
function pictureIn(png: Buffer, { page }: { readonly page: number }): PagePicture {
  if (png.length === 0) {
    if (page > 1) return { kind: 'no-such-page' };
    throw new Problem('document-not-convertible', 'the document has no pages');
  }
  const head = png.subarray(0, beginning.length);
  const isSquare = png.length > 24 && [16, 20].every((at) => png.readUInt32BE(at) === pictureSide);
  const isOne = isSquare && head.equals(beginning) && png.indexOf(end) === png.length - end.length;
  if (isOne) return { kind: 'picture', png };
  throw new Problem('document-not-convertible', 'the output of the converter is not a picture');
}

/**
 * A download on its way into the sandbox: its first octets show its format, and then it flows on. Nothing of it is kept
 * here. The sandbox must know the length. If the service does not tell it, a short document waits in memory until it is
 * whole.
 */
interface ArrivingDocument extends Disposable {
  readonly format: string;
  readonly length: number;
  /** Called once. */
  read(): Readable;
}

/** For a document of unknown length. */
const mostOfUnknownLength = 8 * 1024 ** 2;

/** Rejects with the download's problem. Disposing ends the download. */
async function arriving(download: Download): Promise<ArrivingDocument> {
  const { bytes, length } = download;
  const chunks = (bytes as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const here: Buffer[] = [];
  const enough = length === undefined ? mostOfUnknownLength : sniffedOctets;
  try {
    const octets = await take(chunks, here, enough);
    if (length === undefined && octets > mostOfUnknownLength) {
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

/** Takes chunks until they hold more than `enough` octets, or all; gives the number of octets. */
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
