/**
 * A PostScript program of ours that draws the pages of a TIFF (TIFF 6.0; Technical Note 2 for JPEG; Technical Note 3
 * for Deflate), for Ghostscript in the sandbox; the agent never opens the picture. It refuses tiles, planes, samples of
 * more than eight bits, old JPEG, and pages of more than a hundred million pixels. It skips previews and masks, and
 * ignores colour profiles.
 */
import { laidOut, mixing, onWhite, opened, unspoilt } from './drawing-programs.ts';

/** Section 2, Image File Header and Directory, in the octet order that the file begins with. */
const directories = String.raw`
2 kept dup(II)eq{pop/n{0 1 3 -1 roll{1 index mul 3 -1 roll add exch 256 mul}forall pop}bind def}
{(MM)ne{refuse}if/n/number load def}ifelse
/u2{2 octets n}bind def/u4{4 octets n}bind def
/at{source exch setfileposition}bind def
u2 42 ne{refuse}if
/next u4 def
/octetsOf<<1 1 3 2 4 4>>def
/readFields{next at/fields 64 dict def
u2{u2 u2 u4 4 kept 3 array astore fields 3 1 roll put}repeat/next u4 def}bind def
/has{fields exch known}bind def
/field{fields exch get aload pop/kept4 exch def/many exch def/size exch def many 65535 gt{refuse}if}bind def
/values{field/size octetsOf size get def
size many mul 4 gt{kept4 n at[many{size octets n}repeat]}
{[0 size size many 1 sub mul{kept4 exch size getinterval n}for]}ifelse}bind def
/one{exch dup has{exch pop values 0 get}{pop}ifelse}bind def
/ratio{dup has{field kept4 n at u4 u4 dup 0 eq{pop pop 0}{div}ifelse}{pop 0}ifelse}bind def`;

/** Sections 3 to 6, 16 and 18: the fields of a page. */
const page = String.raw`
/isPage{254 0 one 5 and 0 eq 255 1 one 2 ne and}bind def
/readPage{
/width 256 0 one def/height 257 0 one def
width 0 eq height 0 eq or width height mul 100000000 gt or{refuse}if
/bits 258 1 one def 258 has{258 values{bits ne{refuse}if}forall}if
bits dup 1 eq exch dup 2 eq exch dup 4 eq exch 8 eq or or or not{refuse}if
/packing 259 1 one def/meaning 262 -1 one def/samples 277 1 one def
322 has 339 1 one 1 ne or 284 1 one 1 ne samples 1 ne and or{refuse}if
meaning 0 lt meaning 6 gt or meaning 4 eq or{refuse}if
meaning 6 eq packing 7 ne and meaning 5 eq packing 7 eq and or 332 1 one 1 ne or{refuse}if
/extra samples[1 1 3 1 0 4 3]meaning get sub def
extra 0 ne extra 1 ne meaning 3 ge or packing 7 eq or and{refuse}if
packing 7 eq bits 8 ne and packing 2 ge packing 4 le and bits samples mul 1 ne and or{refuse}if
/octetsOfLine width samples mul bits mul 7 add 8 idiv def
/rowsEach 278 height one height smaller def rowsEach 1 lt{refuse}if
/strips height rowsEach add 1 sub rowsEach idiv def
/starts 273 values def/lengths 279 has{279 values}{[]}ifelse def
starts length strips lt{refuse}if
/predictor 317 1 one def predictor 2 gt{refuse}if
/isTurned 266 1 one 2 eq packing 7 ne and def
/twoDimensional 292 0 one 1 and def
/tables 347 has{347 field kept4 n at many kept}{()}ifelse def
}bind def`;

