/** Writes PNG (ISO/IEC 15948) in all its kinds, and such as are wrong. */
import { crc32, deflateSync } from 'node:zlib';

export interface PngFacts {
  readonly width: number;
  readonly height: number;
  readonly kind: 0 | 2 | 3 | 4 | 6;
  readonly bits: number;
  /** Packed samples of all lines, without their filters. */
  readonly lines: Buffer;
  readonly interlaced?: boolean;
  /** Chunks between the header and the pixels. */
  readonly between?: readonly Buffer[];
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length);
  body.copy(made, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}

const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');

/** Lines are filtered by each of the first three filters in turn: none, the pixel before, the line before. */
export function pngOf({
  width,
  height,
  kind,
  bits,
  lines,
  interlaced = false,
  between = [],
}: PngFacts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind, 0, 0, interlaced ? 1 : 0], 8);
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[kind];
  const packed = deflateSync(
    filtered(lines, Math.ceil((width * samples * bits) / 8), Math.ceil((samples * bits) / 8)),
  );
  const parts = Array.from({ length: Math.ceil(packed.length / 997) }, (_, at) =>
    chunk('IDAT', packed.subarray(at * 997, (at + 1) * 997)),
  );
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...between,
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filtered(lines: Buffer, length: number, pixel: number): Buffer {
  const made: Buffer[] = [];
  for (let at = 0; at < lines.length; at += length) {
    const filter = (at / length) % 3;
    const line = Buffer.alloc(length + 1, filter);
    for (let x = 0; x < length; x += 1) {
      const before = x < pixel ? 0 : (lines[at + x - pixel] ?? 0);
      const above = at === 0 ? 0 : (lines[at + x - length] ?? 0);
      line[x + 1] = (lines[at + x] ?? 0) - ([0, before, above][filter] ?? 0);
    }
    made.push(line);
  }
  return Buffer.concat(made);
}
