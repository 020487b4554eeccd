/** Documents that are damaged, or reach further than their pages, as the spool finds them while they come in. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { openSpool } from '../../src/printing/spool/spool.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { spooled, temporaryDirectory } from '../support/printer/samples.ts';
import { withoutLimit } from '../support/patience.ts';

const uel = '\u001b%-12345X';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const pdf = samplePdf({ title: 'Report', pages: 2 });
const long = samplePdf({ title: 'Report', pages: 2, minimumBytes: 300_000 });
const noPage =
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /PageMode /UseNone >>\nendobj\n2 0 obj\n' +
  '<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n';
const linearized = `%PDF-1.4\n1 0 obj\n<< /Linearized 1 >>\nendobj\n/Type /Page\nstartxref\n0\n%%EOF\n${'x'.repeat(900)}`;
const png = '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR';

describe('a document that is refused as damaged before anything is done with it', () => {
  it.each([
    ['a PDF that is cut in the middle', long.subarray(0, 150_000)],
    ['a PDF that is cut before its trailer', pdf.subarray(0, pdf.lastIndexOf('trailer'))],
    ['a PDF of its header', latin1('%PDF-1.7\n')],
    ['a PDF without a page', latin1(noPage)],
    ['a linearized PDF of which the first part came', latin1(linearized)],
    ['a PDF between PJL that is cut', latin1(`${uel}@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7\n/Type /Page\n`)],
    ['PWG raster of a word', latin1('RaS2')],
    ['PWG raster of a header', Buffer.concat([latin1('RaS2'), Buffer.alloc(1796)])],
    ['Apple raster of a header', latin1('UNIRAST\u0000\u0000\u0000\u0001')],
    ['a PNG that is cut', latin1(png)],
  ])('%s', async (_, bytes) => {
    await expect(spooled(bytes)).rejects.toMatchObject({ code: 'document-damaged' });
  });
});

/** Of one page; the catalogue has these entries besides. */
const withCatalog = (entries: string, more = ''): Buffer =>
  latin1(
    `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R${entries}>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n` +
      `3 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n${more}trailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n`,
  );
const dynamicForm = '/AcroForm<</XFA 9 0 R/Fields[]>>/NeedsRendering true';
const portfolio = '/Collection<</Type/Collection/View/D>>';

describe('a document whose page only asks for another program', () => {
  it.each([
    ['a dynamic form (XFA)', withCatalog(dynamicForm)],
    ['one behind much else', withCatalog(dynamicForm, 'x'.repeat(200_000))],
    ['a portfolio', withCatalog(portfolio)],
  ])('is refused: %s', async (_, bytes) => {
    await expect(spooled(bytes)).rejects.toMatchObject({ code: 'document-placeholder' });
  });

  it.each([
    ['a form of both kinds', withCatalog('/AcroForm<</XFA 9 0 R/Fields[5 0 R]>>')],
    ['a portfolio whose list is hidden', withCatalog('/Collection<</View/H>>')],
    ['a document with others attached', withCatalog('/Names<</EmbeddedFiles<</Names[]>>>>')],
    [
      'a document to which a form is attached',
      withCatalog('/Names<<>>', `7 0 obj\n<</Type/Catalog${dynamicForm}>>\nendobj\n`),
    ],
    ['a collection of many pages', withCatalog(portfolio, '4 0 obj\n<</Type/Page >>\nendobj\n')],
  ])('is not: %s', async (_, bytes) => {
    expect((await spooled(bytes)).format).toBe('application/pdf');
  });
});

