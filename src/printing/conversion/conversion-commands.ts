/**
 * The commands for Ghostscript and qpdf. Every document first becomes PDF, qpdf puts its pages in order, and
 * Ghostscript makes the printer's format. In rooms that are made here a recipe is a command line. In the unit it is
 * words on the wire, from which `systemd/converter-room` makes the same command line. For Ghostscript 10 and qpdf 11 as
 * in Debian 12.
 */
import type { Conversion, SheetBacks } from '../../domain/ports/printing.ts';
import { formats } from '../document-format.ts';
import { mediaPixels, mediaPoints } from '../media.ts';
import type { Places } from './sandbox-room.ts';
import type { PageOrder } from './page-order.ts';
import { paperPoints } from './page-order.ts';
import { pngProgram, textProgram } from './drawing-programs.ts';
import type { Programs } from './conversion-programs.ts';
import { rasterTypes } from './raster-abilities.ts';
import { tiffProgram } from './tiff-program.ts';

export interface Recipe {
  readonly program: keyof Programs;
  readonly arguments: (places: Places) => readonly string[];
  /** The name of the recipe and its values, for the unit. */
  readonly words: readonly string[];
  /** The text of a second file. */
  readonly beside?: string;
}

export const ghostscript = [
  '-q',
  '-dSAFER',
  '-dBATCH',
  '-dNOPAUSE',
  // Standard output is the converted document, so output of PostScript goes to standard error.
  '-sstdout=%stderr',
  '-sOutputFile=%stdout',
];

/**
 * Ghostscript would replace a missing composite font (PLRM 3, section 5.10) by Latin letters, set with its octets. Its
 * name ends in the direction of its CMap, `-H` or `-V`.
 */
const compositesRequired = [
  '/findfont{dup systemdict/findfont get exec exch dup type/nametype eq{dup length string cvs dup length 2 gt',
  '{dup length 2 sub 2 getinterval dup(-H)eq exch(-V)eq or{dup/FontType get 0 ne{0 -77 .quit}if}if}{pop}ifelse}',
  '{pop}ifelse}bind def',
].join('');

export const postscriptToPdf: Recipe = {
  program: 'ghostscript',
  arguments: ({ document }) => [
    ...ghostscript,
    '-sDEVICE=pdfwrite',
    '-c',
    compositesRequired,
    '-f',
    document,
  ],
  words: ['to-pdf'],
};

/** Draws with one of our programs, to which the document is data. The program may read that file and no other. */
function drawn(program: string, conversion: Conversion): Recipe {
  const { width, height } = paperPoints(conversion);
  return {
    program: 'ghostscript',
    arguments: ({ document, beside }) => [
      ...ghostscript,
      '-sDEVICE=pdfwrite',
      `-dDEVICEWIDTHPOINTS=${width}`,
      `-dDEVICEHEIGHTPOINTS=${height}`,
      `--permit-file-read=${document}`,
      `-sDocument=${document}`,
      beside,
    ],
    words: ['draw', String(width), String(height)],
    beside: program,
  };
}

/** The step that makes a document of this format PDF; `undefined` if it is PDF. */
export function becomingPdf(format: string, conversion: Conversion): Recipe | undefined {
  switch (format) {
    case formats.postscript:
      return postscriptToPdf;
    case formats.png:
      return drawn(pngProgram, conversion);
    case formats.tiff:
      return drawn(tiffProgram, conversion);
    case formats.text:
      return drawn(textProgram, conversion);
    default:
      return undefined;
  }
}

export const pageCount: Recipe = {
  program: 'qpdf',
  arguments: ({ document }) => ['--warning-exit-0', '--show-npages', document],
  words: ['count'],
};

/** `beside` is an empty page. */
export function arranged(order: PageOrder, beside: string): Recipe {
  const pages = ranges(order);
  return {
    program: 'qpdf',
    arguments: ({ document, beside: emptyPage }) => [
      '--warning-exit-0',
      '--empty',
      '--pages',
      ...pages.flatMap((range) => (range === blank ? [emptyPage, '1'] : [document, range])),
      '--',
      '-',
    ],
    words: ['arrange', ...pages],
    beside,
  };
}

const blank = 'blank';

