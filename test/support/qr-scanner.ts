/** A scanner of other hands: renders a QR code as a browser would, black on white, and reads the pixels. */
import jsqr from 'jsqr';
import type { QrView } from '../../src/domain/terminal/terminal-view.ts';

/** Pixels on each side of a square. */
const scale = 3;
// The types of jsqr describe its module as bundlers load it.
const readCode = jsqr as unknown as typeof jsqr.default;

/** `undefined`: no code is seen. */
export function scan(qr: QrView): string | undefined {
  return readCode(pixelsOf(qr), qr.size * scale, qr.size * scale)?.data;
}

function pixelsOf({ path, size }: QrView): Uint8ClampedArray {
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, width, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    if (back !== width) throw new Error('a run of the path is not closed');
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = (row * side + Number(x) * scale) * 4;
      for (let one = from; one < from + Number(width) * scale * 4; one += 4) pixels.fill(0, one, one + 3);
    }
  }
  return pixels;
}
