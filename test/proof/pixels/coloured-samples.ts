/** Steps of colour that differ in every corner, as they are written into pictures and as they are to come out. */
import type { Picture } from '../../support/printer/picture.ts';
import { blankPicture } from '../../support/printer/picture.ts';

export const [width, height] = [240, 320];

/** The samples of a pixel; of a colour each is 0 to 255. */
export type Samples = (x: number, y: number) => readonly number[];

export const stepped: Samples = (x, y) => [x < 120 ? 0 : 160, y < 160 ? 40 : 200, x + y < 200 ? 255 : 90];

export const solidity = (x: number): number => (x < 80 ? 255 : x < 160 ? 102 : 0);
export const onWhite = (sample: number, solid: number): number => 255 - ((255 - sample) * solid) / 255;

/** Where one of four stands. */
export const quarterAt = (x: number, y: number): number => (x < 120 ? 0 : 1) + (y < 160 ? 0 : 2);
export const entries: readonly number[] = [200, 0, 0, 0, 120, 0, 0, 0, 160, 20, 20, 20];
export const entry: Samples = (x, y) => entries.slice(3 * quarterAt(x, y), 3 * quarterAt(x, y) + 3);

/** Four shades of so many bits. */
export const shadesOf =
  (bits: number): Samples =>
  (x, y) => [Math.floor((((x < 120 ? 0 : 2) + (y < 160 ? 0 : 1)) * (2 ** Math.min(bits, 8) - 1)) / 3)];
export const asGrey =
  (samples: Samples, bits: number): Samples =>
  (x, y) =>
    samples(x, y).map((one) => (one * 255) / (2 ** Math.min(bits, 8) - 1));

export function drawn(colors: Samples): Picture {
  const picture = blankPicture(width, height);
  for (let at = 0; at < width * height; at += 1) {
    const found = colors(at % width, Math.floor(at / width));
    const [red = 0, green = red, blue = red] = found;
    picture.pixels.set([red, green, blue], 3 * at);
  }
  return picture;
}

/** Samples of so many bits, each line on an octet's edge; the second octet of 16 bits is to be without effect. */
export function packed(samples: Samples, bits: number, size = { width, height }): Buffer {
  const lines = Array.from({ length: size.height }, (_, y) => {
    const line = Array.from({ length: size.width }, (__, x) => samples(x, y)).flat();
    if (bits === 16) return Buffer.from(line.flatMap((sample) => [sample, 255 - sample]));
    const octets = Buffer.alloc(Math.ceil((line.length * bits) / 8));
    for (const [at, sample] of line.entries()) {
      octets[(at * bits) >> 3] = (octets[(at * bits) >> 3] ?? 0) | (sample << (8 - bits - ((at * bits) % 8)));
    }
    return octets;
  });
  return Buffer.concat(lines);
}