describe('a document that is as good as it can be seen to be', () => {
  it.each([
    ['a PDF', pdf, 'application/pdf'],
    ['a long one', long, 'application/pdf'],
    ['a PDF behind a BOM', Buffer.concat([latin1('\u00ef\u00bb\u00bf'), pdf]), 'application/pdf'],
    ['a PDF with a kilobyte behind its end', Buffer.concat([pdf, Buffer.alloc(1024)]), 'application/pdf'],
    [
      'a PDF between PJL',
      Buffer.concat([latin1(`${uel}@PJL ENTER LANGUAGE=PDF\r\n`), pdf, latin1(`${uel}@PJL EOJ\r\n${uel}`)]),
      'application/pdf',
    ],
    [
      'a PDF whose pages are packed',
      latin1('%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 4>>stream\nx\nendstream\nstartxref\n9\n%%EOF'),
      'application/pdf',
    ],
    ['a whole linearized PDF', latin1(`${linearized}\nstartxref\n1234\n%%EOF\n`), 'application/pdf'],
    ['PNG', latin1(`${png}....IEND\u00aeB\`\u0082`), 'image/png'],
    ['PostScript, which need not end in anything', latin1('%!\nshowpage'), 'application/postscript'],
    ['text', Buffer.from('Grüße '.repeat(10_000)), 'text/plain'],
  ])('%s', async (_, bytes, format) => {
    const document = await spooled(bytes);
    expect(document.format).toBe(format);
    expect(document.length).toBe(bytes.length);
  });

  it('has its pages found where two pieces of it meet', async () => {
    const file = `%PDF-1.4\n${'x'.repeat(20_000)}/Type /Page /Parent 2 0 R\nstartxref\n9\n%%EOF\n`;
    const at = file.indexOf('/Page') + 1;
    for (let cut = at - 3; cut < at + 8; cut += 1) {
      const spool = await openSpool({ directory: temporaryDirectory(), chance: systemChance });
      const bytes = Readable.from([latin1(file.slice(0, cut)), latin1(file.slice(cut))]);
      using document = await spool.store({ length: file.length, bytes }, withoutLimit());
      expect(document.format).toBe('application/pdf');
    }
  });
});

describe('a document that reaches further than its pages', () => {
  const plainPdf = pdf.toString('latin1');

  it.each([
    ['as exitserver', '%!PS\nserverdict begin 0 exitserver\n', true],
    ['as startjob, far behind', `%!PS\n${'% a comment\n'.repeat(3000)}true (pw) startjob pop\n`, true],
    ['nowhere, though a name sounds like it', '%!PS\n%%BeginExitServer: 0\n/myexitserver {} def\n', false],
    ['nowhere in a PDF', plainPdf, false],
    [
      'nowhere in a PDF behind PJL and blanks',
      `${uel}@PJL ENTER LANGUAGE=PDF\n \n${plainPdf}${uel}\r\n\0`,
      false,
    ],
    [
      'nowhere in pages of one language',
      `${uel}@PJL ENTER LANGUAGE=PCL\nx${uel}@PJL ENTER LANGUAGE=PCL\nx`,
      false,
    ],
    ['behind a UEL', `${plainPdf}${uel}%!PS\n`, true],
    ['behind two', `${plainPdf}${uel}@PJL EOJ\n${uel}\n0 exitserver\n`, true],
    [
      'behind a language that the printer finds out',
      `${uel}@PJL ENTER LANGUAGE=PCL\nx${uel}@PJL ENTER LANGUAGE=AUTO\nx`,
      true,
    ],
    ['behind another language', `${uel}@PJL ENTER LANGUAGE=PCL\nx${uel}@PJL ENTER LANGUAGE=ZJS\nx`, true],
    ['before a PDF', `a b exec\n${plainPdf}`, true],
    ['as the header of a PDF', `%!PS-Adobe-3.0 PDF-1.4\n${plainPdf}`, true],
  ])('what a printer might run as a program stands %s', async (_, text, expected) => {
    expect((await spooled(latin1(text))).holds('hidden-program')).toBe(expected);
  });

  it.each([
    ['at its beginning', `${uel}@PJL ENTER LANGUAGE=POSTSCRIPT\n%!PS\nshowpage\n`, true],
    ['at its end', `%!PS\nshowpage\n${uel}@PJL EOJ\n${uel}`, true],
    ['nowhere', '%!PS\nshowpage\n', false],
  ])('printer commands stand %s of it', async (_, text, expected) => {
    expect((await spooled(latin1(text))).holds('printer-commands')).toBe(expected);
  });

  it.each([
    ['a harmful command in the middle', `${'%!PS\n'.padEnd(50_000)}${uel}@PJL RESET\n`],
    ['text that becomes a program', `${'Dear Sir,\n'.repeat(5000)}\u007fELF\u0000`],
    ['text that becomes PRESCRIBE', `${'Dear Sir,\n'.repeat(5000)}!R! FRPO P1,0; EXIT;`],
  ])('%s has it refused', async (_, text) => {
    await expect(spooled(latin1(text))).rejects.toMatchObject({ code: 'document-not-printable' });
  });
});
