/** PNG through the converter, to the pixels that a printer gets, beside the pixels that were written into it. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../peers/availability.ts';
import { bytesOf, converterForTest, conversion } from '../conversion/conversion-samples.ts';
import { patience, spooled } from '../samples.ts';
import { coarse, converted, media, raster } from './converted-pages.ts';
import type { Picture } from './picture.ts';
import { blankPicture, centred, strayInk } from './picture.ts';
import type { PngFacts } from './png-writer.ts';
import { chunk, pngOf } from './png-writer.ts';
import { pagesOf } from './raster-reader.ts';

/** 75 dots an inch, as on the bench: pixel for pixel. */
const dots = Buffer.from([0, 0, 0x0b, 0x89, 0, 0, 0x0b, 0x89, 1]);
const [width, height] = [240, 320];

type Colors = (x: number, y: number) => readonly number[];

/** Steps of colour that differ in every corner; every sample is of 0 to 255. */
const stepped: Colors = (x, y) => [x < 120 ? 0 : 160, y < 160 ? 40 : 200, x + y < 200 ? 255 : 90];
const solidity = (x: number) => (x < 80 ? 255 : x < 160 ? 102 : 0);
const onWhite = (sample: number, solid: number) => 255 - ((255 - sample) * solid) / 255;

function drawn(colors: Colors): Picture {
  const picture = blankPicture(width, height);
  for (let at = 0; at < width * height; at += 1) {
    const found = colors(at % width, Math.floor(at / width));
    const [red = 0, green = red, blue = red] = found;
    picture.pixels.set([red, green, blue], 3 * at);
  }
  return picture;
}

/** Samples of so many bits, each line on an octet's edge. */
function packed(samples: Colors, bits: number): Buffer {
  const lines = Array.from({ length: height }, (_, y) => {
    const line = Array.from({ length: width }, (__, x) => samples(x, y)).flat();
    if (bits === 16) return Buffer.from(line.flatMap((sample) => [sample, 255 - sample]));
    const octets = Buffer.alloc(Math.ceil((line.length * bits) / 8));
    for (const [at, sample] of line.entries()) {
      octets[(at * bits) >> 3] = (octets[(at * bits) >> 3] ?? 0) | (sample << (8 - bits - ((at * bits) % 8)));
    }
    return octets;
  });
  return Buffer.concat(lines);
}

const sized = chunk('pHYs', dots);
const written = (kind: PngFacts['kind'], bits: number, samples: Colors, between: readonly Buffer[] = []) =>
  pngOf({ width, height, kind, bits, lines: packed(samples, bits), between: [...between, sized] });

const entryAt = (x: number, y: number) => (x < 120 ? 0 : 1) + (y < 160 ? 0 : 2);
const entries = [200, 0, 0, 0, 120, 0, 0, 0, 160, 20, 20, 20];
const entry: Colors = (x, y) => entries.slice(3 * entryAt(x, y), 3 * entryAt(x, y) + 3);
const inPalette = (bits: number, between: readonly Buffer[] = []) =>
  written(3, bits, (x, y) => [entryAt(x, y)], [chunk('PLTE', Buffer.from(entries)), ...between]);

const greys = (bits: number): [string, Buffer, Colors] => {
  const most = 2 ** Math.min(bits, 8) - 1;
  const step: Colors = (x, y) => [Math.floor((((x < 120 ? 0 : 2) + (y < 160 ? 0 : 1)) * most) / 3)];
  return [
    `grey of ${bits} bits`,
    written(0, bits, step),
    (x, y) => step(x, y).map((one) => (one * 255) / most),
  ];
};

const mixed = (bits: number): [string, Buffer, Colors][] => [
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
  it.each<[string, Buffer, Colors]>([
    ...[1, 2, 4, 8, 16].map(greys),
    ...[8, 16].map((bits): [string, Buffer, Colors] => [
      `colours of ${bits} bits`,
      written(2, bits, stepped),
      stepped,
    ]),
    ...[2, 4, 8].map((bits): [string, Buffer, Colors] => [
      `a palette of ${bits} bits`,
      inPalette(bits),
      entry,
    ]),
    [
      'a palette that shines through',
      inPalette(4, [chunk('tRNS', Buffer.from([255, 51, 0]))]),
      (x, y) => entry(x, y).map((one) => onWhite(one, [255, 51, 0, 255][entryAt(x, y)] ?? 0)),
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
    const made = await converter.convert(await spooled(whole), conversion(raster(coarse)), patience());
    expect((await bytesOf(made)).equals(await converted(whole, raster(coarse)))).toBe(true);
  });

  it('that says no size is as large as the paper lets it be, and lies as the paper does', async () => {
    const lying = pngOf({ width: 1600, height: 400, kind: 0, bits: 8, lines: Buffer.alloc(1600 * 400) });
    const pdf = (await converted(lying, { media })).toString('latin1');
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
      const made = converter.convert(await spooled(png), conversion({ format: formats.pdf }), patience());
      await expect(made).rejects.toMatchObject({ code: 'document-not-convertible' });
    });
  });
});
