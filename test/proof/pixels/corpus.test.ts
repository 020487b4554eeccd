/**
 * Documents of the corpus through the converter, page by page beside another renderer: less than 1 % of a page's ink
 * may be somewhere else. That the comparison finds what is wrong is tested beside (picture.test.ts).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import { converted, fine, raster } from './converted-pages.ts';
import type { Sample } from './corpus.ts';
import { compared, corpus } from './corpus.ts';
import { dejavuPath } from './corpus-letters.ts';
import { strayInk } from '../../support/printer/picture.ts';
import { pagesOf } from './raster-reader.ts';
import type { Seen } from './second-eye.ts';
import { seenByMupdf, seenByPoppler } from './second-eye.ts';

const mostStray = 0.01;

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('mutool', 'mupdf-tools')('beside MuPDF', () => {
    needsPeer('pdftoppm', 'poppler-utils')('and poppler', () => {
      needsPeer(dejavuPath, 'fonts-dejavu-core')('with a font of Debian’s', suite);
    });
  });
});

function suite(): void {
  const made = new Map<Sample, Promise<Buffer>>();
  const seen = new Map<Sample, readonly Seen[]>();

  beforeAll(async () => {
    // Two at a time, while what is made already is looked at.
    for (const sample of compared) {
      const going = converted(sample.pdf, raster(fine));
      going.catch(() => undefined);
      made.set(sample, going);
    }
    const mupdf = compared.filter(({ beside }) => beside === undefined);
    const documents = mupdf.map(({ pdf }) => pdf);
    for (const [index, pages] of (await seenByMupdf(documents, fine)).entries()) {
      seen.set(mupdf[index] as Sample, pages);
    }
  });

  it('has a hundred documents, and no two of a name', () => {
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
    expect(corpus.length).toBeGreaterThanOrEqual(100);
  });

  describe('draws the pages of', () => {
    it.each(compared)('$name', async (sample) => {
      const expected = seen.get(sample) ?? (await seenByPoppler(sample.pdf, fine));
      const found = pagesOf((await made.get(sample)) as Buffer);
      expect(found).toHaveLength(expected.length);
      expect(found.length).toBeGreaterThan(0);
      const stray = found.map((page, number) => strayInk(page, (expected[number] as Seen)()));
      expect(Math.max(...stray)).toBeLessThan(mostStray);
    });
  });
}
