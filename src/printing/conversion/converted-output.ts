/**
 * What a converter wrote, looked at while it comes: that it is the format it should be, whole, and nothing else. It is
 * not parsed. The PJL that Ghostscript puts around PCL XL is taken off: around a document stands ours, or none.
 */
import { Problem } from '../../domain/problem.ts';
import { formatOf, formats, sniffedOctets, universalExit } from '../document-format.ts';

interface Form {
  /** Shorter than that there is no page in it. */
  readonly atLeast: number;
  /** Latin-1, at the very end; absent where the format has no end mark. */
  readonly tail?: RegExp;
}

const forms: Readonly<Record<string, Form>> = {
  [formats.pdf]: { atLeast: 100, tail: /%%EOF\s*$/ },
  [formats.postscript]: { atLeast: 100, tail: /%%EOF\s*$/ },
  // EndSession and, before it, CloseDataSource (PCL XL Feature Reference 2.1).
  [formats.pclXl]: { atLeast: 100, tail: /IB$/ },
  // PWG 5102.4: a synchronisation word, then 1,796 octets of header to each page.
  [formats.pwgRaster]: { atLeast: 4 + 1796 },
  // Twelve octets of file header, 32 of page header.
  [formats.urf]: { atLeast: 12 + 32 },
};

/** Octets held back to look at the end. */
const heldOctets = 64;
const exit = Buffer.from(universalExit, 'latin1');

/** Passes on what is right; throws `document-not-convertible` before the end where something is not. */
export async function* convertedOutput(
  chunks: AsyncIterable<Buffer>,
  { format, pages }: { readonly format: string; readonly pages: number | undefined },
): AsyncGenerator<Buffer> {
  const form = forms[format];
  if (form === undefined) throw new Error(`nothing is converted to ${format}`);
  let length = 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of begun(chunks, format, pages)) {
    // A UEL inside would let what follows speak PJL to the printer (T15, T16).
    const seen = Buffer.concat([held, chunk]);
    if (seen.subarray(0, -exit.length).includes(exit)) throw wrong('it holds printer commands (PJL)');
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

/** The first chunk is long enough to tell the format, and begins with the document itself. */
async function* begun(
  chunks: AsyncIterable<Buffer>,
  format: string,
  pages: number | undefined,
): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < sniffedOctets) continue;
    yield beginning(head, format, pages);
    head = undefined;
  }
  if (head) yield beginning(head, format, pages);
}

function beginning(head: Buffer, format: string, pages: number | undefined): Buffer {
  const found = formatOf(head);
  if (found !== format) throw wrong(`it is ${found}`);
  const start =
    head.indexOf(exit) === 0 ? /ENTER LANGUAGE *= *\S+\s*?\n/.exec(head.toString('latin1')) : null;
  const plain = Buffer.from(head.subarray(start ? start.index + start[0].length : 0));
  // Ghostscript, which writes while it counts, leaves the page count of the file header 0.
  if (format === formats.urf && pages !== undefined) plain.writeUInt32BE(pages, 8);
  return plain;
}

const wrong = (why: string) =>
  new Problem('document-not-convertible', `what the converter wrote is no good: ${why}`);
