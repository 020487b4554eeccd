/**
 * What Ghostscript is told for the picture of one page. A picture is a square of a screen's size with the page in its
 * middle, upright and as large as it goes; around the page it is clear. `systemd/converter-room` makes the same command
 * lines of the words; a test holds the two together.
 */
import type { Recipe } from '../conversion/conversion-commands.ts';
import { ghostscript } from '../conversion/conversion-commands.ts';
import { pngProgram } from '../conversion/png-program.ts';
import { textProgram } from '../conversion/text-program.ts';
import { tiffProgram } from '../conversion/tiff-program.ts';
import { formats } from '../document-format.ts';
import { mediaName, mediaPoints } from '../media.ts';
import { jpegProgram } from './jpeg-program.ts';

/** Pixels. */
export const pictureSide = 1024;

/**
 * Before each page (PLRM 3, section 6.2.6, BeginPage): what Ghostscript has turned to fit is turned back, for in a square
 * everything fits upright; and the paper is white, and nothing is drawn beside it.
 */
const pageSetup = [
  '<</BeginPage{currentpagedevice/PageSize get aload pop matrix currentmatrix 0 get 0 eq',
  `{matrix currentmatrix[0 1 -1 0 ${pictureSide} 0]matrix concatmatrix setmatrix}if`,
  '0 0 4 2 roll 4 copy gsave 1 setgray rectfill grestore rectclip pop}>>setpagedevice',
].join(' ');

/** What our programs ask of PDF means nothing here, and on which paper they draw. */
const drawingSetup = ({ width, height }: Paper): string =>
  `/setdistillerparams/pop load def <</PageSize[${width} ${height}]>>setpagedevice ${pageSetup}`;

interface Paper {
  readonly width: number;
  readonly height: number;
}

/** In points; A4 where nobody says. */
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
  // So few points that hardly a page is smaller: what is larger is made to fit, what is smaller stays small.
  '-r288',
  '-dFIXEDMEDIA',
  '-dPSFitPage',
  '-dUseCropBox',
  '-dTextAlphaBits=4',
  '-dGraphicsAlphaBits=4',
  ...pages(page),
];

/** Of a PDF. */
export const picture = (page: number): Recipe => ({
  program: 'ghostscript',
  arguments: ({ document }) => [...toPicture(page), '-c', pageSetup, '-f', document],
  words: ['picture', String(page)],
});

/** Of what a program of ours draws, to which the document is data. It may read that file and no other. */
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
 * As a PDF of its own: PostScript says on its way, or not at all, how large its pages are. The page before comes along,
 * for where there is none at all an empty one is made.
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
  /** Makes a PDF of the few pages that matter. */
  readonly before?: Recipe;
  readonly last: Recipe;
}

const programs: Readonly<Record<string, string>> = {
  [formats.jpeg]: jpegProgram,
  [formats.png]: pngProgram,
  [formats.tiff]: tiffProgram,
  [formats.text]: textProgram,
};

/** `undefined`: there is no picture of such a document. */
export function pictureSteps(
  format: string,
  { page, paperSize }: { readonly page: number; readonly paperSize: string | undefined },
): PictureSteps | undefined {
  if (format === formats.pdf) return { last: picture(page) };
  if (format === formats.postscript) return { before: asPdf(page), last: picture(page === 1 ? 1 : 2) };
  const program = programs[format];
  return program === undefined ? undefined : { last: drawnPicture(program, page, paperOf(paperSize)) };
}
