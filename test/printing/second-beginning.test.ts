/** Another language behind a document, without a UEL between the two (INVARIANTS.md T16). */
import { describe, expect, it } from 'vitest';
import { secondBeginning } from '../../src/printing/second-beginning.ts';

const pdf = '%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n';
const pcl = '\u001bEhello\f\u001bE';
const exitserver = '%!PS\nserverdict begin 0 exitserver\n';

function isOther(text: string, format: string, length: number): boolean {
  const second = secondBeginning();
  const octets = Buffer.from(text, 'latin1');
  for (let at = 0; at < octets.length; at += length) second.see(octets.subarray(at, at + length));
  return second.isOtherThan(format);
}

describe('what begins behind a document', () => {
  it.each([
    ['PostScript behind PCL', 'application/vnd.hp-PCL', pcl + exitserver],
    [
      'the same behind blanks and ends of lines',
      'application/vnd.hp-PCL',
      `${pcl}${'\r\n \0'.repeat(9000)}${exitserver}`,
    ],
    ['PostScript of no version behind PCL', 'application/vnd.hp-PCL', `${pcl}%!\n0 exitserver`],
    ['PostScript behind a PDF', 'application/pdf', pdf + exitserver],
    ['the same behind Ctrl-D', 'application/pdf', `${pdf}\u0004${exitserver}`],
    ['the same behind many of them', 'application/pdf', `${pdf}${'\u0004'.repeat(9000)}\n${exitserver}`],
    ['PostScript behind Ctrl-D behind anything', 'application/pdf', `${pdf}more\u0004${exitserver}`],
    ['PCL behind a PDF', 'application/pdf', `${pdf}\u001bEhello`],
    ['a PDF behind PCL', 'application/vnd.hp-PCL', pcl + pdf],
    ['a PDF behind PostScript', 'application/postscript', `%!PS\nshowpage\n\u0004${pdf}`],
    ['PJL behind PostScript', 'application/postscript', '%!PS\nshowpage\n\u0004@PJL RESET\r\n'],
  ])('is found in whatever pieces it comes: %s', (_, format, text) => {
    for (const length of [text.length, 1000, 10, 3, 1]) expect(isOther(text, format, length)).toBe(true);
  });

  it.each([
    ['a PDF that was added to', 'application/pdf', `${pdf}7 0 obj\nendobj\nstartxref\n99\n%%EOF\n`],
    ['a PDF with its UEL', 'application/pdf', `${pdf}\u001b%-12345X`],
    [
      'a font of PostScript in a PDF',
      'application/pdf',
      `%PDF-1.7\nstream\n%!PS-AdobeFont-1.0\nendstream\n${pdf}`,
    ],
    [
      'one job of PostScript behind another',
      'application/postscript',
      '%!PS\nshowpage\n\u0004%!PS\nshowpage\n\u0004',
    ],
    ['PCL that is reset twice', 'application/vnd.hp-PCL', `${pcl}\u001bE\u001b%-12345X`],
  ])('is of the same language, or nothing: %s', (_, format, text) => {
    for (const length of [text.length, 7, 1]) expect(isOther(text, format, length)).toBe(false);
  });
});
