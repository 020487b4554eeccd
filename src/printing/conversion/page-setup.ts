/**
 * What Ghostscript does before each page (PostScript Language Reference, third edition, section 6.2.6, BeginPage). It is
 * all here and not in options, for of those -dPDFFitPage drops `/Rotate` and, with -dUseCropBox, puts pages beside their
 * place (Ghostscript 10.00). `systemd/converter-room` has the same words; a test holds the two together.
 */
import type { SheetBacks } from '../../domain/ports/printing.ts';

/** Taken from a page in user space with its width and height on the stack, which stay. */
const turnedBack = 'dup 2 div dup translate -90 rotate dup 2 div neg dup translate';

/** What lies outside the crop box is not printed, also where it would fall on the paper (ISO 32000-1 section 14.11.2). */
const clipped = '0 0 4 2 roll rectclip';

/** What fits both ways stays upright: Ghostscript turns square pages. */
const upright = `2 copy eq matrix currentmatrix 0 get 0 eq and{${turnedBack}}if`;

/** In the pixels of the device, whichever way a page lies on it. */
const mirrored = ({ crossFeed, feed }: SheetBacks): string =>
  [
    `matrix currentmatrix ${crossFeed} 0 0 ${feed} currentpagedevice/HWSize get aload pop`,
    `${feed === -1 ? 1 : 0} mul exch ${crossFeed === -1 ? 1 : 0} mul exch 6 array astore matrix concatmatrix setmatrix`,
  ].join(' ');

/** A program for -c, before the document. */
export const pageSetup = (backs: SheetBacks = { crossFeed: 1, feed: 1 }): string =>
  [
    `<</BeginPage{currentpagedevice/PageSize get aload pop ${upright} ${clipped}`,
    `2 mod 1 eq{${mirrored(backs)}}if}>>setpagedevice`,
  ].join(' ');
