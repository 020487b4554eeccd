/** The converter with the real Ghostscript and qpdf: what comes out of documents, and of documents made to hurt. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Conversion } from '../../src/domain/ports/printing.ts';
import { formats } from '../../src/printing/document-format.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { ConverterBenchOptions } from '../support/printer/conversion-samples.ts';
import { bytesOf, conversion, converterForTest, sandboxWith } from '../support/printer/conversion-samples.ts';
import { spooled } from '../support/printer/samples.ts';
import { needsPeer } from '../support/needs.ts';
import { bombPdf, emptyPdf, loopingPdf, shellOfPdf } from '../support/printer/hostile-documents.ts';
import { pagesOfRaster, rasterHeader } from './raster-header.ts';
import { withoutLimit } from '../support/patience.ts';

const sandbox = sandboxWith();

async function converted(
  document: Buffer,
  wanted: Partial<Conversion> = {},
  options: ConverterBenchOptions = { sandbox },
): Promise<Buffer> {
  const converter = await converterForTest(options);
  const made = await converter.convert(await spooled(document), conversion(wanted), withoutLimit());
  onTestFinished(() => made[Symbol.dispose]());
  return bytesOf(made);
}

/** As pdftotext of poppler reads them: an eye of another make. */
const textOfPages = (pdf: Buffer): readonly string[] =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf })
    .toString()
    .split('\f')
    .slice(0, -1)
    .map((text) => /Page (\d+) of/.exec(text)?.[1] ?? 'blank');

const sample = (pages: number) => samplePdf({ title: 'Sample', pages });

/** Nothing that the spool finds while it comes in: what is wrong with it only who parses it can tell. */
const seeminglyWhole = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n% /Page \n%%EOF\n')]);

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('qpdf', 'qpdf')('and qpdf', () => {
    needsPeer('pdftotext', 'poppler-utils')('looked at by poppler', suite);
  });
});

