/** The comparison of pages can fail: what a person would see is wrong on the paper is more than 1 % of a page's ink. */
import { describe, expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import type { Bench } from './converted-pages.ts';
import { coarse, fine } from './converted-pages.ts';
import { corpus } from './corpus.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { blankPicture, laidAt, strayInk, transformed } from '../../support/printer/picture.ts';
import type { Seen } from './second-eye.ts';
import { seenByMupdf } from './second-eye.ts';

const page = (content: string, rotate = 0) =>
  pdfOf([{ entries: `/MediaBox[0 0 595 842]/Rotate ${rotate}`, content }]);

const known = new Map<string, Promise<readonly Seen[][]>>();

async function seen(pdf: Buffer): Promise<Picture> {
  const key = pdf.toString('latin1');
  const pages = known.get(key) ?? seenByMupdf([pdf], fine);
  known.set(key, pages);
  const [first] = (await pages)[0] ?? [];
  if (first === undefined) throw new Error('there is no page');
  return first();
}

const millimetres = (length: number, { resolution }: Bench) => Math.round((length * resolution) / 25.4);

const lines = Array.from({ length: 30 }, (_, at) => `(Line ${at} of what somebody wrote) ' `).join('\n');
const kinds: Readonly<Record<string, string>> = {
  marks: marks(595, 842),
  text: `BT /F1 11 Tf 14 TL 80 760 Td ${lines} ET`,
  'a line': '2 w 100 100 m 480 700 l S',
  'a grey surface': '0.8 g 100 100 300 500 re f 0.6 g 100 100 100 100 re f',
};

needsPeer('mutool', 'mupdf-tools')('the comparison', () => {
  describe.each(Object.entries(kinds))('of %s', (_, content) => {
    it('finds nothing where nothing is wrong', async () => {
      const right = await seen(page(content));
      expect(strayInk(right, right)).toBe(0);
    });

    it.each<[string, (right: Picture) => Picture]>([
      ['on its head', (right) => transformed(right, { crossFeed: -1, feed: -1 })],
      ['mirrored across', (right) => transformed(right, { crossFeed: -1, feed: 1 })],
      ['mirrored along', (right) => transformed(right, { crossFeed: 1, feed: -1 })],
      ['two millimetres to the right', (right) => laidAt(right, right, [millimetres(2, fine), 0])],
      ['two millimetres lower', (right) => laidAt(right, right, [0, millimetres(2, fine)])],
      ['not there', (right) => blankPicture(right.width, right.height)],
      ['of another size', (right) => blankPicture(right.width, right.height + 1)],
      ['paler', (right) => ({ ...right, pixels: right.pixels.map((light) => 255 - (255 - light) * 0.2) })],
    ])('finds a page that is %s', async (__, wrong) => {
      const right = await seen(page(content));
      expect(strayInk(wrong(right), right)).toBeGreaterThan(0.01);
    });

    it('finds a page that is 3 % smaller', async () => {
      const [right, smaller] = await Promise.all(
        [content, `0.97 0 0 0.97 9 12 cm ${content}`].map((one) => seen(page(one))),
      );
      expect(strayInk(smaller as Picture, right as Picture)).toBeGreaterThan(0.01);
    });
  });

  it('finds a line of text that is missing, and one too many', async () => {
    const [all, less] = await Promise.all(
      [lines, lines.replace(/\(Line 7 .*/, '')].map((one) =>
        seen(page(`BT /F1 11 Tf 14 TL 80 760 Td ${one} ET`)),
      ),
    );
    expect(strayInk(less as Picture, all as Picture)).toBeGreaterThan(0.01);
    expect(strayInk(all as Picture, less as Picture)).toBeGreaterThan(0.01);
  });

  it('finds ink on an empty page', async () => {
    const [empty, dotted] = await Promise.all(['', '300 400 20 20 re f'].map((one) => seen(page(one))));
    expect(strayInk(dotted as Picture, empty as Picture)).toBeGreaterThan(0.01);
  });

  it('tells documents apart: no page passes for the next one of the corpus, but for those that are to be alike', async () => {
    const some = corpus.filter(({ name }) => /^(Letter|Legal|strip|square|a crop box)/.test(name));
    const pictures = (
      await seenByMupdf(
        some.map(({ pdf }) => pdf),
        coarse,
      )
    ).map(([first]) => (first as Seen)());
    const alike = pictures.filter(
      (picture, at) => strayInk(picture, pictures[(at + 1) % pictures.length] as Picture) < 0.01,
    );
    // Portrait that is turned to its side goes back upright on the paper.
    expect(alike.length).toBeLessThan(pictures.length / 2);
  });
});
