/**
 * The Ghostscript commands for the picture of one page. A picture is a square of a screen's size, with the page in its
 * middle, upright and as large as possible, on a transparent ground. `systemd/converter-room` makes the same command
 * lines of the words, and a test compares the two.
 */
import type { Recipe } from '../conversion/conversion-commands.ts';
import { ghostscript } from '../conversion/conversion-commands.ts';
import { jpegProgram, pngProgram, textProgram } from '../conversion/drawing-programs.ts';
import { tiffProgram } from '../conversion/tiff-program.ts';
import { formats } from '../document-format.ts';
import { mediaName, mediaPoints } from '../media.ts';

/** In pixels. */
export const pictureSide = 1024;

/**
 * Before each page (PLRM 3, section 6.2.6, BeginPage): Ghostscript may turn a page to make it fit, and this turns it
 * back, because in a square every page fits upright. It also makes the paper white and draws nothing beside it.
 */
const pageSetup = [
  '<</BeginPage{currentpagedevice/PageSize get aload pop matrix currentmatrix 0 get 0 eq',
  `{matrix currentmatrix[0 1 -1 0 ${pictureSide} 0]matrix concatmatrix setmatrix}if`,
  '0 0 4 2 roll 4 copy gsave 1 setgray rectfill grestore rectclip pop}>>setpagedevice',
].join(' ');

/** Sets the paper of our own programs and switches off their settings for PDF, which mean nothing here. */
const drawingSetup = ({ width, height }: Paper): string =>
  `/setdistillerparams/pop load def <</PageSize[${width} ${height}]>>setpagedevice ${pageSetup}`;

interface Paper {
  readonly width: number;
  readonly height: number;
}

/** In points; A4 if unknown. */
export const paperOf = (paperSize: string | undefined): Paper => {
  const media = paperSize === undefined ? undefined : mediaName(paperSize);
  return (media === undefined ? undefined : mediaPoints(media)) ?? { width: 595, height: 842 };
};

const pages = (first: number, last = first): readonly string[] => [
  `-dFirstPage=${first}`,
  `-dLastPage=${last}`,
];

const toPicture = (page: number): readonly string[] => [
  ...ghostscript,
  '-sDEVICE=pngalpha',
  `-g${pictureSide}x${pictureSide}`,
  // At this resolution hardly any page is smaller than the square: a larger page is made to fit, a smaller one stays
  // small.
  '-r288',
  '-dFIXEDMEDIA',
  '-dPSFitPage',
  '-dUseCropBox',
  '-dTextAlphaBits=4',
  '-dGraphicsAlphaBits=4',
  ...pages(page),
];

/** For a PDF. */
export const picture = (page: number): Recipe => ({
  program: 'ghostscript',
  arguments: ({ document }) => [...toPicture(page), '-c', pageSetup, '-f', document],
  words: ['picture', String(page)],
});

/** For one of our programs, to which the document is data. It may read that file and no other. */
function drawnPicture(program: string, page: number, paper: Paper): Recipe {
  return {
    program: 'ghostscript',
    arguments: ({ document, beside }) => [
      ...toPicture(page),
      `--permit-file-read=${document}`,
      `-sDocument=${document}`,
      '-c',
      drawingSetup(paper),
      '-f',
      beside,
    ],
    words: ['picture', String(page), String(paper.width), String(paper.height)],
    beside: program,
  };
}

/**
 * Makes a PDF, because PostScript tells the size of its pages late or never. The page before is included, because
 * Ghostscript makes an empty page if there is none.
 */
const asPdf = (page: number): Recipe => {
  const first = Math.max(1, page - 1);
  return {
    program: 'ghostscript',
    arguments: ({ document }) => [...ghostscript, '-sDEVICE=pdfwrite', ...pages(first, page), document],
    words: ['to-pdf', String(first), String(page)],
  };
};

export interface PictureSteps {
  /** Makes a PDF of the few pages that are needed. */
  readonly before?: Recipe;
  readonly last: Recipe;
}

const programs: Readonly<Record<string, string>> = {
  [formats.jpeg]: jpegProgram,
  [formats.png]: pngProgram,
  [formats.tiff]: tiffProgram,
  [formats.text]: textProgram,
};

/** `undefined`: such a document has no picture. */
export function pictureSteps(
  format: string,
  { page, paperSize }: { readonly page: number; readonly paperSize: string | undefined },
): PictureSteps | undefined {
  if (format === formats.pdf) return { last: picture(page) };
  if (format === formats.postscript) return { before: asPdf(page), last: picture(page === 1 ? 1 : 2) };
  const program = programs[format];
  return program === undefined ? undefined : { last: drawnPicture(program, page, paperOf(paperSize)) };
}
