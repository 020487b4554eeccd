/** The content of the test page: its terminal, place and time, and fields for judging the printer. */
import { pdfFile, write } from '../../simulator/sample/pdf-file.ts';

export interface TestPage {
  readonly terminal: string;
  readonly printer: string;
  /** As text for people. */
  readonly time: string;
}

const ink = '0.13 0.16 0.22';
const title = 'Platen test page';

export const testPagePdf = ({ terminal, printer, time }: TestPage): Buffer =>
  pdfFile({
    title,
    drawings: [
      [
        write({ text: title, x: 56, y: 742, size: 28, face: 'F2', color: ink }),
        ...[`Terminal: ${terminal}`, `Printer: ${printer}`, `Time: ${time}`].map((text, line) =>
          write({ text, x: 56, y: 690 - 24 * line, size: 13, color: ink }),
        ),
        ...colors.map((color, column) => `${color} rg ${56 + 72 * column} 500 60 60 re f`),
        // A little inside the printable area of office printers.
        `${ink} RG 0.5 w 20 20 555 802 re S`,
        write({
          text: 'Printed by platen check. It belongs to nobody, and is in no history.',
          x: 56,
          y: 52,
          size: 9,
          color: ink,
        }),
      ].join('\n'),
    ],
  });

/** Cyan, magenta, yellow, red, green, blue, black; each as red, green and blue. */
const colors = ['0 1 1', '1 0 1', '1 1 0', '1 0 0', '0 1 0', '0 0 1', '0 0 0'];
