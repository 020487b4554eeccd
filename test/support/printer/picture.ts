/** Pictures in memory, and how much of the ink of one is not in the other. */
import { inflateSync } from 'node:zlib';

/** RGB of eight bits, the first line on top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export const blankPicture = (width: number, height: number): Picture => ({
  width,
  height,
  pixels: new Uint8Array(3 * width * height).fill(255),
});

/** `-1` mirrors; both turn by 180 degrees. */
export function transformed(
  { width, height, pixels }: Picture,
  { crossFeed, feed }: { readonly crossFeed: number; readonly feed: number },
): Picture {
  const made = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = 3 * ((feed === -1 ? height - 1 - y : y) * width + (crossFeed === -1 ? width - 1 - x : x));
      const to = 3 * (y * width + x);
      for (let sample = 0; sample < 3; sample += 1) made[to + sample] = pixels[from + sample] ?? 0;
    }
  }
  return { width, height, pixels: made };
}

/** The gamma of sRGB, nearly. */
const lit = (sample: number): number => (sample / 255) ** 2.2;

/** By how light the colours are (ITU-R BT.709). */
export const grey = (picture: Picture): Picture => ({
  ...picture,
  pixels: picture.pixels.map((_, at) => {
    const [red = 0, green = 0, blue = 0] = picture.pixels.subarray(at - (at % 3), at - (at % 3) + 3);
    return 255 * (0.2126 * lit(red) + 0.7152 * lit(green) + 0.0722 * lit(blue)) ** (1 / 2.2);
  }),
});

/** Laid on a white paper; what hangs over is lost. */
export function laidAt(
  { width, height, pixels }: Picture,
  paper: { readonly width: number; readonly height: number },
  [left, top]: readonly [number, number],
): Picture {
  const made = blankPicture(paper.width, paper.height);
  const skipped = Math.max(0, -left);
  const kept = Math.min(width - skipped, paper.width - Math.max(0, left));
  for (let y = Math.max(0, -top); y < Math.min(height, paper.height - top); y += 1) {
    const line = pixels.subarray(3 * (y * width + skipped), 3 * (y * width + skipped + Math.max(0, kept)));
    made.pixels.set(line, 3 * ((y + top) * paper.width + Math.max(0, left)));
  }
  return made;
}

export const centred = (
  picture: Picture,
  paper: { readonly width: number; readonly height: number },
): Picture =>
  laidAt(picture, paper, [
    Math.round((paper.width - picture.width) / 2),
    Math.round((paper.height - picture.height) / 2),
  ]);

/**
 * Neighbours that may have a pixel's ink instead: one renderer paints every pixel that a shape touches, the other as much
 * of each as it covers, and a page's middle falls between pixels.
 */
const reach = 2;
/** Of 255: no two renderers mix the same. */
const sameInk = 32;
/** Of a page of hardly any ink this counts as all of it: black pixels. */
const leastInk = 200;

/**
 * The share of the ink that has no counterpart: what of each sample (red, green, blue) is darker or lighter than all of
 * the other picture's within reach, both ways, by all the ink of the second.
 */
export function strayInk(found: Picture, expected: Picture): number {
  if (found.width !== expected.width || found.height !== expected.height) return 1;
  let stray = 0;
  let ink = 0;
  for (let at = 0; at < expected.pixels.length; at += 1) {
    const a = found.pixels[at] ?? 0;
    const b = expected.pixels[at] ?? 0;
    ink += 255 - b;
    if (Math.abs(a - b) <= sameInk) continue;
    stray += Math.max(beyond(a, at, expected), beyond(b, at, found));
  }
  return stray / Math.max(ink, leastInk * 3 * 255);
}

/** How far a sample is out of what the other picture has about its place. */
function beyond(value: number, at: number, { width, height, pixels }: Picture): number {
  const x = Math.floor(at / 3) % width;
  const y = Math.floor(at / 3 / width);
  let least = 255;
  let most = 0;
  for (let line = Math.max(0, y - reach); line <= Math.min(height - 1, y + reach); line += 1) {
    for (let column = Math.max(0, x - reach); column <= Math.min(width - 1, x + reach); column += 1) {
      const sample = pixels[3 * (line * width + column) + (at % 3)] ?? 0;
      least = Math.min(least, sample);
      most = Math.max(most, sample);
    }
  }
  const out = Math.max(least - value, value - most, 0);
  return out > sameInk ? out : 0;
}

/** A PNG of eight bits, RGB or grey, not interlaced (PNG specification, second edition). */
export function pictureOfPng(png: Buffer): Picture {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.subarray(at + 4, at + 8).toString('latin1') === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const samples = png[25] === 2 ? 3 : 1;
  const lines = unfiltered(inflateSync(Buffer.concat(data)), { width, height, samples });
  if (samples === 3) return { width, height, pixels: lines };
  return {
    width,
    height,
    pixels: Uint8Array.from({ length: 3 * lines.length }, (_, at) => lines[Math.floor(at / 3)] ?? 0),
  };
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
}

/** Section 9 of the specification. */
export function unfiltered(raw: Buffer, { width, height, samples }: Shape): Uint8Array {
  const length = width * samples;
  const made = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (length + 1)];
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < samples ? 0 : (made[at - samples] ?? 0);
      const up = y === 0 ? 0 : (made[at - length] ?? 0);
      const corner = x < samples || y === 0 ? 0 : (made[at - length - samples] ?? 0);
      made[at] = (raw[y * (length + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return made;
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
