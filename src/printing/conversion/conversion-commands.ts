/**
 * What Ghostscript and qpdf are told to do, as command lines. Everything becomes PDF first, its pages are put in their
 * order by qpdf, and Ghostscript makes of them what the printer takes. In Ghostscript 10 and qpdf 11 as of Debian 12.
 */
import type { Conversion } from '../../domain/ports/printing.ts';
import { formats } from '../document-format.ts';
import { mediaPoints } from '../media.ts';
import type { Places } from './sandbox-room.ts';
import type { PageOrder } from './page-order.ts';

const ghostscript = [
  ...['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE'],
  // Standard output is the converted document: what PostScript prints there goes the other way.
  ...['-sstdout=%stderr', '-sOutputFile=%stdout'],
];

export const postscriptToPdf = ({ document }: Places): readonly string[] => [
  ...ghostscript,
  '-sDEVICE=pdfwrite',
  document,
];

export const pageCount = ({ document }: Places): readonly string[] => [
  '--warning-exit-0',
  '--show-npages',
  document,
];

export const arranged =
  (order: PageOrder, conversion: Conversion) =>
  ({ document, beside }: Places): readonly string[] => [
    ...['--warning-exit-0', '--empty', '--pages'],
    ...ranges(order).flatMap((range) => (range === blank ? [beside, '1'] : [document, range])),
    '--',
    ...(conversion.turnsBacks ? ['--rotate=+180:1-z:even'] : []),
    '-',
  ];

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

export const rendered =
  (conversion: Conversion) =>
  ({ document }: Places): readonly string[] => [
    ...ghostscript,
    ...device(conversion),
    `-r${conversion.resolution}`,
    ...paper(conversion),
    document,
  ];

function device({ format, color, sides }: Conversion): readonly string[] {
  const isGrey = color === 'grey';
  const isTwoSided = sides !== undefined && sides !== 'one-sided';
  const duplex = [`-dDuplex=${isTwoSided}`, `-dTumble=${sides === 'two-sided-short-edge'}`];
  const greyPages = isGrey ? ['-sColorConversionStrategy=Gray', '-dProcessColorModel=/DeviceGray'] : [];
  switch (format) {
    case formats.pdf:
      return ['-sDEVICE=pdfwrite', ...greyPages];
    case formats.postscript:
      // LanguageLevel 2: every PostScript printer there is takes it.
      return ['-sDEVICE=ps2write', ...greyPages];
    case formats.pclXl:
      return [`-sDEVICE=${isGrey ? 'pxlmono' : 'pxlcolor'}`, ...duplex];
    default:
      // cups_cspace_e of CUPS: 18 is sGray, 19 sRGB.
      return [
        `-sDEVICE=${format === formats.urf ? 'appleraster' : 'pwgraster'}`,
        `-dcupsColorSpace=${isGrey ? 18 : 19}`,
        ...['-dcupsBitsPerColor=8', '-dcupsColorOrder=0'],
        ...duplex,
      ];
  }
}

/** Every page on the paper of the record, made to fit: another size would not be what was paid for. */
function paper({ media }: Conversion): readonly string[] {
  const points = media === undefined ? undefined : mediaPoints(media);
  if (points === undefined) return [];
  return [
    `-dDEVICEWIDTHPOINTS=${points.width}`,
    `-dDEVICEHEIGHTPOINTS=${points.height}`,
    ...['-dFIXEDMEDIA', '-dPDFFitPage', `-scupsPageSizeName=${media}`],
  ];
}
