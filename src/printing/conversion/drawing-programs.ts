/**
 * Our PostScript programs that draw a document, which is data to them (PLRM 3, section 3.8): what all of them begin
 * with, and those for a PNG, a JPEG and plain text. `tiff-program.ts` has the one for a TIFF.
 */

/** `Document` is the path, given by -sDocument. Only a quit with a negative number gives the status 255. */
export const opened = String.raw`
/refuse{/Document/ioerror signalerror}bind def
/lettersMissing{0 -77 .quit}bind def
/source Document(r)file def
/buffer 65535 string def
/octets{source buffer 0 4 -1 roll getinterval readstring not{refuse}if}bind def
/kept{octets dup length string copy}bind def
/number{0 exch{exch 256 mul add}forall}bind def`;

/** The background is white. PDF before 1.3 has no DeviceN, so Ghostscript mixes the colours itself. */
const laidOnWhite = '1 exch sub 3 index mul 1 exch sub 3 1 roll ';
export const mixing = '<</CompatibilityLevel 1.2>>setdistillerparams';
export const onWhite = {
  grey: 'exch 1 exch sub mul 1 exch sub',
  color: `4 1 roll ${laidOnWhite.repeat(3)}4 -1 roll pop`,
};

/**
 * `across along isSized laidOut` begins a page and places a picture of that many points in the middle of the paper. The
 * paper lies as the picture does. The picture is made smaller if the paper is smaller; without a given size there is a
 * margin of a quarter of an inch. It is painted into the unit square.
 */
export const laidOut = String.raw`
/paper currentpagedevice/PageSize get def
/smaller{2 copy gt{exch}if pop}bind def
/laidOut{{0}{36}ifelse/margins exch def/along exch def/across exch def
paper aload pop across along gt{exch}if/high exch def/wide exch def
<</PageSize[wide high]>>setpagedevice
wide 2 div high 2 div translate
1 wide margins sub across div smaller high margins sub along div smaller dup scale
across along scale -0.5 -0.5 translate}bind def`;

/** Pictures are stored without loss. */
export const unspoilt = String.raw`
<</AutoFilterColorImages false/ColorImageFilter/FlateEncode/AutoFilterGrayImages false/GrayImageFilter/FlateEncode>>
setdistillerparams`;

/**
 * Sections 5.3 and 11.2.2: the checksums of the chunks that are read here are compared; pixels have their own checksum.
 */
const pngHeader = String.raw`
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
const pngPainted = String.raw`
setcolorspace
<</ImageType kind 3 lt clear length 0 gt and{4/MaskColor[0 2 clear length 1 sub{clear exch 2 getinterval number}for]}{1}ifelse
/Width width/Height height/BitsPerComponent bits/ImageMatrix[width 0 0 height neg 0 height]
/Decode kind 3 eq{[0 most]}{[samples{0 1}repeat]}ifelse/DataSource/lines load>>image
pixels line readstring pop pop
showpage`;

/**
 * A PostScript program of ours that draws a PNG (ISO/IEC 15948:2004) on one page, for Ghostscript in the sandbox; the
 * agent never opens the picture. It refuses interlaced pictures and pictures of more than a hundred million pixels.
 * It ignores colour profiles, gamma and background. Transparent parts become white.
 */
export const pngProgram = [opened, laidOut, pngHeader, pixels, colors, placed, unspoilt, pngPainted]
  .join('')
  .trim();

/**
 * Annex B: segments up to the first frame header. With Adobe's segment the four inks are inverted (TN 5116, section
 * 18).
 */
const jpegHeader = String.raw`
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

const jpegPainted = String.raw`
<</PageSize[width height]>>setpagedevice
width height scale
samples 1 eq{/DeviceGray}{samples 3 eq{/DeviceRGB}{/DeviceCMYK}ifelse}ifelse setcolorspace
<</ImageType 1/Width width/Height height/BitsPerComponent 8/ImageMatrix[width 0 0 height neg 0 height]
/Decode[samples{samples 4 eq isAdobe and{1 0}{0 1}ifelse}repeat]/DataSource source/DCTDecode filter>>image
showpage`;

/**
 * A PostScript program of ours that draws a JPEG (ISO/IEC 10918-1) on one page of its shape, for Ghostscript in the
 * sandbox. It refuses pictures of more than a hundred million pixels. It ignores the orientation of the camera.
 */
export const jpegProgram = [opened, jpegHeader, jpegPainted].join('').trim();

/**
 * The font is embedded in the document, because the font of the same name in printers and viewers has Latin letters
 * only. Glyphs are found by their Unicode number in Adobe's list, which Ghostscript has.
 */
const glyphs = String.raw`
<</NeverEmbed[]/EmbedAllFonts true>>setdistillerparams
/font/Courier findfont 10 scalefont def
font setfont
/names 4500 dict def
AdobeGlyphList{dup type/integertype ne{dup length 1 eq{0 get}{pop -1}ifelse}if dup 0 ge{dup names exch known not font/CharStrings get 3 index known and{exch names 3 1 roll put}{pop pop}ifelse}{pop pop}ifelse}forall
32 1 126{dup StandardEncoding exch get names 3 1 roll put}for
names 39/quotesingle put names 96/grave put names 160/space put`;

/** Octets that are not UTF-8 count one by one. The rest of a character has the given number of octets `10xxxxxx`. */
const characters = String.raw`
/next{source read not{-1}if}bind def
/held -2 def
/octet{held -2 eq{next}{held/held -2 def}ifelse}bind def
/more{octet dup 16#C0 and 16#80 eq 1 index 0 ge and{16#3F and exch 64 mul add}{/held exch def}ifelse}bind def
/character{octet dup 16#C0 ge{
dup 16#F0 ge{7 and 3}{dup 16#E0 ge{15 and 2}{31 and 1}ifelse}ifelse{more}repeat}if}bind def`;

/** Half an inch of margin, six lines to the inch. */
const pages = String.raw`
currentpagedevice/PageSize get aload pop/high exch def/wide exch def
/columns wide 72 sub 6 div floor cvi def
/rows high 72 sub 12 div floor cvi def
/column 0 def/row 0 def/isBegun false def
/ended{showpage/row 0 def/column 0 def/isBegun false def}bind def
/feed{/isBegun true def/column 0 def/row row 1 add def}bind def
/placed{row rows ge{ended}if/isBegun true def}bind def
/set{column columns ge{feed}if placed
36 column 6 mul add high 36 sub 10 sub row 12 mul sub moveto
names exch 2 copy known{get}{lettersMissing}ifelse glyphshow
/column column 1 add def}bind def
/unseen{dup 16#FEFF eq 1 index 16#AD eq or 1 index 16#200B ge 2 index 16#200F le and or
exch dup 16#FE00 ge exch 16#FE0F le and or}bind def
/last 0 def
{character dup -1 eq{pop exit}if
dup 10 eq{last 13 ne{placed feed}if}{
dup 13 eq{placed feed}{
dup 12 eq{placed ended}{
dup 9 eq{/column column 8 idiv 1 add 8 mul def}{
dup 32 eq{/column column 1 add def}{
dup unseen{}{
dup set}ifelse}ifelse}ifelse}ifelse}ifelse}ifelse
/last exch def}loop
isBegun{showpage}if`;

/**
 * Sets plain text, UTF-8 (RFC 3629), in Courier of ten points, for Ghostscript in the sandbox. Long lines continue on
 * the next line, tabs stop at every eighth column, and a form feed begins a page. If the font lacks a character, the
 * document is not printed. Every character takes one column: nothing is joined or turned around.
 */
export const textProgram = [opened, glyphs, characters, pages].join('').trim();
