/**
 * Writes the sample documents: small, valid PDF 1.4 files (ISO 32000-1) by hand, A4, with a drawing and a sentence
 * that says what they are. Not a PDF library: text is Latin-1 in Helvetica, nothing is compressed.
 */
export interface SamplePdf {
  readonly title: string;
  readonly pages: number;
  /** The file is filled up to at least so many bytes, for measuring. */
  readonly minimumBytes?: number;
}

/** A4 in points. */
const page = { width: 595, height: 842 };

export function samplePdf({ title, pages, minimumBytes = 0 }: SamplePdf): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${firstPage + 2 * index} 0 R`);
  const objects: PdfObject[] = [
    latin1('<< /Type /Catalog /Pages 2 0 R >>'),
    latin1(`<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`),
    font('Helvetica'),
    font('Helvetica-Bold'),
    latin1(`<< /Title (${escaped(title)}) /Producer (Platen) >>`),
  ];
  for (let number = 1; number <= pages; number += 1) {
    const contents = latin1(drawing({ title, number, pages }));
    objects.push(pageObject(objects.length + 2), stream(contents));
  }
  const plain = assemble(objects);
  if (plain.length >= minimumBytes) return plain;
  return assemble([...objects, stream([filler(minimumBytes - plain.length)])]);
}

/** The text of one indirect object, in pieces: a filler may be large, and is copied once only. */
type PdfObject = readonly Buffer[];

/** Catalog, page tree, two fonts and the information come first. */
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

/** The same bytes every time. Its period is longer than the window of deflate, so that nothing shrinks it on the way. */
function filler(length: number): Buffer {
  const period = Buffer.alloc(65_521);
  let state = 0x2545f491;
  for (let index = 0; index < period.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    // Printable characters: nothing in there looks like the end of a stream.
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

// ---------------------------------------------------------------- what stands on the page

const colors = {
  ink: '0.13 0.16 0.22',
  soft: '0.45 0.49 0.56',
  accent: '0.10 0.45 0.55',
  paper: '0.95 0.97 0.98',
};

function drawing({ title, number, pages }: { title: string; number: number; pages: number }): string {
  return [
    `${colors.accent} rg 0 782 595 60 re f`,
    write({ text: 'Platen', x: 56, y: 804, size: 22, face: 'F2', color: '1 1 1' }),
    write({ text: title, x: 56, y: 706, size: 28, face: 'F2', color: colors.ink }),
    write({ text: 'If you hold this page, Platen works.', x: 56, y: 668, size: 16, color: colors.ink }),
    write({
      text: 'A badge was read, its owner was found, and this waiting document was let out here.',
      x: 56,
      y: 644,
      size: 11,
      color: colors.soft,
    }),
    printer,
    grayWedge,
    write({ text: 'This is a sample document.', x: 56, y: 52, size: 9, color: colors.soft }),
    write({ text: `Page ${number} of ${pages}`, x: 484, y: 52, size: 9, color: colors.soft }),
  ].join('\n');
}

function write(line: {
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

/** A printer with a sheet coming out, and a badge held to it. */
const printer = [
  '2 w',
  `${colors.paper} rg ${colors.ink} RG 232 478 130 96 re B`,
  `${colors.ink} rg 177 356 240 134 re f`,
  `${colors.accent} rg 193 460 56 14 re f`,
  `1 1 1 rg ${colors.ink} RG 222 300 150 108 re B`,
  `${colors.soft} RG 238 384 m 356 384 l S 238 366 m 356 366 l S 238 348 m 320 348 l S`,
  `${colors.accent} rg 240 314 20 20 re f`,
  `q 0.94 0.34 -0.34 0.94 446 402 cm 1 1 1 rg ${colors.ink} RG 0 0 84 54 re B`,
  `${colors.accent} rg 8 14 24 28 re f ${colors.soft} RG 42 38 m 76 38 l S 42 26 m 76 26 l S 42 14 m 62 14 l S Q`,
].join('\n');

/** Ten steps from white to black: shows whether the printer still has toner for the middle. */
const grayWedge = Array.from({ length: 10 }, (_, step) => {
  const gray = (1 - step / 9).toFixed(2);
  return `${gray} g 0.45 0.49 0.56 RG 0.5 w ${56 + step * 48.3} 130 48.3 36 re B`;
}).join('\n');
