import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/printing/document-format.ts';

const uel = '\u001b%-12345X';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the format of a document', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['%!PS-Adobe-3.0\n', 'application/postscript'],
    ['%!\n100 100 moveto\n', 'application/postscript'],
    ['%! by hand\r\n', 'application/postscript'],
    ['\u0004%!PS-Adobe-3.0\n', 'application/postscript'],
    ['\u0004\u0004\r\n%!PS\n', 'application/postscript'],
    [') HP-PCL XL;2;0\n', 'application/vnd.hp-PCLXL'],
    ['\u001bE\u001b&l0O', 'application/vnd.hp-PCL'],
    ['RaS2PwgRaster', 'image/pwg-raster'],
    ['UNIRAST\u0000', 'image/urf'],
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', 'image/png'],
    ['II*\u0000\u0008\u0000\u0000\u0000', 'image/tiff'],
    ['MM\u0000*\u0000\u0000\u0000\u0008', 'image/tiff'],
    [`${uel}@PJL ENTER LANGUAGE=PCLXL\r\n) HP-PCL XL`, 'application/vnd.hp-PCLXL'],
    [`${uel}@PJL\n@PJL SET DUPLEX=ON\n@PJL ENTER LANGUAGE = PostScript \n%!PS`, 'application/postscript'],
    [`${uel}@PJL JOB NAME="x"\n@PJL COMMENT y\n@PJL ENTER LANGUAGE=PDF\n%PDF-`, 'application/pdf'],
    [`${uel}@PJL ENTER LANGUAGE=AUTO\r\n%PDF-1.4`, 'application/pdf'],
    [`${uel}@PJL SET RESOLUTION=600\r\n${uel}@PJL ENTER LANGUAGE=PDF\r\n`, 'application/pdf'],
    [`${uel}%!PS`, 'application/postscript'],
    ['<!DOCTYPE html><title>Sign in</title>', 'text/html'],
    ['\u00ef\u00bb\u00bf\n <html lang="en">', 'text/html'],
    ['{ "errorCode": 403 }', 'application/json'],
    ['[{"errorCode": 403}]', 'application/json'],
  ])('%j is %s', (head, format) => {
    expect(formatOf(latin1(head))).toBe(format);
  });

  it.each([
    ['a BOM', '\u00ef\u00bb\u00bf%PDF-1.7\n'],
    ['a blank', ' %PDF-1.7'],
    ['NULs', `${'\u0000'.repeat(1024)}%PDF-1.4`],
    ['a header that HTTP left', 'Content-Type: application/pdf\r\n\r\n%PDF-1.4\n%\u00e2\u00e3'],
    ['the first words of PostScript', '%!PS-Adobe-3.0 PDF-1.4\n'],
  ])('PDF is known behind %s (PDF Reference, appendix H, notes 13 and 14)', (_, head) => {
    expect(formatOf(latin1(head))).toBe('application/pdf');
  });

  it.each([
    ['ASCII', 'Dear Sir,\r\n\tplease find …\f'.replace('…', '...')],
    ['UTF-8', 'Grüße, 日本語, 👩‍👩‍👧'],
    ['UTF-8 with a BOM', '\ufeffGrüße'],
    ['UTF-8 of which the last letter is cut', `${'x'.repeat(16 * 1024 - 1)}ü`],
    ['what speaks of PDF further on than a header may stand', `${'x'.repeat(1100)} %PDF-1.7`],
  ])('%s is text', (_, text) => {
    expect(formatOf(Buffer.from(text))).toBe('text/plain');
  });

  it.each([
    ['nothing', ''],
    ['blanks alone', ' \r\n\t'],
    ['a PDF header further on than it may stand', `${'\u0000'.repeat(1025)}%PDF-1.4`],
    ['a PDF behind PCL', '\u001b*b%PDF-1.4'],
    ['a PDF behind PRESCRIBE', '!R! FRPO P1,0; EXIT;\r\n%PDF-1.4\n\u00e2'],
    ['a container', 'PK\u0003\u0004'],
    ['a program', '\u007fELF\u0002\u0001\u0001'],
    ['Latin-1, which nothing tells from noise', 'Gr\u00fc\u00dfe'],
    ['UTF-16', '\u00ff\u00feG\u0000r\u0000'],
    ['text with PCL in it', 'Dear Sir,\n\u001b&l50X'],
    ['text with PRESCRIBE in it', 'Dear Sir, !R! FRPO P1,0; EXIT;'],
    ['text with ZPL in it', '^XA^FO50,50^FDx^FS^XZ'],
    ['PJL without a UEL', '@PJL FSDELETE NAME="0:/x"\r\n'],
    ['markup', '<?xml version="1.0"?><svg/>'],
    ['a shell’s script', '#!/bin/sh\nrm -rf /\n'],
    ['RTF', '{\\rtf1\\ansi Dear Sir}'],
    ['TeX with a line for its editor', '%!TEX root = main.tex\n'],
    ['a language that nobody speaks here', `${uel}@PJL ENTER LANGUAGE=ZJS\n`],
    ['PJL alone', `${uel}@PJL SET DUPLEX=ON\n`],
    ['PJL around text', `${uel}@PJL SET DUPLEX=ON\nDear Sir`],
    // T16: commands that reach into the printer, or make more of the document than was paid for.
    ['a download into the printer', `${uel}@PJL FSDOWNLOAD NAME="0:/x"\n@PJL ENTER LANGUAGE=PDF\n`],
    ['a default', `${uel}@PJL DEFAULT PASSWORD=1\n@PJL ENTER LANGUAGE=PCLXL\n`],
    ['a word that only begins as one', `${uel}@PJL SETX\n@PJL ENTER LANGUAGE=PCLXL\n`],
    ['copies of its own', `${uel}@PJL SET COPIES=2\n@PJL ENTER LANGUAGE=PCLXL\n`],
  ])('%s is not known', (_, head) => {
    expect(formatOf(latin1(head))).toBe('application/octet-stream');
  });
});
