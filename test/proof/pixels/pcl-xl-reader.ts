/**
 * Reads as much of PCL XL (HP PCL XL Feature Reference 2.1) as pages of bars need: rectangles filled with a colour, on the
 * page and the side that it says. What else could put ink on a page it does not know, and says so.
 */
import type { Picture } from '../../support/printer/picture.ts';
import { blankPicture } from '../../support/printer/picture.ts';
import type { Bench } from './converted-pages.ts';

export interface PclXlPage {
  readonly picture: Picture;
  /** Of BeginPage: 0 is portrait. */
  readonly orientation: number;
  /** Of BeginPage: 2 is A4. */
  readonly mediaSize: number;
}

const operator = { beginPage: 0x43, setBrushSource: 0x63, rectangle: 0xa0 } as const;
/** They bring ink in other ways. */
const unknown: Readonly<Record<number, string>> = {
  0xa8: 'Text',
  0xb1: 'ReadImage',
  0xb4: 'ReadRastPattern',
};
const attribute = {
  grayLevel: 9,
  rgbColor: 11,
  mediaSize: 37,
  orientation: 40,
  duplexPageMode: 53,
  boundingBox: 66,
} as const;

/** Octets of one number: ubyte, uint16, uint32, sint16, sint32, real32. */
const widths = [1, 2, 4, 2, 4, 4];
/** Numbers: one, an array, a pair, a box. */
const shapes: Readonly<Record<number, number>> = { 0xc0: 1, 0xd0: 2, 0xe0: 4 };

const dotsPerInch = 600;

/** Pages of a stream in the second, little-endian binding. */
export function picturesOfPclXl(stream: Buffer, { width, height, resolution }: Bench): readonly PclXlPage[] {
  const pages: PclXlPage[] = [];
  let brush: readonly number[] = [0, 0, 0];
  const scale = resolution / dotsPerInch;
  for (const { code, attributes } of operators(stream)) {
    const name = unknown[code];
    if (name !== undefined) throw new Error(`the page has a ${name}`);
    const grey = attributes.get(attribute.grayLevel)?.[0];
    if (code === operator.setBrushSource)
      brush = attributes.get(attribute.rgbColor) ?? (grey === undefined ? [] : [grey, grey, grey]);
    if (code === operator.beginPage) {
      const [orientation = -1] = attributes.get(attribute.orientation) ?? [];
      const [mediaSize = -1] = attributes.get(attribute.mediaSize) ?? [];
      pages.push({ picture: blankPicture(width, height), orientation, mediaSize });
    }
    const box = attributes.get(attribute.boundingBox);
    const picture = pages.at(-1)?.picture;
    if (code === operator.rectangle && box && picture && brush.length === 3) {
      fill(
        picture,
        box.map((side) => Math.round(side * scale)),
        brush,
      );
    }
  }
  return pages;
}

/** DuplexPageMode of each page that has one: 0 is bound at the short edge, 1 at the long one. */
export const pageBindings = (stream: Buffer): readonly number[] =>
  [...operators(stream)]
    .filter(({ code }) => code === operator.beginPage)
    .flatMap(({ attributes }) => attributes.get(attribute.duplexPageMode) ?? []);

function fill(
  { width, height, pixels }: Picture,
  [left = 0, top = 0, right = 0, bottom = 0]: readonly number[],
  color: readonly number[],
): void {
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x += 1)
      pixels.set(color, 3 * (y * width + x));
  }
}

interface Operation {
  readonly code: number;
  readonly attributes: ReadonlyMap<number, readonly number[]>;
}

function* operators(stream: Buffer): Generator<Operation> {
  let at = stream.indexOf('\n', stream.indexOf(') HP-PCL XL;')) + 1;
  let values: readonly number[] = [];
  let attributes = new Map<number, readonly number[]>();
  while (at < stream.length) {
    const tag = stream.readUInt8(at);
    at += 1;
    if (tag === 0xf8) {
      attributes.set(stream.readUInt8(at), values);
      at += 1;
    } else if (tag === 0xfa) at += 4 + stream.readUInt32LE(at);
    else if (tag === 0xfb) at += 1 + stream.readUInt8(at);
    else if (tag >= 0xc0) {
      const read = numbers(stream, at, tag);
      values = read.values;
      at = read.end;
    } else {
      yield { code: tag, attributes };
      attributes = new Map();
    }
  }
}

/** After the tag of their type. */
function numbers(stream: Buffer, start: number, tag: number): { values: readonly number[]; end: number } {
  let at = start;
  const width = widths[tag & 7] ?? 1;
  let count = shapes[tag & 0xf0] ?? 0;
  if ((tag & 0xf8) === 0xc8) {
    const isShort = stream.readUInt8(at) === 0xc0;
    count = isShort ? stream.readUInt8(at + 1) : stream.readUInt16LE(at + 1);
    at += isShort ? 2 : 3;
  }
  const values = Array.from({ length: count }, (_, index) => {
    const place = at + index * width;
    if ((tag & 7) === 5) return stream.readFloatLE(place);
    return (tag & 7) > 2 ? stream.readIntLE(place, width) : stream.readUIntLE(place, width);
  });
  return { values, end: at + count * width };
}
