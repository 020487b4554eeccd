/** The paper slip for a guest. */
import { pdfFile, write } from '../../simulator/sample/pdf-file.ts';

export interface Slip {
  readonly userName: string;
  readonly shortId: string;
  /** As text for people. */
  readonly until: string;
  readonly pages: number | undefined;
}

const ink = '0.13 0.16 0.22';
const title = 'Print here as a guest';

export const slipPdf = ({ userName, shortId, until, pages }: Slip): Buffer => {
  const lines = [
    `User name: ${userName}`,
    `Until: ${until}`,
    ...(pages === undefined ? [] : [`Pages: ${pages} in black and white, fewer in colour or on large paper`]),
    'At the printer: choose ID number, and type the number above.',
    'Ask the reception how to send a document, and name the user above.',
    'Keep this slip secret. A person who has the number can print your documents.',
  ];
  return pdfFile({
    title,
    drawings: [
      [
        write({ text: title, x: 56, y: 742, size: 28, face: 'F2', color: ink }),
        write({ text: `ID number: ${spaced(shortId)}`, x: 56, y: 690, size: 22, face: 'F2', color: ink }),
        ...lines.map((text, line) => write({ text, x: 56, y: 650 - 22 * line, size: 12, color: ink })),
      ].join('\n'),
    ],
  });
};

/** In groups of four, as people read numbers aloud. */
const spaced = (number: string): string => number.replaceAll(/\d{4}(?=\d)/g, '$& ');
