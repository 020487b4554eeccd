/**
 * The operators of PostScript that describe pages (PLRM 3, chapter 8), grouped by purpose. Operators for files,
 * devices, passwords, the server loop or the time of a job are missing. So are operators that make a name of a string,
 * because such a name is seen only when the program runs. `cvx` is judged by its operand (`judgement.ts`).
 */
const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

export const pageOperators: ReadonlySet<string> = new Set(
  words(`
    pop exch dup copy index roll clear count mark cleartomark counttomark
    add div idiv mod mul sub abs neg ceiling floor round truncate sqrt atan cos sin exp ln log rand srand rrand
    array length get put getinterval putinterval astore aload forall packedarray setpacking currentpacking
    dict maxlength begin end def load store known where undef currentdict countdictstack dictstack cleardictstack
    userdict globaldict systemdict $error errordict StandardEncoding ISOLatin1Encoding FontDirectory GlobalFontDirectory
    SharedFontDirectory string anchorsearch search
    eq ne ge gt le lt and not or xor true false bitshift
    exec if ifelse for repeat loop exit stop stopped countexecstack execstack quit
    type cvlit xcheck executeonly noaccess readonly rcheck wcheck cvi cvr cvrs cvs
    currentfile closefile filter read readstring readhexstring readline flush flushfile bytesavailable status
    print = == stack pstack
    findresource defineresource undefineresource resourcestatus resourceforall findencoding
    save restore setglobal currentglobal gcheck vmstatus vmreclaim defineuserobject undefineuserobject
    execuserobject UserObjects
    bind null version realtime usertime languagelevel product revision serialnumber currentuserparams
    gsave grestore grestoreall clipsave cliprestore initgraphics gstate setgstate currentgstate
    setlinewidth currentlinewidth setlinecap currentlinecap setlinejoin currentlinejoin setmiterlimit
    currentmiterlimit setstrokeadjust currentstrokeadjust setdash currentdash
    setcolorspace currentcolorspace setcolor currentcolor setgray currentgray sethsbcolor currenthsbcolor
    setrgbcolor currentrgbcolor setcmykcolor currentcmykcolor
    sethalftone currenthalftone setscreen currentscreen setcolorscreen currentcolorscreen settransfer
    currenttransfer setcolortransfer currentcolortransfer setblackgeneration currentblackgeneration
    setundercolorremoval currentundercolorremoval setcolorrendering currentcolorrendering setflat currentflat
    setoverprint currentoverprint setoverprintmode currentoverprintmode setsmoothness currentsmoothness
    matrix initmatrix identmatrix defaultmatrix currentmatrix setmatrix translate scale rotate concat
    concatmatrix transform dtransform itransform idtransform invertmatrix
    newpath currentpoint moveto rmoveto lineto rlineto arc arcn arct arcto curveto rcurveto closepath flattenpath
    reversepath strokepath ustrokepath charpath uappend clippath setbbox pathbbox pathforall upath initclip clip
    eoclip rectclip ucache
    erasepage stroke fill eofill rectstroke rectfill ustroke ufill ueofill shfill image imagemask colorimage
    infill eoinfill inufill inueofill instroke inustroke
    makepattern setpattern execform showpage copypage setpagedevice currentpagedevice nulldevice
    definefont undefinefont findfont scalefont makefont selectfont setfont currentfont rootfont
    show ashow widthshow awidthshow xshow xyshow yshow glyphshow stringwidth cshow kshow
    setcachedevice setcachedevice2 setcharwidth composefont cachestatus ucachestatus
    begincmap endcmap begincodespacerange endcodespacerange begincidrange endcidrange begincidchar endcidchar
    beginbfrange endbfrange beginbfchar endbfchar beginnotdefrange endnotdefrange beginnotdefchar endnotdefchar
    usecmap usefont beginrearrangedfont endrearrangedfont beginusematrix endusematrix
    pdfmark eexec
  `),
);

/**
 * No document may define or use these names, in any form. They leave the job, last after it, use the printer's disk,
 * try passwords, or take the time of other jobs. Sources: PLRM 3 sections 3.7.7, 3.8 and C.3; Adobe's "PostScript
 * Language Reference Manual Supplement", statusdict; PRET.
 */
export const lastingOperators: ReadonlySet<string> = new Set(
  words(`
    exitserver startjob quitserver executive start serverdict statusdict superexec internaldict 1183615869
    setsystemparams setuserparams setdevparams currentdevparams currentsystemparams setobjectformat
    file deletefile renamefile filenameforall run setfileposition fileposition write writestring
    writehexstring resetfile libfile runlibfile
    devformat devmount devdismount devforall devstatus diskonline diskstatus initializedisk setuserdiskpercent
    userdiskpercent
    setpassword checkpassword setdefaulttimeouts defaulttimeouts setjobtimeout jobtimeout waittimeout setsysstart
    sysstart setsccbatch setsccinteractive setprintername setdostartpage dostartpage setdosysstart dosysstart
    setidlefonts seteescratch eescratch setpagestackorder setmargins setpagetype setdefaultpagesize
    setcachelimit setcacheparams setucacheparams setvmthreshold
    cvn token
  `),
);

/**
 * The lasting operators that ASCII85 can spell: it has no letter after u but z (PLRM 3 section 3.13.3). A program could
 * stand in the place of data.
 */
export const lastingInData = new RegExp(
  `(?<![^\\s()<>[\\]{}/%])(?:${[...lastingOperators]
    .filter((name) => /^[a-u]{4,}$/.test(name))
    .join('|')}|(?<=\\([\\w%.:/ -]+\\)\\s*)run)(?![^\\s()<>[\\]{}/%])`,
);

/** Poppler's `pdftops` and cairo leave these names of shadings and pictures to the page that has one. */
export const leftOpen: ReadonlySet<string> = new Set(
  words(`a1 a2 dr dt dx dy encl func mat n r0 r1 t0 t1 x0 x1 y0 y1 xMin xMax yMin yMax CairoData CairoDataIndex
    cairo_ascii85_file`),
);
