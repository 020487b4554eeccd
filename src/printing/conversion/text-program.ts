/**
 * A PostScript program of ours that sets plain text, UTF-8 (RFC 3629), in Courier of ten points, for Ghostscript in the
 * sandbox. Long lines continue on the next line, tabs stop at every eighth column, and a form feed begins a page. If
 * the font lacks a character, the document is not printed. Every character takes one column: nothing is joined or
 * turned around.
 */
import { opened } from './drawing-program.ts';

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

export const textProgram = [opened, glyphs, characters, pages].join('').trim();
