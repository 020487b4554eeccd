/** The sample documents are whole PDFs, and the pages of any PDF are counted. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pdfPages } from '../../src/simulator/sample/pdf-file.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';

/** The objects that the cross-reference table points at, read as a PDF reader finds them. */
function objectsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, count = '0'] = /^xref\n0 (\d+)\n/.exec(text.slice(start)) ?? [];
  const entries = text
    .slice(start)
    .split('\n')
    .slice(3, Number(count) + 2);
  return entries.map((entry) => text.slice(Number(entry.slice(0, 10))).slice(0, 40));
}

test('every entry of the cross-reference table points at its object', () => {
  const objects = objectsOf(samplePdf({ title: 'A (b) \\ c', pages: 3 }));
  expect(objects).toHaveLength(5 + 2 * 3);
  objects.forEach((object, index) => expect(object.startsWith(`${index + 1} 0 obj\n`)).toBe(true));
});

test('it has as many pages as asked for, and says what it is', () => {
  const text = samplePdf({ title: 'Report', pages: 4 }).toString('latin1');
  expect(text.match(/\/Type \/Page /g)).toHaveLength(4);
  expect(text).toContain('If you hold this page, Platen works.');
  expect(text).toContain('Page 4 of 4');
});

test('a stream is as long as it says', () => {
  const text = samplePdf({ title: 'Report', pages: 2, minimumBytes: 50_000 }).toString('latin1');
  const streams = [...text.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g)];
  expect(streams).toHaveLength(3);
  for (const [, length, content] of streams) expect(content).toHaveLength(Number(length));
});

test('it is filled up to the size asked for, and still whole', () => {
  const pdf = samplePdf({ title: 'Large', pages: 1, minimumBytes: 1_000_000 });
  expect(pdf.length).toBeGreaterThanOrEqual(1_000_000);
  expect(pdf.length).toBeLessThan(1_001_000);
  objectsOf(pdf).forEach((object, index) => expect(object.startsWith(`${index + 1} 0 obj\n`)).toBe(true));
});

describe('the pages of a PDF', () => {
  test('counts the page objects of a PDF, however it is cut on its way', () => {
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

  test('counts nothing in what is no PDF', () => {
    const pages = pdfPages();
    pages.take(Buffer.from('RaS2PwgRaster'));
    expect(pages.count()).toBeUndefined();
  });
});
