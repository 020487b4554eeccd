/** The sample documents: A4 pages with a drawing and a sentence that explains them. */
import { pdfFile, write } from './pdf-file.ts';

export interface SamplePdf {
  readonly title: string;
  readonly pages: number;
  /** The file is filled up to at least this many bytes, for measurements. */
  readonly minimumBytes?: number;
}

export const samplePdf = ({ title, pages, ...size }: SamplePdf): Buffer =>
  pdfFile({
    title,
    drawings: Array.from({ length: pages }, (_, index) => drawing({ title, number: index + 1, pages })),
    ...size,
  });

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

/** Ten steps from white to black, which show how the printer prints grey. */
const grayWedge = Array.from({ length: 10 }, (_, step) => {
  const gray = (1 - step / 9).toFixed(2);
  return `${gray} g 0.45 0.49 0.56 RG 0.5 w ${56 + step * 48.3} 130 48.3 36 re B`;
}).join('\n');
