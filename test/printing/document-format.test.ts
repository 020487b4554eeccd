import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/printing/document-format.ts';

const uel = '\u001b%-12345X';

describe('the format of a document', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['%!PS-Adobe-3.0\n', 'application/postscript'],
    [') HP-PCL XL;2;0\n', 'application/vnd.hp-PCLXL'],
    ['\u001bE\u001b&l0O', 'application/vnd.hp-PCL'],
    ['RaS2PwgRaster', 'image/pwg-raster'],
    ['UNIRAST\u0000', 'image/urf'],
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    [`${uel}@PJL ENTER LANGUAGE=PCLXL\r\n) HP-PCL XL`, 'application/vnd.hp-PCLXL'],
    [`${uel}@PJL\n@PJL SET COPIES=2\n@PJL ENTER LANGUAGE = PostScript \n%!PS`, 'application/postscript'],
    [`${uel}@PJL JOB NAME="x"\n@PJL COMMENT y\n@PJL ENTER LANGUAGE=PDF\n%PDF-`, 'application/pdf'],
    ['<!DOCTYPE html><title>Sign in</title>', 'text/html'],
    ['\u00ef\u00bb\u00bf\n <html lang="en">', 'text/html'],
    ['{ "errorCode": 403 }', 'application/json'],
    ['[{"errorCode": 403}]', 'application/json'],
  ])('%j is %s', (head, format) => {
    expect(formatOf(Buffer.from(head, 'latin1'))).toBe(format);
  });

  it.each([
    [''],
    ['plain text'],
    [' %PDF-1.7'],
    ['PK\u0003\u0004'],
    [`${uel}@PJL ENTER LANGUAGE=ZJS\n`],
    [`${uel}@PJL SET COPIES=2\n`],
    [`${uel}%!PS`],
    // T16: commands that reach into the printer.
    [`${uel}@PJL FSDOWNLOAD NAME="0:/x"\n@PJL ENTER LANGUAGE=PDF\n`],
    [`${uel}@PJL DEFAULT PASSWORD=1\n@PJL ENTER LANGUAGE=PCLXL\n`],
    [`${uel}@PJL SETX\n@PJL ENTER LANGUAGE=PCLXL\n`],
  ])('%j is not known, and so is refused (T16)', (head) => {
    expect(formatOf(Buffer.from(head, 'latin1'))).toBe('application/octet-stream');
  });
});
