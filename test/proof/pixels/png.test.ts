/** PNG through the converter, to the pixels that a printer gets, beside the pixels that were written into it. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../support/needs.ts';
import { bytesOf, converterForTest, conversion } from '../../support/printer/conversion-samples.ts';
import { spooled } from '../../support/printer/samples.ts';
import type { Samples } from './coloured-samples.ts';
import {
  asGrey,
  drawn,
  entries,
  entry,
  height,
  onWhite,
  packed,
  quarterAt,
  shadesOf,
  solidity,
  stepped,
  width,
} from './coloured-samples.ts';
import { coarse, converted, media, raster } from './converted-pages.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { centred, strayInk } from '../../support/printer/picture.ts';
import type { PngFacts } from '../../support/printer/png-writer.ts';
import { chunk, pngOf } from '../../support/printer/png-writer.ts';
import { pagesOf } from './raster-reader.ts';
import { withoutLimit } from '../../support/patience.ts';

/** 75 dots an inch, as on the bench: pixel for pixel. */
const dots = Buffer.from([0, 0, 0x0b, 0x89, 0, 0, 0x0b, 0x89, 1]);
const sized = chunk('pHYs', dots);
const written = (kind: PngFacts['kind'], bits: number, samples: Samples, between: readonly Buffer[] = []) =>
  pngOf({ width, height, kind, bits, lines: packed(samples, bits), between: [...between, sized] });

const inPalette = (bits: number, between: readonly Buffer[] = []) =>
  written(3, bits, (x, y) => [quarterAt(x, y)], [chunk('PLTE', Buffer.from(entries)), ...between]);

const greys = (bits: number): [string, Buffer, Samples] => [
  `grey of ${bits} bits`,
  written(0, bits, shadesOf(bits)),
  asGrey(shadesOf(bits), bits),
];

const mixed = (bits: number): [string, Buffer, Samples][] => [
  [
    `colours of ${bits} bits that shine through`,
    written(6, bits, (x, y) => [...stepped(x, y), solidity(x)]),
    (x, y) => stepped(x, y).map((one) => onWhite(one, solidity(x))),
  ],
  [
    `grey of ${bits} bits that shines through`,
    written(4, bits, (x, y) => [y < 160 ? 0 : 128, solidity(x)]),
    (x, y) => [onWhite(y < 160 ? 0 : 128, solidity(x))],
  ],
];

const whole = written(2, 8, stepped);
const damagedAt = (png: Buffer, at: number) => Buffer.from(png).fill((png[at] ?? 0) ^ 1, at, at + 1);
const small = (facts: Partial<PngFacts>) =>
  pngOf({ width: 8, height: 8, kind: 0, bits: 8, lines: Buffer.alloc(64), ...facts });

needsPeer('gs', 'ghostscript')('PNG', () => {
  it.each<[string, Buffer, Samples]>([
    ...[1, 2, 4, 8, 16].map(greys),
    ...[8, 16].map((bits): [string, Buffer, Samples] => [
      `colours of ${bits} bits`,
      written(2, bits, stepped),
      stepped,
    ]),
    ...[2, 4, 8].map((bits): [string, Buffer, Samples] => [
      `a palette of ${bits} bits`,
      inPalette(bits),
      entry,
    ]),
    [
      'a palette that shines through',
      inPalette(4, [chunk('tRNS', Buffer.from([255, 51, 0]))]),
      (x, y) => entry(x, y).map((one) => onWhite(one, [255, 51, 0, 255][quarterAt(x, y)] ?? 0)),
    ],
    [
      'colours of which one is not there',
      written(2, 8, stepped, [chunk('tRNS', Buffer.from([0, 0, 0, 40, 0, 90]))]),
      (x, y) => (stepped(x, y).join() === '0,40,90' ? [255] : stepped(x, y)),
    ],
    ...[8, 16].flatMap(mixed),
  ])('of %s comes out as it was drawn, in the middle of the paper', async (_, png, colors) => {
    const [page, ...more] = pagesOf(await converted(png, raster(coarse)));
    expect(more).toEqual([]);
    expect(strayInk(page as Picture, centred(drawn(colors), coarse))).toBeLessThan(0.01);
  });

  it('is drawn likewise where the system gives no namespaces', async () => {
    const converter = await converterForTest({ confinement: 'limits' });
    const made = await converter.convert(await spooled(whole), conversion(raster(coarse)), withoutLimit());
    expect((await bytesOf(made)).equals(await converted(whole, raster(coarse)))).toBe(true);
  });

  it('that says no size is as large as the paper lets it be, and lies as the paper does', async () => {
    const contradictory = pngOf({
      width: 1600,
      height: 400,
      kind: 0,
      bits: 8,
      lines: Buffer.alloc(1600 * 400),
    });
    const pdf = (await converted(contradictory, { media })).toString('latin1');
    expect(pdf).toMatch(/\/MediaBox *\[0 0 842 595\]/);
  });

  describe('that is wrong is refused:', () => {
    const tight = { limits: { wall: seconds(20), cpu: seconds(10) } };

    it.each<[string, Buffer]>([
      [
        'cut in its pixels, with an end put on',
        Buffer.concat([whole.subarray(0, -100), whole.subarray(-12)]),
      ],
      ['its header damaged', damagedAt(whole, 18)],
      ['a pixel damaged', damagedAt(whole, whole.indexOf('IDAT') + 200)],
      ['its palette damaged', damagedAt(inPalette(4), inPalette(4).indexOf('PLTE') + 5)],
      ['fewer lines than it says', small({ height: 9 })],
      ['no height', small({ height: 0, lines: Buffer.alloc(0) })],
      ['no palette', small({ kind: 3 })],
      ['nine bits', small({ bits: 9 })],
      ['interlaced', small({ interlaced: true })],
      ['a chunk that nobody may pass over', small({ between: [chunk('NEWS', Buffer.alloc(4))] })],
      [
        'a chunk longer than the file',
        small({ between: [Buffer.from('\u00ff\u00ff\u00ff\u00fftEXtabc', 'latin1')] }),
      ],
      ['900 million pixels', small({ width: 30_000, height: 30_000 })],
    ])('%s', async (_, png) => {
      const converter = await converterForTest(tight);
      const made = converter.convert(await spooled(png), conversion({ format: formats.pdf }), withoutLimit());
      await expect(made).rejects.toMatchObject({ code: 'document-not-convertible' });
    });
  });
});
