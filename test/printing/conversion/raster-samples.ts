/** Raster of a few pixels, written by hand from PWG 5102.4 section 4 and from how CUPS reads Apple's. */

export interface SmallPage {
  readonly width: number;
  readonly height: number;
  /** 24: colour; 8: grey. */
  readonly bits: 8 | 24;
}

const a5: SmallPage = { width: 40, height: 30, bits: 24 };

/** A line repeated three times, then single ones; runs, literal pixels, and white to the end. */
function pixels({ width, height, bits }: SmallPage): Buffer {
  const pixel = (value: number) => Buffer.alloc(bits / 8, value);
  const plain = [Buffer.from([width - 1]), pixel(7)];
  const mixed = [
    Buffer.from([257 - 3]),
    pixel(1),
    pixel(128),
    pixel(3),
    Buffer.from([1]),
    pixel(0x1b),
    Buffer.from([128]),
  ];
  const lines = Array.from({ length: height - 3 }, (_, index) => [
    Buffer.from([0]),
    ...(index % 2 === 0 ? mixed : plain),
  ]);
  return Buffer.concat([Buffer.from([2]), ...plain, ...lines.flat()]);
}

export function pwgPage(page: SmallPage = a5): Buffer {
  const header = Buffer.alloc(1796);
  header.write('PwgRaster');
  header.writeUInt32BE(1, 340);
  header.writeUInt32BE(page.width, 372);
  header.writeUInt32BE(page.height, 376);
  header.writeUInt32BE(page.bits, 388);
  header.writeUInt32BE((page.width * page.bits) / 8, 392);
  return Buffer.concat([header, pixels(page)]);
}

export function urfPage(page: SmallPage = a5): Buffer {
  const header = Buffer.alloc(32);
  header.writeUInt8(page.bits, 0);
  header.writeUInt32BE(page.width, 12);
  header.writeUInt32BE(page.height, 16);
  return Buffer.concat([header, pixels(page)]);
}

export const pwgOf = (...pages: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from('RaS2'), ...pages]);

export const urfOf = (...pages: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('UNIRAST\0\0\0\0\0'), ...pages]);
