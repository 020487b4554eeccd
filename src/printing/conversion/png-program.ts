/**
 * A PostScript program of ours that draws a PNG (ISO/IEC 15948:2004) on one page, for Ghostscript in the sandbox; the
 * agent never opens the picture. It refuses interlaced pictures and pictures of more than a hundred million pixels. It
 * ignores colour profiles, gamma and background. Transparent parts become white.
 */
import { laidOut, mixing, onWhite, opened, unspoilt } from './drawing-program.ts';

/**
 * Sections 5.3 and 11.2.2: the checksums of the chunks that are read here are compared; pixels have their own checksum.
 */
const header = String.raw`
/skip{{dup 0 le{pop exit}if dup 65535 min dup octets pop sub}loop}bind def
/table[0 1 255{8{dup 1 and exch -1 bitshift exch 0 ne{16#EDB88320 xor}if}repeat}for]def
/summed{{1 index xor 255 and table exch get exch -8 bitshift xor}forall}bind def
/whole{kept exch 16#FFFFFFFF exch summed 1 index summed 16#FFFFFFFF xor 4 octets number ne{refuse}if}bind def
8 octets(\211PNG\r\n\032\n)ne{refuse}if
4 octets number 13 ne{refuse}if
4 kept dup(IHDR)ne{refuse}if
13 whole/header exch def
/width header 0 4 getinterval number def
/height header 4 4 getinterval number def
/bits header 8 get def
/kind header 9 get def
header 10 3 getinterval(\000\000\000)ne{refuse}if
width 0 eq height 0 eq or width height mul 100000000 gt or{refuse}if
[[1 2 4 8 16][][8 16][1 2 4 8][8 16][][8 16]]kind get
false exch{bits eq or}forall not{refuse}if
/samples[1 0 3 1 2 0 4]kind get def
/palette()def/clear()def/dots()def
{4 octets number 4 kept dup(IDAT)eq{pop exit}if
dup(PLTE)eq{exch whole/palette exch def}{
dup(tRNS)eq{exch whole/clear exch def}{
dup(pHYs)eq{exch whole/dots exch def}{
dup 0 get 32 and 0 eq{refuse}if pop 4 add skip}ifelse}ifelse}ifelse}loop`;

/** Sections 10 and 9: the stream of all IDAT chunks and the lines in it. A missing line is an error. */
const pixels = String.raw`
/left exch def/isOver false def
/packed{{left 0 gt isOver or{exit}if
4 octets pop 4 octets number 4 octets(IDAT)eq{/left exch def}{pop/isOver true def}ifelse}loop
isOver{()}{left 8192 min octets dup length left exch sub/left exch def}ifelse}bind def
/pixels/packed load<</Predictor 15/Colors samples/BitsPerComponent bits/Columns width>>/FlateDecode filter def
/needed width samples mul bits mul 7 add 8 idiv height mul def
/line 32768 string def
/lines{pixels line 0 needed 32768 min getinterval readstring not{refuse}if
dup length needed exch sub/needed exch def}bind def`;

/** Sections 6.1 and 11.3.2. For mixing, samples of 16 bits come as two samples of eight; the lower ones are dropped. */
const colors = String.raw`
/most 1 bits bitshift 1 sub def
/isMixed kind 4 and 0 ne def
/isWide isMixed bits 16 eq and def
isMixed{${mixing}}if
/shades{palette length 0 eq{refuse}if
most 1 add 3 mul string dup 0 palette putinterval
0 1 clear length 1 sub{dup clear exch get/solid exch def 3 mul dup 2 add 1 exch{
2 copy get 255 exch sub solid mul 255 idiv 255 exch sub 2 index 3 1 roll put}for}for}bind def
[{/DeviceGray}0{/DeviceRGB}{[/Indexed/DeviceRGB most shades]}
{isWide{[/DeviceN[/Grey/GreyLow/Solid/SolidLow]/DeviceGray{pop exch pop ${onWhite.grey}}]}
{[/DeviceN[/Grey/Solid]/DeviceGray{${onWhite.grey}}]}ifelse}
0
{isWide{[/DeviceN[/Red/RedLow/Green/GreenLow/Blue/BlueLow/Solid/SolidLow]/DeviceRGB{
pop exch pop 3 -1 roll pop 4 -1 roll pop ${onWhite.color}}]}
{[/DeviceN[/Red/Green/Blue/Solid]/DeviceRGB{${onWhite.color}}]}ifelse}
]kind get exec
isWide{/bits 8 def/samples samples 2 mul def}if`;

/** In the size of section 11.3.5.3 if it is given, otherwise 96 dots an inch. */
const placed = String.raw`
/perMetre{dots exch 4 getinterval number}bind def
/isSized dots length 9 eq{dots 8 get 1 eq 0 perMetre 0 gt and 4 perMetre 0 gt and}{false}ifelse def
/natural{isSized{perMetre 0.0254 mul 72 exch div}{pop 0.75}ifelse mul}bind def
width 0 natural height 4 natural isSized laidOut`;

/** The end behind the last line is read too, because it holds the checksum of all lines (RFC 1950). */
const painted = String.raw`
setcolorspace
<</ImageType kind 3 lt clear length 0 gt and{4/MaskColor[0 2 clear length 1 sub{clear exch 2 getinterval number}for]}{1}ifelse
/Width width/Height height/BitsPerComponent bits/ImageMatrix[width 0 0 height neg 0 height]
/Decode kind 3 eq{[0 most]}{[samples{0 1}repeat]}ifelse/DataSource/lines load>>image
pixels line readstring pop pop
showpage`;

export const pngProgram = [opened, laidOut, header, pixels, colors, placed, unspoilt, painted]
  .join('')
  .trim();
