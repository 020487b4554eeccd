/**
 * Small PDF 1.4 files (ISO 32000-1): writes valid ones with A4 pages, and counts the pages of those that pass by. It
 * is not a PDF library: text is Latin-1 in Helvetica, and nothing is compressed.
 */

interface PdfFile {
  readonly title: string;
  /** One content stream per page (ISO 32000-1 section 8.2). The fonts are F1 and F2, Helvetica plain and bold. */
  readonly drawings: readonly string[];
  /** The file is filled up to at least this many bytes, for measurements. */
  readonly minimumBytes?: number;
}

/** A4 in points. */
const page = { width: 595, height: 842 };

export function pdfFile({ title, drawings, minimumBytes = 0 }: PdfFile): Buffer {
  const kids = drawings.map((_, index) => `${firstPage + 2 * index} 0 R`);
  const objects: PdfObject[] = [
    latin1('<< /Type /Catalog /Pages 2 0 R >>'),
    latin1(`<< /Type /Pages /Count ${drawings.length} /Kids [${kids.join(' ')}] >>`),
    font('Helvetica'),
    font('Helvetica-Bold'),
    latin1(`<< /Title (${escaped(title)}) /Producer (Platen) >>`),
  ];
  for (const drawing of drawings) {
    objects.push(pageObject(objects.length + 2), stream(latin1(drawing)));
  }
  const plain = assemble(objects);
  if (plain.length >= minimumBytes) return plain;
  return assemble([...objects, stream([filler(minimumBytes - plain.length)])]);
}

/** A line of text. The position is in points from the lower left corner; `color` is red, green and blue from 0 to 1. */
export function write(line: {
  text: string;
  x: number;
  y: number;
  size: number;
  face?: 'F1' | 'F2';
  color: string;
}): string {
  const { text, x, y, size, face = 'F1', color } = line;
  return `BT ${color} rg /${face} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;
}

/** The text of an indirect object, in pieces, so that a large filler is copied only once. */
type PdfObject = readonly Buffer[];

/** The catalog, the page tree, two fonts and the information come before the first page. */
const firstPage = 6;

const latin1 = (text: string): PdfObject => [Buffer.from(text, 'latin1')];

const lengthOf = (pieces: PdfObject): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

const escaped = (text: string): string =>
  text.replaceAll(/[\\()]/g, String.raw`\$&`).replaceAll(/[^ -ÿ]/g, '?');

const font = (name: string): PdfObject =>
  latin1(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);

const pageObject = (contents: number): PdfObject =>
  latin1(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] ` +
      `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${contents} 0 R >>`,
  );

const stream = (content: PdfObject): PdfObject => [
  ...latin1(`<< /Length ${lengthOf(content)} >>\nstream\n`),
  ...content,
  ...latin1('\nendstream'),
];

/** Always the same bytes. The period is longer than the window of deflate, so that compression cannot shrink it. */
function filler(length: number): Buffer {
  const period = Buffer.alloc(65_521);
  let state = 0x2545f491;
  for (let index = 0; index < period.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    // Only printable characters, so that nothing looks like the end of a stream.
    period[index] = 0x30 + ((state >>> 24) & 0x3f);
  }
  return Buffer.alloc(length, period);
}

/** ISO 32000-1 section 7.5: header, objects, cross-reference table with the offset of each, trailer. */
function assemble(objects: readonly PdfObject[]): Buffer {
  const parts = [...latin1('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n')];
  let length = lengthOf(parts);
  const offsets = objects.map((object, index) => {
    const whole = [...latin1(`${index + 1} 0 obj\n`), ...object, ...latin1('\nendobj\n')];
    const offset = length;
    parts.push(...whole);
    length += lengthOf(whole);
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  return Buffer.concat([
    ...parts,
    ...latin1(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`),
    ...latin1(`trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${length}\n%%EOF\n`),
  ]);
}

interface PdfPages {
  take(bytes: Uint8Array): void;
  /** Gives `undefined` if no page was seen: the file is not a PDF, or it is compressed. */
  count(): number | undefined;
}

const endOfPageType = /\/Type\s*\/Page[^A-Za-z]$/s;
const name = '/Page';
/** Octets before and after the name that the pattern needs. */
const before = 16;
const behind = 1;

/** Counts the page objects of a PDF while its bytes pass by. Page objects in compressed streams are not seen. */
export function pdfPages(): PdfPages {
  let kept = Buffer.alloc(0);
  /** `offset` is the place of the kept bytes in the document. `unread` is the place where the search continues. */
  let offset = 0;
  let unread = 0;
  let count = 0;
  return {
    take(bytes) {
      const all = Buffer.concat([kept, bytes]);
      const last = all.length - name.length - behind;
      for (
        let at = all.indexOf(name, unread - offset);
        at >= 0 && at <= last;
        at = all.indexOf(name, at + 1)
      ) {
        const around = all.subarray(Math.max(0, at - before), at + name.length + behind);
        if (endOfPageType.test(around.toString('latin1'))) count += 1;
      }
      unread = Math.max(unread, offset + last + 1);
      const keptFrom = Math.max(0, last + 1 - before);
      offset += keptFrom;
      kept = all.subarray(keptFrom);
    },
    count: () => (count === 0 ? undefined : count),
  };
}
