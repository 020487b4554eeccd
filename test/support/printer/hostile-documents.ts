/** PDF files (ISO 32000-1) that a converter may trip over, written by hand; qpdf makes their cross-reference tables. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

const pdf = (...objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from(`trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`),
  ]);

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const page = (contents = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> ${contents} >>`;

export const emptyPdf = (): Buffer => pdf(catalog, '<< /Type /Pages /Count 0 /Kids [] >>');

/** A node of the page tree is its own child. */
export const loopingPdf = (): Buffer =>
  pdf(
    catalog,
    '<< /Type /Pages /Count 2 /Kids [3 0 R] >>',
    '<< /Type /Pages /Count 2 /Parent 2 0 R /Kids [2 0 R] >>',
  );

/** So many empty pages. */
export const shellOfPdf = (pages: number): Buffer => {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`);
  return pdf(
    catalog,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    ...kids.map(() => page()),
  );
};

/** A page description of ten gigabytes of spaces, deflated twice. */
export function bombPdf(): Buffer {
  const mebibyteOfSpaces = deflateRawSync(Buffer.alloc(1024 ** 2, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const once = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: 10_240 }, () => mebibyteOfSpaces),
  ]);
  const twice = deflateSync(once, { level: 9 });
  const contents = Buffer.concat([
    Buffer.from(`<< /Length ${twice.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`),
    twice,
    Buffer.from('\nendstream'),
  ]);
  return pdf(catalog, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>', page('/Contents 4 0 R'), contents);
}