function suite(): void {
  describe('the pages of a PDF', () => {
    it.each<[string, Partial<Conversion>, string]>([
      ['twice', { copies: 2 }, '1 2 3 1 2 3'],
      ['twice, page by page', { copies: 2, collated: false }, '1 1 2 2 3 3'],
      ['the last first', { order: 'reversed' }, '3 2 1'],
      ['twice, the last first', { copies: 2, order: 'reversed' }, '3 2 1 3 2 1'],
      [
        'on both sides, the last sheet first',
        { order: 'reversed', sides: 'two-sided-long-edge' },
        '3 blank 1 2',
      ],
      ['on both sides, twice', { copies: 2, sides: 'two-sided-long-edge' }, '1 2 3 blank 1 2 3'],
      [
        'on both sides, twice, sheet by sheet',
        { copies: 2, collated: false, sides: 'two-sided-short-edge' },
        '1 2 1 2 3 blank 3',
      ],
      ['in grey', { color: 'grey' }, '1 2 3'],
    ])('%s', async (_, wanted, order) => {
      expect(textOfPages(await converted(sample(3), wanted)).join(' ')).toBe(order);
    });

    it('are grey where that is wanted, every one', async () => {
      const grey = await converted(sample(2), { color: 'grey' });
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'grey.pdf'), grey);
      const ink = execFileSync('gs', [
        '-q',
        '-o',
        '-',
        '-sDEVICE=inkcov',
        join(folder, 'grey.pdf'),
      ]).toString();
      const lines = ink.trim().split('\n');
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(/^ *0\.00000 +0\.00000 +0\.00000 +0\.[0-9]*[1-9]/);
    });
  });

  describe('a PDF', () => {
    it('becomes PostScript that gives the same pages', async () => {
      const postscript = await converted(sample(3), { format: formats.postscript });
      expect(postscript.subarray(0, 4).toString()).toBe('%!PS');
      expect(textOfPages(await converted(postscript, { order: 'reversed' }))).toEqual(['3', '2', '1']);
    });

    it.each<['grey' | 'as-is', number]>([
      ['grey', 0],
      ['as-is', 1],
    ])('becomes bare PCL XL (%s), without a word of PJL', async (color) => {
      const made = await converted(sample(3), { format: formats.pclXl, color, resolution: 600 });
      expect(made.subarray(0, 12).toString('latin1')).toBe(') HP-PCL XL;');
      expect(made.includes('@PJL')).toBe(false);
      expect(made.includes('\u001b%-12345X')).toBe(false);
    });

    it.each<[string, Partial<Conversion>, Partial<ReturnType<typeof rasterHeader>>]>([
      ['in colour', {}, { colorSpace: 19, bitsPerPixel: 24, duplex: false }],
      ['in grey', { color: 'grey' }, { colorSpace: 18, bitsPerPixel: 8 }],
      ['on both sides', { sides: 'two-sided-short-edge' }, { duplex: true, tumble: true }],
      [
        'on the paper of its record',
        { media: 'na_letter_8.5x11in' },
        { width: 1275, height: 1650, pageSize: 'na_letter_8.5x11in' },
      ],
      ['at the resolution the printer has', { resolution: 600 }, { resolution: [600, 600] }],
    ])('becomes PWG raster %s', async (_, wanted, header) => {
      const made = await converted(sample(2), { format: formats.pwgRaster, resolution: 150, ...wanted });
      expect(rasterHeader(made)).toMatchObject(header);
      expect(pagesOfRaster(made)).toHaveLength(2);
    });

    it('becomes Apple raster that says how many pages it has', async () => {
      const made = await converted(sample(3), { format: formats.urf, resolution: 150, color: 'grey' });
      expect(made.subarray(0, 8).toString('latin1')).toBe('UNIRAST\0');
      expect(made.readUInt32BE(8)).toBe(3);
    });
  });

  describe('a document that is not what it was said to be', () => {
    it.each<[string, Buffer, Partial<Conversion>, string]>([
      ['longer than its record', sample(9), { recordedPages: 3 }, 'document-not-as-recorded'],
      ['without a page', seeminglyWhole(emptyPdf()), {}, 'document-not-convertible'],
      [
        'no PDF after its first line',
        seeminglyWhole(Buffer.from(`%PDF-1.7\n${'x'.repeat(9000)}`)),
        {},
        'document-not-convertible',
      ],
      [
        'cut in its middle, with nothing to mend',
        seeminglyWhole(sample(3).subarray(0, 400)),
        {},
        'document-not-convertible',
      ],
      [
        'a page tree that bites its tail',
        seeminglyWhole(loopingPdf()),
        { copies: 2 },
        'document-not-convertible',
      ],
      ['of 5,001 pages', shellOfPdf(5001), { copies: 2 }, 'document-beyond-limits'],
      ['of too many pages with its copies', shellOfPdf(60), { copies: 99 }, 'document-beyond-limits'],
      ['PostScript that fails', Buffer.from('%!PS\nfoo bar\n'), {}, 'document-not-convertible'],
    ])('%s is refused', async (_, document, wanted, code) => {
      await expect(converted(document, wanted)).rejects.toMatchObject({ code });
    });

    it('one page more than its record is let through: others count otherwise', async () => {
      expect(textOfPages(await converted(sample(3), { copies: 2, recordedPages: 2 }))).toHaveLength(6);
    });
  });

  describe('a document made to hurt', () => {
    const tight = { limits: { wall: seconds(4), cpu: seconds(1) } };

    it.each<[string, () => Buffer]>([
      ['PostScript that never ends', () => Buffer.from('%!PS\n{} loop\n')],
      ['PostScript that never stops printing', () => Buffer.from('%!PS\n{ showpage } loop\n')],
      [
        'PostScript that eats memory',
        () => Buffer.from('%!PS\n/a [] def { /a [ a 60000 string ] def } loop\n'),
      ],
      ['ten gigabytes in a kilobyte of deflate', bombPdf],
    ])('%s is stopped at a limit, and the agent stays small', async (_, document) => {
      const wanted = { format: formats.pwgRaster, resolution: 150 };
      await converted(sample(3), wanted);
      const before = process.memoryUsage().rss;
      await expect(converted(document(), wanted, tight)).rejects.toMatchObject({
        code: 'document-not-convertible',
      });
      // Some tens of megabytes are garbage that nobody collected yet; each of these makes gigabytes.
      expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 ** 2);
    });

    it.each(['namespaces', 'limits'] as const)(
      'reads and runs nothing of this machine (%s)',
      async (confinement) => {
        const folder = temporaryFolder();
        const canary = join(folder, 'canary');
        writeFileSync(canary, 'canary-of-the-disk', { mode: 0o644 });
        const show = '/Courier 12 selectfont 20 20 moveto 200 string readstring pop show showpage';
        for (const source of [canary, `%pipe%cat ${canary}`, '/etc/hostname']) {
          const document = Buffer.from(`%!PS\n(${source}) (r) file ${show}\n`);
          await expect(converted(document, { copies: 2 }, { confinement })).rejects.toMatchObject({
            code: 'document-not-convertible',
          });
        }
        const writing = Buffer.from(`%!PS\n(${folder}/written) (w) file (x) writestring showpage\n`);
        await expect(converted(writing, {}, { confinement })).rejects.toMatchObject({
          code: 'document-not-convertible',
        });
      },
    );
  });

  describe('a machine without the programs', () => {
    it('says so', async () => {
      const converter = await converterForTest({ programs: { ghostscript: 'gs', qpdf: 'no-such-qpdf' } });
      await expect(converter.examine(withoutLimit())).rejects.toMatchObject({ code: 'converter-missing' });
      const document = await spooled(sample(1));
      await expect(converter.convert(document, conversion(), withoutLimit())).rejects.toMatchObject({
        code: 'converter-missing',
      });
    });
  });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-converter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
