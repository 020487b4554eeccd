/**
 * A PostScript program of ours that draws a JPEG (ISO/IEC 10918-1) on one page of its shape, for Ghostscript in the
 * sandbox. It refuses pictures of more than a hundred million pixels. It ignores the orientation of the camera.
 */
import { opened } from '../conversion/drawing-program.ts';

/**
 * Annex B: segments up to the first frame header. With Adobe's segment the four inks are inverted (TN 5116, section
 * 18).
 */
const header = String.raw`
/octet{source read not{refuse}if}bind def
/marker{octet 255 ne{refuse}if{octet dup 255 ne{exit}if pop}loop}bind def
/left{2 octets number 2 sub dup 0 lt{refuse}if}bind def
/skip{{dup 0 le{pop exit}if dup 65535 min dup octets pop sub}loop}bind def
/isAdobe false def
2 octets<FFD8>ne{refuse}if
{marker
dup 16#DA eq 1 index 16#D9 eq or{refuse}if
dup 16#C0 ge 1 index 16#CF le and 1 index 16#C4 ne and 1 index 16#C8 ne and 1 index 16#CC ne and{
pop left pop octet 8 ne{refuse}if
/height 2 octets number def/width 2 octets number def/samples octet def exit}if
16#EE eq left exch{dup 5 ge{5 sub 5 octets(Adobe)eq{/isAdobe true def}if}if}if skip}loop
width 0 eq height 0 eq or width height mul 100000000 gt or{refuse}if
[1 3 4]false exch{samples eq or}forall not{refuse}if
source 0 setfileposition`;

const painted = String.raw`
<</PageSize[width height]>>setpagedevice
width height scale
samples 1 eq{/DeviceGray}{samples 3 eq{/DeviceRGB}{/DeviceCMYK}ifelse}ifelse setcolorspace
<</ImageType 1/Width width/Height height/BitsPerComponent 8/ImageMatrix[width 0 0 height neg 0 height]
/Decode[samples{samples 4 eq isAdobe and{1 0}{0 1}ifelse}repeat]/DataSource source/DCTDecode filter>>image
showpage`;

export const jpegProgram = [opened, header, painted].join('').trim();
