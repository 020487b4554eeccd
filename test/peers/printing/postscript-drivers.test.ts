/**
 * PostScript as the usual programs really write it goes to the printer as it came (INVARIANTS.md T16): poppler's pdftops and
 * pdftocairo, Ghostscript's ps2write, and the two ways of CUPS's filter; with pictures, shadings, and fonts of several kinds.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostscriptJudgement } from '../../../src/printing/postscript/judgement.ts';
import { needsPeer } from '../../support/needs.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-drivers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** Random grey and colour, so that the data of pictures has every letter that there is; PLRM 3, section 4.10. */
const page = `%!PS
/Helvetica findfont 20 scalefont setfont 72 700 moveto (Hello \\(0 exitserver\\)) show
/Times-Roman findfont 20 scalefont setfont 72 600 moveto (World) show
gsave 100 100 translate 400 400 scale /line 256 string def
256 256 8 [256 0 0 -256 0 256] { 0 1 255 { line exch rand 256 mod put } for line } image grestore
gsave 100 500 translate 90 90 scale /colours 192 string def
64 64 8 [64 0 0 -64 0 64] { 0 1 191 { colours exch rand 256 mod put } for colours } false 3 colorimage grestore
gsave 200 650 100 100 rectclip << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [200 650 300 750]
/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> shfill grestore
showpage
`;

const filter = (renderer: string) =>
  execFileSync('/usr/lib/cups/filter/pdftops', ['1', 'alice', 'Report', '1', renderer, at('page.pdf')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  });

const made = (program: string, ...args: readonly string[]): Buffer => {
  execFileSync(program, args, { stdio: 'ignore' });
  return readFileSync(at('made.ps'));
};

const writers: Readonly<Record<string, () => Buffer>> = {
  'pdftops, level 2': () => made('pdftops', '-level2', at('page.pdf'), at('made.ps')),
  'pdftops, level 3': () => made('pdftops', '-level3', at('page.pdf'), at('made.ps')),
  pdftocairo: () => made('pdftocairo', '-ps', at('page.pdf'), at('made.ps')),
  ps2write: () => made('gs', '-q', '-sDEVICE=ps2write', '-o', at('made.ps'), at('page.pdf')),
  eps2write: () => made('gs', '-q', '-sDEVICE=eps2write', '-o', at('made.ps'), at('page.pdf')),
  'CUPS with Ghostscript': () => filter('pdftops-renderer=gs'),
  'CUPS with poppler': () => filter('pdftops-renderer=pdftops'),
};

const isReported = (octets: Buffer): boolean => {
  const judgement = new PostscriptJudgement();
  for (let from = 0; from < octets.length; from += 65_536)
    judgement.see(octets.subarray(from, from + 65_536));
  return judgement.isKnown();
};

needsPeer('gs', 'ghostscript')('PostScript', () => {
  needsPeer('pdftocairo', 'poppler-utils')('written by', () => {
    needsPeer('/usr/lib/cups/filter/pdftops', 'cups-filters')('the usual programs:', () => {
      beforeAll(() => {
        writeFileSync(at('page.ps'), page);
        execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at('page.pdf'), at('page.ps')]);
      });

      it.each(Object.keys(writers))(
        '%s is told to be pages alone, and with one word more it is not',
        (name) => {
          const octets = writers[name]?.() ?? Buffer.alloc(0);
          expect(octets.length).toBeGreaterThan(10_000);
          expect(isReported(octets)).toBe(true);
          const more = (word: string) =>
            Buffer.from(octets.toString('latin1').replace('%%Trailer', `${word}\n%%Trailer`), 'latin1');
          expect(isReported(more('(a) deletefile'))).toBe(false);
          expect(isReported(more('(0 exitserver) cvx exec'))).toBe(false);
          expect(isReported(more('(0 exitserver) PS'))).toBe(false);
        },
      );
    });
  });
});
