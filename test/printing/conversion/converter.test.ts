/** What the converter makes of programs that answer wrongly; the real ones are in `test/peers`. */
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../src/domain/ports/printing.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { createConverter } from '../../../src/printing/conversion/converter.ts';
import { formats } from '../../../src/printing/document-format.ts';
import type { Sandbox } from '../../../src/printing/conversion/sandbox.ts';
import { bytesOf, conversion, spoolForTest } from '../../support/printer/conversion-samples.ts';
import { pwgOf, pwgPage, urfOf, urfPage } from './raster-samples.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import { withoutLimit } from '../../support/patience.ts';

type Answer = string | Buffer | Problem;

const uel = '\u001b%-12345X';
const long = (head: string, tail: string): string => head + '.'.repeat(5000) + tail;
const goodPdf = long('%PDF-1.7\n/Type /Page\n', '\n%%EOF\n');
const goodPcl = long(
  `${uel}@PJL SET RESOLUTION=600\n@PJL ENTER LANGUAGE = PCLXL\n) HP-PCL XL;2;0;`,
  `IB${uel}`,
);
const goodPwg = pwgOf(pwgPage(), pwgPage(), pwgPage()).toString('latin1');
const goodUrf = urfOf(urfPage(), urfPage(), urfPage()).toString('latin1');