/** Sections 3, 9 to 11, 13 and 14: the strips one after the other. A missing line is an error. */
const strips = String.raw`
/turned[0 1 255{0 exch 8{dup 1 and 3 -1 roll 2 mul add exch -1 bitshift}repeat pop}for]def
/chunk 4096 string def/line 32768 string def
/turnedOctets{raw chunk readstring pop
0 1 2 index length 1 sub{1 index exch 2 copy get turned exch get put}for}bind def
/predicted{<</Predictor predictor/Colors samples/BitsPerComponent bits/Columns width>>}bind def
/fax{<</K 3 -1 roll/Columns width/Rows rows/EndOfBlock false/BlackIs1 true/EncodedByteAlign packing 2 eq>>
/CCITTFaxDecode filter}bind def
/beginStrip{
/rows height strip rowsEach mul sub rowsEach smaller def
/left rows octetsOfLine mul def
/room strip lengths length lt{lengths strip get}{2147483647}ifelse def room 1 lt{refuse}if
starts strip get at
/raw source room()/SubFileDecode filter def
/pixels isTurned{/turnedOctets load}{raw}ifelse
packing 1 eq{isTurned{0()/SubFileDecode filter}if}{
packing 2 eq{0 fax}{packing 3 eq{twoDimensional fax}{packing 4 eq{-1 fax}{
packing 5 eq{predicted/LZWDecode filter}{
packing 8 eq packing 32946 eq or{predicted/FlateDecode filter}{
packing 32773 eq{/RunLengthDecode filter}{
packing 7 eq{pop jpeg<</ColorTransform meaning 6 eq{1}{0}ifelse>>/DCTDecode filter}{
refuse}ifelse}ifelse}ifelse}ifelse}ifelse}ifelse}ifelse}ifelse def}bind def
/jpeg{tables length 4 lt{raw}{raw 2 string readstring not{refuse}if pop
/hasTables false def{hasTables{raw chunk readstring pop}{/hasTables true def tables 0 tables length 2 sub getinterval}ifelse}}ifelse}bind def
/lines{left 0 eq{/strip strip 1 add def strip strips lt{beginStrip}if}if
left 0 eq{()}{pixels line 0 left 32768 smaller getinterval readstring not{refuse}if
dup length left exch sub/left exch def}ifelse}bind def`;

/** Sections 4 to 6, 16 and 18; transparent parts become white. */
const laidWhole = '4 1 roll 3{3 index add 3 1 roll}repeat 4 -1 roll pop';
const colors = String.raw`
${mixing}
/most{1 bits bitshift 1 sub}bind def
/shades{/map 320 values def/entries most 1 add def
map length entries 3 mul lt{refuse}if
/isNarrow true map{255 gt{pop false exit}if}forall def
/found entries 3 mul string def
0 1 most{/entry exch def 0 1 2{/part exch def
found entry 3 mul part add map part entries mul entry add get isNarrow not{-8 bitshift}if put}for}for
found}bind def
/mixed{338 0 one dup 0 lt exch 2 gt or{refuse}if
meaning 2 eq{[/DeviceN[/Red/Green/Blue/Solid]/DeviceRGB[{pop}{1 exch sub ${laidWhole}}{${onWhite.color}}]338 0 one get]}
{[/DeviceN[/Grey/Solid]/DeviceGray[{pop}{1 exch sub add}{${onWhite.grey}}]338 0 one get]}ifelse}bind def
/space{extra 1 eq{mixed}{
[/DeviceGray/DeviceGray/DeviceRGB{[/Indexed/DeviceRGB most shades]}0/DeviceCMYK/DeviceRGB]meaning get
dup xcheck{exec}if}ifelse}bind def
/decode{meaning 3 eq{[0 most]}{[meaning 0 eq{1 0}{0 1}ifelse samples 1 sub{0 1}repeat]}ifelse}bind def`;

/** Section 8: in the given size, otherwise 96 dots an inch; Orientation counts from the first line and column. */
const painted = String.raw`
/ways[[1 0 0 1][-1 0 0 1][-1 0 0 -1][1 0 0 -1][0 -1 -1 0][0 -1 1 0][0 1 1 0][0 1 -1 0]]def
/drawPage{
/perInch[1 1 1 2.54]296 2 one dup 3 gt{pop 1}if get def
/dotsAcross 282 ratio perInch mul def/dotsAlong 283 ratio perInch mul def
/isSized 296 2 one 1 ne dotsAcross 0 gt dotsAlong 0 gt and and def
width isSized{72 mul dotsAcross div}{0.75 mul}ifelse
height isSized{72 mul dotsAlong div}{0.75 mul}ifelse
/way 274 1 one dup 1 lt 1 index 8 gt or{pop 1}if def
way 5 ge{exch}if isSized laidOut
0.5 0.5 translate[ways way 1 sub get aload pop 0 0]concat -0.5 -0.5 translate
/strip -1 def/left 0 def
space setcolorspace
<</ImageType 1/Width width/Height height/BitsPerComponent bits/ImageMatrix[width 0 0 height neg 0 height]
/Decode decode/DataSource/lines load>>image
showpage}bind def
/seen 100 dict def/drawn 0 def
{next 0 eq{exit}if seen next known{refuse}if seen next true put
readFields isPage{readPage drawPage/drawn drawn 1 add def}if}loop
drawn 0 eq{refuse}if`;

export const tiffProgram = [opened, laidOut, directories, page, strips, colors, unspoilt, painted]
  .join('')
  .trim();
