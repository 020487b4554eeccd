/** Writes PDF by hand (ISO 32000-1 section 7), so that a test says exactly what is in a document. */

export interface PdfPage {
  /** Entries of the page dictionary beside those that every page has. */
  readonly entries?: string;
  readonly content: string;
  /** Of the resource dictionary, beside the fonts. */
  readonly resources?: string;
  /** Of the dictionary of fonts, beside the standard ones. */
  readonly fonts?: string;
}

export interface PdfParts {
  /** Numbered from 10 on. */
  readonly objects?: readonly (string | Buffer)[];
  readonly catalog?: string;
  /** Of the root of the page tree, for the pages to inherit. */
  readonly inherited?: string;
  readonly version?: string;
}

export const stream = (dictionary: string, data: string | Buffer): Buffer => {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${bytes.length}>>stream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

const firstExtra = 10;
const firstPage = 100;
const standardFonts = ['Helvetica', 'Times-Roman', 'Courier', 'Symbol', 'ZapfDingbats'];

/** Fonts are /F0 to /F4: Helvetica, Times, Courier, Symbol and dingbats. */
export function pdfOf(pages: readonly PdfPage[], parts: PdfParts = {}): Buffer {
  const { objects = [], catalog = '', inherited = '', version = '1.7' } = parts;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  const named = standardFonts
    .map((font, index) => `/F${index}<</Type/Font/Subtype/Type1/BaseFont/${font}>>`)
    .join('');
  const numbered: [number, string | Buffer][] = [
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]${inherited}>>`],
    ...objects.map((object, index): [number, string | Buffer] => [firstExtra + index, object]),
    ...pages.flatMap(
      ({ entries = '', content, resources = '', fonts: more = '' }, index): [number, string | Buffer][] => {
        const number = firstPage + 2 * index;
        const own = `/Resources<</Font<<${named}${more}>>${resources}>>/Contents ${number + 1} 0 R${entries}`;
        return [
          [number, `<</Type/Page/Parent 2 0 R${own}>>`],
          [number + 1, stream('', content)],
        ];
      },
    ),
  ];
  return written(numbered, version);
}

function written(objects: readonly (readonly [number, string | Buffer])[], version: string): Buffer {
  const chunks = [Buffer.from(`%PDF-${version}\n`)];
  let length = chunks[0]?.length ?? 0;
  const table: string[] = [];
  for (const [number, object] of objects) {
    table.push(`${number} 1\n${String(length).padStart(10, '0')} 00000 n \n`);
    const text = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    chunks.push(text);
    length += text.length;
  }
  const size = Math.max(...objects.map(([number]) => number)) + 1;
  const end = `xref\n0 1\n0000000000 65535 f \n${table.join('')}trailer\n<</Root 1 0 R/Size ${size}>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...chunks, Buffer.from(end)]);
}

/** A letter F of bars, and a mark of its own colour in each corner: whatever is turned, mirrored, cut or shifted shows. */
export function marks(width: number, height: number, [x, y] = [0, 0]): string {
  const unit = Math.min(width, height) / 20;
  const bars = [
    [5, 5, 2, 10],
    [5, 13, 8, 2],
    [5, 9, 5, 2],
  ].map((bar) => bar.map((side) => side * unit));
  const corner = 2 * unit;
  return [
    `q 1 0 0 1 ${x} ${y} cm 0 g`,
    ...bars.map((bar) => `${bar.join(' ')} re f`),
    `1 0 0 rg 0 0 ${corner} ${corner} re f`,
    `0 0.6 0 rg ${width - corner} 0 ${corner} ${unit} re f`,
    `0 0 1 rg 0 ${height - corner} ${unit} ${corner} re f`,
    `0.5 g ${width - unit} ${height - unit} ${unit} ${unit} re f`,
    'Q',
  ].join('\n');
}
