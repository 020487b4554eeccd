/**
 * What Ghostscript and qpdf are told to do. Everything becomes PDF first, its pages are put in their order by qpdf, and
 * Ghostscript makes of them what the printer takes. A recipe is a command line in the rooms that are made here, and words
 * on the wire in the unit, whose `systemd/converter-room` makes the same command line of them. In Ghostscript 10 and qpdf
 * 11 as of Debian 12.
 */
import type { Conversion } from '../../domain/ports/printing.ts';
import { formats } from '../document-format.ts';
import { mediaPoints } from '../media.ts';
import type { Places } from './sandbox-room.ts';
import type { PageOrder } from './page-order.ts';
import type { Programs } from './programs.ts';

export interface Recipe {
  readonly program: keyof Programs;
  readonly arguments: (places: Places) => readonly string[];
  /** Its name and values. */
  readonly words: readonly string[];
  /** Text of a second file. */
  readonly beside?: string;
}

const ghostscript = [
  ...['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE'],
  // Standard output is the converted document: what PostScript prints there goes the other way.
  ...['-sstdout=%stderr', '-sOutputFile=%stdout'],
];

export const postscriptToPdf: Recipe = {
  program: 'ghostscript',
  arguments: ({ document }) => [...ghostscript, '-sDEVICE=pdfwrite', document],
  words: ['to-pdf'],
};

export const pageCount: Recipe = {
  program: 'qpdf',
  arguments: ({ document }) => ['--warning-exit-0', '--show-npages', document],
  words: ['count'],
};

/** `beside`: an empty page. */
export function arranged(order: PageOrder, { turnsBacks }: Conversion, beside: string): Recipe {
  const pages = ranges(order);
  return {
    program: 'qpdf',
    arguments: ({ document, beside: emptyPage }) => [
      ...['--warning-exit-0', '--empty', '--pages'],
      ...pages.flatMap((range) => (range === blank ? [emptyPage, '1'] : [document, range])),
      '--',
      ...(turnsBacks ? ['--rotate=+180:1-z:even'] : []),
      '-',
    ],
    words: ['arrange', turnsBacks ? 'turned' : 'as-is', ...pages],
    beside,
  };
}

const blank = 'blank';

/** Page ranges of the document as qpdf writes them (`3,1,2`), and where an empty page stands between. */
function ranges(order: PageOrder): readonly string[] {
  const found: string[] = [];
  for (const page of order) {
    const last = found.at(-1);
    if (page === blank || last === undefined || last === blank) found.push(String(page));
    else found[found.length - 1] = `${last},${page}`;
  }
  return found;
}

export function rendered(conversion: Conversion): Recipe {
  const { color, sides = 'one-sided', resolution, media } = conversion;
  const device = deviceOf(conversion);
  const points = media === undefined ? undefined : mediaPoints(media);
  const paper = media && points ? { ...points, media } : undefined;
  return {
    program: 'ghostscript',
    arguments: ({ document }) => [
      ...ghostscript,
      `-sDEVICE=${device}`,
      ...deviceOptions(conversion),
      `-r${resolution}`,
      ...(paper ? fitted(paper) : []),
      document,
    ],
    words: [
      ...['render', device, color, sides, String(resolution)],
      ...(paper ? [String(paper.width), String(paper.height), paper.media] : []),
    ],
  };
}

function deviceOf({ format, color }: Conversion): string {
  switch (format) {
    case formats.pdf:
      return 'pdfwrite';
    case formats.postscript:
      return 'ps2write';
    case formats.pclXl:
      return color === 'grey' ? 'pxlmono' : 'pxlcolor';
    default:
      return format === formats.urf ? 'appleraster' : 'pwgraster';
  }
}

function deviceOptions({ format, color, sides = 'one-sided' }: Conversion): readonly string[] {
  const isGrey = color === 'grey';
  const duplex = [`-dDuplex=${sides !== 'one-sided'}`, `-dTumble=${sides === 'two-sided-short-edge'}`];
  switch (format) {
    case formats.pdf:
    // LanguageLevel 2: every PostScript printer there is takes it.
    case formats.postscript:
      return isGrey ? ['-sColorConversionStrategy=Gray', '-dProcessColorModel=/DeviceGray'] : [];
    case formats.pclXl:
      return duplex;
    default:
      // cups_cspace_e of CUPS: 18 is sGray, 19 sRGB.
      return [
        `-dcupsColorSpace=${isGrey ? 18 : 19}`,
        ...['-dcupsBitsPerColor=8', '-dcupsColorOrder=0'],
        ...duplex,
      ];
  }
}

/** Every page on the paper of the record, made to fit: another size would not be what was paid for. */
const fitted = (paper: { width: number; height: number; media: string }): readonly string[] => [
  `-dDEVICEWIDTHPOINTS=${paper.width}`,
  `-dDEVICEHEIGHTPOINTS=${paper.height}`,
  ...['-dFIXEDMEDIA', '-dPDFFitPage', `-scupsPageSizeName=${paper.media}`],
];
