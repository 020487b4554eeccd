/** Which PostScript is told by its octets to change nothing but pages (INVARIANTS.md T16); sources: PLRM 3, PRET. */
import { describe, expect, it } from 'vitest';
import { PostscriptJudgement } from '../../src/printing/postscript/judgement.ts';
import { universalExit } from '../../src/printing/pjl-guard.ts';

function isReported(text: string, length = text.length): boolean {
  const judgement = new PostscriptJudgement();
  const octets = Buffer.from(text, 'latin1');
  for (let at = 0; at < octets.length; at += length) judgement.see(octets.subarray(at, at + length));
  return judgement.isKnown();
}

/** As Adobe's Type 1 Font Format, chapter 7, encrypts the part of a font that begins with four octets of chance. */
function encrypted(text: string): string {
  let key = 55_665;
  return Array.from(Buffer.from(`    ${text}`, 'latin1'), (plain) => {
    const cipher = plain ^ (key >> 8);
    key = ((cipher + key) * 52_845 + 22_719) & 0xffff;
    return cipher.toString(16).padStart(2, '0');
  }).join('');
}
const fontWith = (more: string) => `%!PS
currentfile eexec
${encrypted(`dup /Private 8 dict dup begin
/RD {string currentfile exch readstring pop} executeonly def
/ND {noaccess def} executeonly def
/CharStrings 1 dict dup begin /A 9 RD \u00ffile{{<(\u0000 ND end ${more}
mark currentfile closefile
`)}
${'0'.repeat(64)}
cleartomark
showpage
`;

const picture = (data: string) => `%!PS
/read { currentfile /ASCII85Decode filter 0 () /SubFileDecode filter flushfile } def
gsave
read
${data}~>
grestore showpage
`;

describe('PostScript that describes pages goes to the printer as it came', () => {
  it.each([
    [
      'operators alone',
      '%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto (a (b\\) c) d) show showpage\n',
    ],
    ['names of its own, defined before or after', '%!PS\n/a { b } def /b { showpage } bind def a\n'],
    ['another name of an operator', '%!PS\n/s /showpage load def s\n'],
    [
      'arrays and procedures that become programs',
      '%!PS\n/p [ {0 0 moveto} ] def p cvx exec {1} cvx exec /showpage cvx exec\n',
    ],
    [
      'strings of every kind with any word in them',
      '%!PS\n(0 exitserver) show <65786974> show <~87cUR~> show showpage',
    ],
    ['comments with any word in them', '%!PS\n%%BeginExitServer: 0\n% 0 exitserver\nshowpage'],
    [
      'pictures in digits',
      `%!PS\n/i { currentfile 8 string readhexstring pop } def\n{i} image\n${'deadfeed'.repeat(2000)}\nshowpage`,
    ],
    ['pictures in ASCII85', picture(`J19>,O\\uLIfRFISWIh-)\`3U\\B_C:)0]HSp/Q6\n`.repeat(3000))],
    ['the name of the octet that ends a job', '%!PS\nuserdict dup(\\004)cvn{}put <04>cvn{}put showpage'],
    ['a font that is encrypted', fontWith('')],
    ['ends of jobs around it', '\u0004%!PS\nshowpage\n\u0004'],
    [
      'PJL around it',
      `${universalExit}@PJL SET DUPLEX=ON\r\n@PJL ENTER LANGUAGE=POSTSCRIPT\r\n%!PS\nshowpage\n${universalExit}@PJL EOJ\r\n${universalExit}`,
    ],
  ])('%s', (_, text) => {
    for (const length of [text.length, 1000, 7, 1]) expect(isReported(text, length)).toBe(true);
  });
});

describe('what may do more is not told', () => {
  it.each([
    'serverdict begin 0 exitserver',
    'serverdict/exitserver get exec',
    'true () startjob pop',
    '(name) deletefile',
    '(a) (b) renamefile',
    '(%disk0%x) (w) file',
    '(%disk0%*) { } 100 string filenameforall',
    '(%disk0%) 1 devformat',
    '(%disk0%) devdismount',
    '<< /x 1 >> setsystemparams',
    '<< /JobTimeout 1 >> setuserparams',
    '(%disk0%) << /InitializeAction 1 >> setdevparams',
    'statusdict begin 1 initializedisk',
    'statusdict begin 0 1 setpassword',
    'statusdict begin 1 2 3 setdefaulttimeouts',
    'statusdict begin (x) setsysstart',
    '//exitserver',
    '/exitserver load exec',
    '/exitserver where { exch get exec } if',
    '(x) run',
    '(exitserver) cvn load exec',
    '(0 exitserver) cvx exec',
    '<6578697473657276657220> cvx exec',
    '/s (0 exitserver) def s cvx exec',
    '(0 exitserver) token pop exch pop exec',
    '20 string dup 0 (exit) putinterval cvx exec',
    'currentfile cvx exec',
    '(x) (w) filter /DCTDecode load makersword',
    '/makersword load exec',
    '/makersword cvx exec',
    'systemdict /makersword get exec',
    'makersword',
    'statusdict',
    '1183615869 internaldict /superexec get exec',
    '\u0092\u00a6',
    '3 setobjectformat',
    '%%BeginBinary: 4\nabcd\n%%EndBinary',
  ])('%s', (program) => {
    const text = `%!PS-Adobe-3.0\n${program}\nshowpage\n`;
    for (const length of [text.length, 3, 1]) expect(isReported(text, length)).toBe(false);
  });

  it.each([
    ['in the encrypted part of a font', fontWith('(x) deletefile')],
    ['behind the form feed that ends a comment', '%!PS\n% only words\f(x) deletefile\nshowpage\n'],
    ['behind a picture', `${picture('J19>,O\n')}(x) deletefile\n`],
    ['where a picture’s data should be', picture('(x)deletefile\n')],
    ['where a picture’s data should be, with blanks', picture('(x) makersword\n')],
    ['behind a definition of what reads fonts', fontWith('/string {pop} def 9 RD (x)        deletefile')],
    [
      'behind PJL',
      `${universalExit}@PJL ENTER LANGUAGE=POSTSCRIPT\r\n%!PS\nshowpage\n${universalExit}%!PS\n0 exitserver\n`,
    ],
    [
      'within a prologue that only looks like a known one',
      '%!PS\n%%BeginProlog\n10 dict dup begin\n/DSC_OPDFREAD true def\nexitserver\n%%EndProlog\nshowpage\n',
    ],
  ])('a program %s', (_, text) => {
    for (const length of [text.length, 7, 1]) expect(isReported(text, length)).toBe(false);
  });

  it('and neither is a document that uses more names than any that prints', () => {
    const names = Array.from({ length: 21_000 }, (_, index) => `n${index}x /n${index}x 1 def`);
    expect(isReported(`%!PS\n${names.join('\n')}\nshowpage\n`)).toBe(false);
  });
});
