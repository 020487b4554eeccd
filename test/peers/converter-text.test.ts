/** Plain text through the converter with the real Ghostscript, read back by poppler. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Conversion } from '../../src/domain/ports/printing.ts';
import { formats } from '../../src/printing/document-format.ts';
import { bytesOf, conversion, converterForTest } from '../support/printer/conversion-samples.ts';
import { spooled } from '../support/printer/samples.ts';
import { needsPeer } from '../support/needs.ts';
import { pagesOfRaster } from './raster-header.ts';
import { withoutLimit } from '../support/patience.ts';

async function converted(text: string, wanted: Partial<Conversion> = {}): Promise<Buffer> {
  const converter = await converterForTest();
  using made = await converter.convert(await spooled(Buffer.from(text)), conversion(wanted), withoutLimit());
  return await bytesOf(made);
}

/** The lines of each page where they stand, without the blanks behind them. */
async function read(text: string, wanted: Partial<Conversion> = {}): Promise<readonly string[][]> {
  const pdf = await converted(text, wanted);
  return execFileSync('pdftotext', ['-layout', '-fixed', '6', '-', '-'], { input: pdf })
    .toString()
    .split('\f')
    .slice(0, -1)
    .map((page) =>
      page
        .trimEnd()
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    );
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

needsPeer('gs', 'ghostscript')('plain text', () => {
  needsPeer('pdftotext', 'poppler-utils')('looked at by poppler', () => {
    it.each<[string, string, readonly string[][]]>([
      ['its lines, however they end', 'one\ntwo\r\nthree\rfour', [['one', 'two', 'three', 'four']]],
      ['letters of Europe', 'Grüße, 5 € – Жизнь, Ελλάδα', [['Grüße, 5 € – Жизнь, Ελλάδα']]],
      ['nothing of what is not seen', '\ufeffwo\u00adr\u200bd\ufe0f', [['word']]],
      [
        'what PostScript would obey, as it stands',
        '(a) \\) showpage % quit <</x>>',
        [['(a) \\) showpage % quit <</x>>']],
      ],
      ['pages where form feeds are', 'one\ftwo\f', [['one'], ['two']]],
      ['lines that go on below', 'x'.repeat(100), [['x'.repeat(87), 'x'.repeat(13)]]],
      ['64 lines on A4', numbered(65).join('\n'), [numbered(64), ['line 65']]],
    ])('has %s', async (_, text, pages) => {
      expect(await read(text)).toEqual(pages);
    });

    it('has fewer lines where the paper is smaller', async () => {
      expect((await read(numbered(50).join('\n'), { media: 'iso_a6_105x148mm' })).length).toBe(2);
    });

    it('brings its font along', async () => {
      const fonts = execFileSync('pdffonts', ['-'], { input: await converted('Ελλάδα') }).toString();
      expect(fonts).toMatch(/Courier +Type 1C +Custom +yes yes/);
    });

    it('stops at every eighth column', async () => {
      const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: await converted('\ta\nabc\tb') });
      const starts = [...boxes.toString().matchAll(/xMin="([\d.]+)"[^>]*>[ab]</g)].map(([, x]) => Number(x));
      expect(starts.map((x) => Math.round(x))).toEqual([36 + 8 * 6, 36 + 8 * 6]);
    });

    it('becomes raster, and copies of it, as other documents do', async () => {
      const wanted = { format: formats.pwgRaster, resolution: 150, copies: 2 };
      expect(pagesOfRaster(await converted('one\ftwo', wanted))).toHaveLength(4);
    });

    it('of more pages than its record is refused', async () => {
      await expect(converted('1\f2\f3\f4\f5\f6', { recordedPages: 2 })).rejects.toMatchObject({
        code: 'document-not-as-recorded',
      });
    });

    it.each([
      ['Japanese', '日本語'],
      ['Chinese', '简体 繁體'],
      ['Korean', '한국어'],
      ['Arabic', 'العربية'],
      ['Hebrew', 'עברית'],
      ['Devanagari', 'देवनागरी'],
      ['pictures', 'good 👩'],
    ])('in letters that the font lacks is refused, and says so: %s', async (_, text) => {
      const refused = { code: 'document-not-convertible', need: 'letters' };
      await expect(converted(`plain\n${text}`)).rejects.toMatchObject(refused);
    });

    it('without end is stopped at the limits', async () => {
      await expect(converted('a\f'.repeat(6000))).rejects.toMatchObject({ code: 'document-beyond-limits' });
    });
  });
});