/** The page ranges as qpdf writes them (`3,1,2`), with marks for empty pages between. */
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
  const { color, rasterType, sides = 'one-sided', resolution, media, backs } = conversion;
  const device = deviceOf(conversion);
  const paper = media === undefined ? undefined : paperOf(media, conversion);
  return {
    program: 'ghostscript',
    arguments: ({ document }) => [
      ...ghostscript,
      `-sDEVICE=${device}`,
      ...deviceOptions(conversion),
      `-r${resolution}`,
      '-dUseCropBox',
      ...(paper ? fitted(paper) : []),
      '-c',
      pageSetup(backs),
      '-f',
      document,
    ],
    words: [
      'render',
      device,
      rasterType ?? color,
      sides,
      String(resolution),
      String(backs?.crossFeed ?? 1),
      String(backs?.feed ?? 1),
      ...(paper ? [paper.unit, String(paper.width), String(paper.height), paper.media] : []),
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
    case formats.pcl:
      // ljet4d always says that the long edge is bound.
      return 'ljet4';
    default:
      return format === formats.urf ? 'appleraster' : 'pwgraster';
  }
}

function deviceOptions({ format, color, rasterType, sides = 'one-sided' }: Conversion): readonly string[] {
  const duplex = [`-dDuplex=${sides !== 'one-sided'}`, `-dTumble=${sides === 'two-sided-short-edge'}`];
  if (rasterType !== undefined) {
    const { space, bits } = rasterTypes[rasterType];
    return [`-dcupsColorSpace=${space}`, `-dcupsBitsPerColor=${bits}`, '-dcupsColorOrder=0', ...duplex];
  }
  if (format === formats.pclXl) return duplex;
  // The job tells how the sheets are bound.
  if (format === formats.pcl) return [];
  return color === 'grey' ? ['-sColorConversionStrategy=Gray', '-dProcessColorModel=/DeviceGray'] : [];
}

interface Paper {
  /** Pixels or points. */
  readonly unit: 'px' | 'pt';
  readonly width: number;
  readonly height: number;
  readonly media: string;
}

function paperOf(media: string, { rasterType, resolution }: Conversion): Paper | undefined {
  const size = rasterType === undefined ? mediaPoints(media) : mediaPixels(media, resolution);
  return size && { unit: rasterType === undefined ? 'pt' : 'px', ...size, media };
}

/** Every page is fitted to the paper of the record: another size would not be the size that was paid for. */
const fitted = ({ unit, width, height, media }: Paper): readonly string[] => [
  ...(unit === 'px'
    ? [`-g${width}x${height}`]
    : [`-dDEVICEWIDTHPOINTS=${width}`, `-dDEVICEHEIGHTPOINTS=${height}`]),
  '-dFIXEDMEDIA',
  '-dPSFitPage',
  `-scupsPageSizeName=${media}`,
];

/** Expects width and height of the page on the stack and leaves them there. */
const turnedBack = 'dup 2 div dup translate -90 rotate dup 2 div neg dup translate';

/** Content outside the crop box is not printed, even if it would fall on the paper (ISO 32000-1 section 14.11.2). */
const clipped = '0 0 4 2 roll rectclip';

/** A page that fits both ways stays upright: Ghostscript would turn square pages. */
const upright = `2 copy eq matrix currentmatrix 0 get 0 eq and{${turnedBack}}if`;

/** In the pixels of the device, independent of the page's rotation. */
const mirrored = ({ crossFeed, feed }: SheetBacks): string =>
  [
    `matrix currentmatrix ${crossFeed} 0 0 ${feed} currentpagedevice/HWSize get aload pop`,
    `${feed === -1 ? 1 : 0} mul exch ${crossFeed === -1 ? 1 : 0} mul exch 6 array astore matrix concatmatrix setmatrix`,
  ].join(' ');

/**
 * What Ghostscript does before each page (PostScript Language Reference, third edition, section 6.2.6, BeginPage); a
 * program for -c, before the document. It uses no options: -dPDFFitPage drops `/Rotate` and, with -dUseCropBox, moves
 * pages (Ghostscript 10.00). `systemd/converter-room` has the same words, and a test compares the two.
 */
const pageSetup = (backs: SheetBacks = { crossFeed: 1, feed: 1 }): string =>
  [
    `<</BeginPage{currentpagedevice/PageSize get aload pop ${upright} ${clipped}`,
    `2 mod 1 eq{${mirrored(backs)}}if}>>setpagedevice`,
  ].join(' ');
