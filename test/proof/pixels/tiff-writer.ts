/** Writes TIFF (TIFF 6.0) in either order of octets, of several pages and strips, and such as are wrong. */

/** By their tags. Octets stand as they are, a pair is a RATIONAL, else SHORT up to 65535 and LONG above. */
export type Fields = Readonly<
  Record<number, number | readonly number[] | readonly [number, number][] | Buffer>
>;

export interface TiffPage {
  readonly fields: Fields;
  readonly strips: readonly Buffer[];
}

export type Order = 'II' | 'MM';

const [stripOffsets, stripByteCounts] = [273, 279];

interface Field {
  readonly tag: number;
  readonly type: number;
  readonly many: number;
  readonly octets: Buffer;
}

export function tiffOf(pages: readonly TiffPage[], order: Order = 'II', next?: number): Buffer {
  const int = (value: number, length: 2 | 4) => {
    const octets = Buffer.alloc(length);
    if (order === 'II') octets.writeUIntLE(value, 0, length);
    else octets.writeUIntBE(value, 0, length);
    return octets;
  };
  const fieldOf = (tag: number, given: Fields[number]): Field => {
    if (Buffer.isBuffer(given)) return { tag, type: 7, many: given.length, octets: given };
    const values = typeof given === 'number' ? [given] : given;
    const pairs = values.filter((one) => typeof one !== 'number');
    if (pairs.length > 0) {
      return {
        tag,
        type: 5,
        many: pairs.length,
        octets: Buffer.concat(pairs.flat().map((one) => int(one, 4))),
      };
    }
    const numbers = values.filter((one) => typeof one === 'number');
    const length = numbers.some((one) => one > 0xffff) ? 4 : 2;
    const octets = Buffer.concat(numbers.map((one) => int(one, length)));
    return { tag, type: length === 4 ? 4 : 3, many: numbers.length, octets };
  };

  const parts: Buffer[] = [Buffer.from(order), int(42, 2), int(0, 4)];
  let length = 8;
  const put = (octets: Buffer): number => {
    const at = length;
    const padded = octets.length % 2 === 0 ? octets : Buffer.concat([octets, Buffer.alloc(1)]);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  /** Where the place of the next directory stands, which is known when that is written. */
  let link = 2;
  for (const { fields, strips } of pages) {
    const all = {
      [stripOffsets]: strips.map(put),
      [stripByteCounts]: strips.map((strip) => strip.length),
      ...fields,
    };
    const written = Object.entries(all).map(([tag, given]) => fieldOf(Number(tag), given));
    const rows = written
      .toSorted((a, b) => a.tag - b.tag)
      .map(({ tag, type, many, octets }) => {
        const value = octets.length > 4 ? int(put(octets), 4) : Buffer.concat([octets, Buffer.alloc(4)]);
        return [int(tag, 2), int(type, 2), int(many, 4), value.subarray(0, 4)];
      });
    const directory = Buffer.concat([int(rows.length, 2), ...rows.flat()]);
    parts[link] = int(put(directory), 4);
    link = parts.length;
    put(int(next ?? 0, 4));
  }
  return Buffer.concat(parts);
}