/** Programs that answer one after the other, whatever they are asked. */
async function converting(answers: readonly Answer[], wanted: Partial<Conversion> = {}) {
  const left = [...answers];
  let runs = 0;
  const sandbox: Sandbox = {
    confinement: async () => 'namespaces',
    async *run({ recipe }) {
      // What is in the document: nothing of note.
      if (recipe.words[0] === 'objects') return;
      runs += 1;
      const answer = left.shift() ?? '';
      if (answer instanceof Problem) throw answer;
      const bytes = Buffer.from(answer as string, 'latin1');
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
    },
  };
  const converter = createConverter({ sandbox, spool: await spoolForTest(), clock: hastyClock() });
  try {
    const made = await converter.convert(await spooled(pdfOf(5000)), conversion(wanted), withoutLimit());
    return { bytes: (await bytesOf(made)).toString('latin1'), format: made.format, runs, code: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { bytes: '', format: '', runs, code: error.code };
  }
}

it('picks pages of the very document that has so many, and of no other', async () => {
  const picked = [{ from: 2, to: 3 }];
  expect(await converting(['3\n', goodPdf, '2\n'], { picked, exactPages: 3 })).toMatchObject({
    runs: 3,
    code: undefined,
  });
  for (const counted of ['2\n', '4\n']) {
    expect(await converting([counted], { picked, exactPages: 3 })).toMatchObject({
      runs: 1,
      code: 'document-not-as-recorded',
    });
  }
});

it('makes pages that are larger than any paper of the printer fit the first of it', async () => {
  const format = formats.pwgRaster;
  // The pages are 10 by 7 millimetres.
  const sized = { format, resolution: 100 };
  const small = ['custom_label_5x5mm', 'custom_label_9x5mm'];
  expect(await converting(['3\n', goodPwg, goodPwg], { ...sized, within: small })).toMatchObject({
    runs: 3,
    format,
  });
  const large = [...small, 'custom_label_8x11mm'];
  expect(await converting(['3\n', goodPwg], { ...sized, within: large })).toMatchObject({ runs: 2, format });
  expect(await converting(['3\n', goodPwg], sized)).toMatchObject({ runs: 2, format });
});

const pclXl = { format: formats.pclXl };
const killed = () => new Problem('document-not-convertible', 'it was killed', { reasons: ['killed'] });
const failed = () => new Problem('document-not-convertible', 'it ended with status 1');

describe('a program that writes', () => {
  it.each<[string, Partial<Conversion>, readonly Answer[]]>([
    ['nothing', pclXl, ['3\n', '']],
    ['less than a page', pclXl, ['3\n', ') HP-PCL XL;2;0;IB']],
    ['something else', pclXl, ['3\n', goodPdf]],
    ['a document without its end', pclXl, ['3\n', goodPcl.slice(0, -20)]],
    ['something after the end', pclXl, ['3\n', `${goodPcl}junk`]],
    ['commands to the printer in between', pclXl, ['3\n', goodPcl.replace('....', `${uel}@PJL`)]],
    ['a PDF without its end', { copies: 2 }, ['3\n', goodPdf.slice(0, -8)]],
    ['something after the end of a PDF', { copies: 2 }, ['3\n', `${goodPdf}${'junk'.repeat(30)}`]],
    ['fewer pages than there are', { copies: 2 }, ['3\n', goodPdf, '5\n']],
    ['more pages than there are', { copies: 2 }, ['3\n', goodPdf, '7\n']],
    ['PWG raster of a word', { format: formats.pwgRaster }, ['3\n', 'RaS2']],
    ['PWG raster that is cut', { format: formats.pwgRaster }, ['3\n', goodPwg.slice(0, -1)]],
    ['PWG raster of other pages', { format: formats.pwgRaster }, ['4\n', goodPwg]],
    ['Apple raster of a header', { format: formats.urf }, ['3\n', 'UNIRAST\0\0\0\0\u0003']],
    ['no count of pages', pclXl, ['many\n']],
    ['a count of nothing', pclXl, ['0\n']],
    ['a count without end', pclXl, ['1'.repeat(100_000)]],
  ])('%s is not believed', async (_, wanted, answers) => {
    const { code } = await converting(answers, wanted);
    expect(code).toMatch(/document-not-convertible|document-beyond-limits/);
  });

  it.each<[string, Partial<Conversion>, readonly Answer[], string]>([
    ['PCL XL in PJL gives it bare', pclXl, ['3\n', goodPcl], long(') HP-PCL XL;2;0;', 'IB')],
    ['PCL XL without PJL gives that', pclXl, ['3\n', long(') HP-PCL XL;', 'IB')], long(') HP-PCL XL;', 'IB')],
    ['a PDF of the right pages gives that', { copies: 2 }, ['3\n', goodPdf, '6\n'], goodPdf],
  ])('%s', async (_, wanted, answers, bytes) => {
    expect(await converting(answers, wanted)).toMatchObject({ code: undefined, bytes });
  });
});

it.each<[string, string, number]>([
  [formats.pwgRaster, goodPwg, 4 + 452],
  [formats.urf, goodUrf, 8],
])('a program that writes %s gives it with its pages', async (format, written, at) => {
  const { code, bytes } = await converting(['3\n', written], { format });
  expect(code).toBeUndefined();
  expect(bytes).toHaveLength(written.length);
  expect(Buffer.from(bytes, 'latin1').readUInt32BE(at)).toBe(3);
});

describe('a program that fails', () => {
  it('for its own reasons is not run again', async () => {
    expect(await converting([failed(), '3\n', goodPcl], pclXl)).toMatchObject({
      code: 'document-not-convertible',
      runs: 1,
    });
  });

  it('because the system took its memory is run once more, and only once', async () => {
    expect(await converting(['3\n', killed(), goodPcl], pclXl)).toMatchObject({ code: undefined, runs: 3 });
    expect(await converting(['3\n', killed(), killed(), goodPcl], pclXl)).toMatchObject({
      code: 'document-not-convertible',
      runs: 3,
    });
  });
});

describe('the record of a document', () => {
  it.each<[number | undefined, string, string | undefined]>([
    [3, '3', undefined],
    [3, '4', undefined],
    [3, '5', 'document-not-as-recorded'],
    [100, '105', undefined],
    [100, '106', 'document-not-as-recorded'],
    [3, '1', undefined],
    [undefined, '400', undefined],
    [0, '400', undefined],
    [undefined, '5001', 'document-beyond-limits'],
  ])('of %s pages, with %s counted: %s', async (recordedPages, counted, code) => {
    expect((await converting([counted, goodPcl], { ...pclXl, recordedPages })).code).toBe(code);
  });
});
