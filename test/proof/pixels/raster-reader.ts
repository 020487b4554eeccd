/** Reads PWG raster (PWG 5102.4 section 4) and Apple's to pictures, as a printer would; it shares nothing with `src`. */
import type { Picture } from '../../support/printer/picture.ts';

export interface RasterPage extends Picture {
  readonly header: Buffer;
}

interface PageFacts {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly lineOctets: number;
  /** A sample to its light: inks are none where they are 0. */
  readonly isInk: boolean;
}

export function pagesOf(raster: Buffer): readonly RasterPage[] {
  const isApple = raster.subarray(0, 8).toString('latin1') === 'UNIRAST\0';
  if (!isApple && raster.subarray(0, 4).toString('latin1') !== 'RaS2') throw new Error('no raster');
  const pages: RasterPage[] = [];
  let at = isApple ? 12 : 4;
  while (at < raster.length) {
    const header = raster.subarray(at, at + (isApple ? 32 : 1796));
    const facts = isApple ? appleFacts(header) : pwgFacts(header);
    const read = packed(raster, at + header.length, facts);
    pages.push({ ...picture(read.lines, facts), header });
    at = read.end;
  }
  return pages;
}

const pwgFacts = (header: Buffer): PageFacts => ({
  width: header.readUInt32BE(372),
  height: header.readUInt32BE(376),
  bits: header.readUInt32BE(388),
  lineOctets: header.readUInt32BE(392),
  isInk: [3, 6].includes(header.readUInt32BE(400)),
});

const appleFacts = (header: Buffer): PageFacts => {
  const [bits, width] = [header.readUInt8(0), header.readUInt32BE(12)];
  return { width, height: header.readUInt32BE(16), bits, lineOctets: (width * bits) / 8, isInk: false };
};

function packed(raster: Buffer, start: number, { height, bits, lineOctets, isInk }: PageFacts) {
  const unit = Math.max(1, bits / 8);
  const lines = Buffer.alloc(lineOctets * height);
  let at = start;
  for (let y = 0; y < height; ) {
    const repeats = (raster[at] ?? 0) + 1;
    at += 1;
    const line = lines.subarray(y * lineOctets, (y + 1) * lineOctets);
    for (let x = 0; x < lineOctets; ) {
      const code = raster[at] ?? 0;
      at += 1;
      if (code === 128) {
        line.fill(isInk ? 0 : 255, x);
        break;
      }
      const run = (code < 128 ? code + 1 : 257 - code) * unit;
      line.fill(raster.subarray(at, at + (code < 128 ? unit : run)), x, x + run);
      at += code < 128 ? unit : run;
      x += run;
    }
    for (let again = 1; again < repeats; again += 1) line.copy(lines, (y + again) * lineOctets);
    y += repeats;
  }
  return { lines, end: at };
}

function picture(lines: Buffer, { width, height, bits, lineOctets, isInk }: PageFacts): Picture {
  if (bits === 24) return { width, height, pixels: lines };
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let color = 0; color < 3; color += 1) {
        const own = lines.subarray(y * lineOctets, (y + 1) * lineOctets);
        pixels[3 * (y * width + x) + color] =
          bits === 32 ? lightOfInks(own, x, color) : lightOfGrey(own, x, { bits, isInk });
      }
    }
  }
  return { width, height, pixels };
}

const lightOfInks = (line: Buffer, x: number, color: number): number =>
  Math.max(0, 255 - (line[4 * x + color] ?? 0) - (line[4 * x + 3] ?? 0));

function lightOfGrey(line: Buffer, x: number, { bits, isInk }: Pick<PageFacts, 'bits' | 'isInk'>): number {
  const value = bits === 1 ? 255 * (((line[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) : (line[x] ?? 0);
  return isInk ? 255 - value : value;
}
