/** What begins our PostScript programs that draw a document, which is data to them (PLRM 3, section 3.8). */

/** `Document` is its path, told by -sDocument. */
export const opened = String.raw`
/refuse{/Document/ioerror signalerror}bind def
/source Document(r)file def
/buffer 65535 string def
/octets{source buffer 0 4 -1 roll getinterval readstring not{refuse}if}bind def
/kept{octets dup length string copy}bind def
/number{0 exch{exch 256 mul add}forall}bind def`;
