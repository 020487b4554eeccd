/**
 * Checks the output of a converter while it comes: that it has the right format, is whole, and contains nothing else.
 * Only raster is followed to its end (raster-stream.ts). Ghostscript puts PJL around PCL XL. It is removed here,
 * because only our own PJL may stand around a document.
 */
import type { SheetBacks } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { formatOf, formats, sniffedOctets } from '../document-format.ts';
import { universalExit } from '../pjl-guard.ts';
import type { PageLimit } from './raster-stream.ts';
import { finishedRaster } from './raster-stream.ts';

interface Form {
  /** A shorter output has no page. */
  readonly atLeast: number;
  /** Latin-1, at the very end; absent if the format has no end mark. */
  readonly tail?: RegExp;
}

const forms: Readonly<Record<string, Form>> = {
  [formats.pdf]: { atLeast: 100, tail: /%%EOF\s*$/ },
  [formats.postscript]: { atLeast: 100, tail: /%%EOF\s*$/ },
  // CloseDataSource and then EndSession (PCL XL Feature Reference 2.1).
  [formats.pclXl]: { atLeast: 100, tail: /IB$/ },
  // A form feed and the printer's reset (PCL 5 Technical Reference Manual, chapter 4).
  [formats.pcl]: { atLeast: 100, tail: /\f\x1bE$/ },
  [formats.pwgRaster]: { atLeast: 1 },
  [formats.urf]: { atLeast: 1 },
};

/** Octets that are held back so that the end can be checked. */
const heldOctets = 64;
const exit = Buffer.from(universalExit, 'latin1');

export interface OutputFacts {
  readonly format: string;
  /** Given for raster. */
  readonly pages?: number;
  readonly backs?: SheetBacks | undefined;
  readonly limit?: PageLimit | undefined;
}

/** Passes correct output on; throws `document-not-convertible` before the end if something is wrong. */
export async function* convertedOutput(
  chunks: AsyncIterable<Buffer>,
  { format, pages, backs, limit }: OutputFacts,
): AsyncGenerator<Buffer> {
  const form = forms[format];
  if (form === undefined) throw new Error(`nothing is converted to ${format}`);
  let length = 0;
  let held: Buffer = Buffer.alloc(0);
  const plain = begun(chunks, format);
  const finished =
    pages === undefined ? plain : finishedRaster(plain, { format, pages, backs, limit }, wrong);
  for await (const chunk of finished) {
    // After a UEL inside the document, the following octets would be PJL for the printer (T15, T16).
    const seen = Buffer.concat([held, chunk]);
    if (seen.subarray(0, -exit.length).includes(exit)) throw wrong('it contains printer commands (PJL)');
    const end = Math.max(0, seen.length - heldOctets);
    if (end > 0) yield seen.subarray(0, end);
    length += end;
    held = Buffer.from(seen.subarray(end));
  }
  const last = held.subarray(-exit.length).equals(exit) ? held.subarray(0, -exit.length) : held;
  length += last.length;
  if (length < form.atLeast) throw wrong(`it has ${length} octets, and not one page`);
  if (form.tail && !form.tail.test(last.toString('latin1')))
    throw wrong('it is cut, or something follows its end');
  yield last;
}

/** The first chunk is long enough to show the format, and begins with the document itself. */
async function* begun(chunks: AsyncIterable<Buffer>, format: string): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < sniffedOctets) continue;
    yield beginning(head, format);
    head = undefined;
  }
  if (head) yield beginning(head, format);
}

function beginning(head: Buffer, format: string): Buffer {
  const found = formatOf(head);
  if (found !== format) throw wrong(`it is ${found}`);
  const start =
    head.indexOf(exit) === 0 ? /ENTER LANGUAGE *= *\S+\s*?\n/.exec(head.toString('latin1')) : null;
  return Buffer.from(head.subarray(start ? start.index + start[0].length : 0));
}

const wrong = (why: string, reason?: string) =>
  new Problem('document-not-convertible', `the output of the converter is not usable: ${why}`, {
    reasons: reason === undefined ? [] : [reason],
  });
