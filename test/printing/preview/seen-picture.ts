/** What is to be seen in the picture of a page: PNG of eight bits with colour and alpha (ISO/IEC 15948). */
import { inflateSync } from 'node:zlib';
import { unfiltered } from '../../support/printer/picture.ts';

export interface SeenPicture {
  readonly side: number;
  /** `clear`, or the colour: `#ff0000`. In shares of the side, from the upper left corner. */
  at(x: number, y: number): string;
}

export function seenIn(png: Buffer): SeenPicture {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.subarray(at + 4, at + 8).toString('latin1') === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  const side = png.readUInt32BE(16);
  const shape = { width: side, height: png.readUInt32BE(20), samples: 4 };
  const lines = Buffer.from(unfiltered(inflateSync(Buffer.concat(data)), shape));
  return {
    side,
    at(x, y) {
      const place = 4 * (Math.round(y * (side - 1)) * side + Math.round(x * (side - 1)));
      return lines[place + 3] === 0 ? 'clear' : `#${lines.toString('hex', place, place + 3)}`;
    },
  };
}
