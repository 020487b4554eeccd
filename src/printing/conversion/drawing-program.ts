/** The beginning of our PostScript programs that draw a document, which is data to them (PLRM 3, section 3.8). */

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
