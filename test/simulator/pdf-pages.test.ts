import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pdfPages } from '../../src/simulator/sample/pdf-pages.ts';

it('counts the page objects of a PDF, however it is cut on its way', () => {
  const text =
    '%PDF-1.7 <</Type /Pages>> <</Type /Page>> <</Type/Page >> /PageMode <</Type\n/Page/Parent 1 0 R>> %%EOF';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (lengths) => {
      const pages = pdfPages();
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        const length = lengths[turn % lengths.length] ?? 1;
        pages.take(Buffer.from(text.slice(at, at + length)));
        at += length;
      }
      expect(pages.count()).toBe(3);
    }),
  );
});

it('counts nothing in what is no PDF', () => {
  const pages = pdfPages();
  pages.take(Buffer.from('RaS2PwgRaster'));
  expect(pages.count()).toBeUndefined();
});
