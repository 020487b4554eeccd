/**
 * Checks raster while it comes from the converter, run by run, as a printer reads it (PWG 5102.4 section 4; Apple
 * raster as CUPS reads it). It must have whole pages in the right number and nothing behind them. No pixel is unpacked
 * or changed. Header fields that Ghostscript cannot know are filled in here.
 */
import type { SheetBacks } from '../../domain/ports/printing.ts';
import { formats } from '../document-format.ts';
import type { Size } from '../../domain/printer/paper-work.ts';
import { fitsOnOne } from './raster-abilities.ts';

export interface RasterFacts {
  readonly format: string;
  readonly pages: number;
  readonly backs: SheetBacks | undefined;
  readonly limit?: PageLimit | undefined;
}

/** No page may be larger than all of these papers. */
export interface PageLimit {
  readonly papers: readonly string[];
  /** Dots per inch. */
  readonly resolution: number;
}

/** The reason in the error for a page that is too large. */
export const beyondPaper = 'page-beyond-paper';

interface Layout {
  readonly fileHeader: number;
  readonly pageHeader: number;
  finishFile(header: Buffer, facts: RasterFacts): void;
  /** `page` counts from 1. */
  finishPage(header: Buffer, facts: RasterFacts & { readonly page: number }): void;
  shape(header: Buffer): Shape;
  /** In pixels. */
  size(header: Buffer): Size;
}

/** The shape of a page. A unit is one pixel, or eight pixels of one bit. */
interface Shape {
  readonly lines: number;
  readonly units: number;
  readonly unitOctets: number;
}

/**
 * Octets from the start of the page header, numbers with the high octet first (PWG 5102.4 section 4.3):
 *
 * +----------------+-----------------------------+------------------------+-----
 * |  sync word     |  page header                |  lines of pixels       |  next page header
 * |  4 octets      |  1796 octets                |  packed                |  ...
 * +----------------+-----------------------------+------------------------+-----
 */
const pwgFields = {
  numCopies: 340,
  width: 372,
  height: 376,
  bitsPerPixel: 388,
  bytesPerLine: 392,
  totalPageCount: 452,
  crossFeedTransform: 456,
  feedTransform: 460,
  imageBoxRight: 472,
  imageBoxBottom: 476,
} as const;

const pwg: Layout = {
  // The synchronisation word.
  fileHeader: 4,
  pageHeader: 1796,
  finishFile: () => undefined,
  finishPage(header, { pages, page, backs }) {
    const turned = page % 2 === 0 ? backs : undefined;
    // 0: as many copies as the job has.
    header.writeUInt32BE(0, pwgFields.numCopies);
    header.writeUInt32BE(pages, pwgFields.totalPageCount);
    header.writeInt32BE(turned?.crossFeed ?? 1, pwgFields.crossFeedTransform);
    header.writeInt32BE(turned?.feed ?? 1, pwgFields.feedTransform);
    header.writeUInt32BE(header.readUInt32BE(pwgFields.width), pwgFields.imageBoxRight);
    header.writeUInt32BE(header.readUInt32BE(pwgFields.height), pwgFields.imageBoxBottom);
  },
  shape(header) {
    const unitOctets = Math.max(1, header.readUInt32BE(pwgFields.bitsPerPixel) / 8);
    const units = header.readUInt32BE(pwgFields.bytesPerLine) / unitOctets;
    return { lines: header.readUInt32BE(pwgFields.height), units, unitOctets };
  },
  size: (header) => ({
    width: header.readUInt32BE(pwgFields.width),
    height: header.readUInt32BE(pwgFields.height),
  }),
};

/**
 * Octets from the start of the page header of Apple raster. `normal` print quality is the 4 of IPP (PWG 5100.13).
 *
 * +-------------+--------------------+------------------+----------------+-----
 * |  "UNIRAST"  |  count of pages    |  page header     |  lines of      |  next page header
 * |  and a zero |                    |                  |  pixels        |  ...
 * +-------------+--------------------+------------------+----------------+-----
 * |  8 octets   |  4 octets          |  32 octets       |  packed        |
 */
const urfFields = { bitsPerPixel: 0, quality: 3, width: 12, height: 16 } as const;
const normalQuality = 4;

const urf: Layout = {
  // UNIRAST and the count of pages.
  fileHeader: 12,
  pageHeader: 32,
  finishFile: (header, { pages }) => void header.writeUInt32BE(pages, 8),
  finishPage: (header) => void header.writeUInt8(normalQuality, urfFields.quality),
  shape: (header) => ({
    lines: header.readUInt32BE(urfFields.height),
    units: header.readUInt32BE(urfFields.width),
    unitOctets: Math.max(1, header.readUInt8(urfFields.bitsPerPixel) / 8),
  }),
  size: (header) => ({
    width: header.readUInt32BE(urfFields.width),
    height: header.readUInt32BE(urfFields.height),
  }),
};

/** If the raster is wrong, throws the error that `wrong` makes of the reason. */
export async function* finishedRaster(
  chunks: AsyncIterable<Buffer>,
  facts: RasterFacts,
  wrong: (why: string, reason?: string) => Error,
): AsyncGenerator<Buffer> {
  const layout = facts.format === formats.urf ? urf : pwg;
  const page = followed(wrong);
  let held: Buffer = Buffer.alloc(0);
  let seen = 0;
  let wanted = layout.fileHeader;
  for await (const chunk of chunks) {
    let left = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = Buffer.alloc(0);
    while (left.length > 0) {
      if (page.isOpen()) {
        const end = page.follow(left);
        yield left.subarray(0, end);
        left = left.subarray(end);
      } else if (left.length < wanted) {
        held = Buffer.from(left);
        break;
      } else {
        const header = Buffer.from(left.subarray(0, wanted));
        left = left.subarray(wanted);
        if (wanted === layout.fileHeader) layout.finishFile(header, facts);
        else {
          seen += 1;
          if (!isWithin(layout.size(header), facts.limit))
            throw wrong('a page is larger than any paper of the printer', beyondPaper);
          layout.finishPage(header, { ...facts, page: seen });
          page.open(layout.shape(header));
        }
        wanted = layout.pageHeader;
        yield header;
      }
    }
  }
  if (page.isOpen() || held.length > 0) throw wrong('its last page is cut');
  if (seen !== facts.pages) throw wrong(`it has ${seen} pages, and should have ${facts.pages}`);
}

function isWithin({ width, height }: Size, limit: PageLimit | undefined): boolean {
  if (limit === undefined) return true;
  const side = (pixels: number) => (pixels * 2540) / limit.resolution;
  return fitsOnOne({ width: side(width), height: side(height) }, limit.papers);
}

/** This code means that the rest of the line is white. */
const toTheEnd = 128;

/**
 * Follows the runs of one page at a time, wherever the chunks are cut. Each line is:
 *
 * +--------------------+-------------+------------------------+-----
 * |  repetitions - 1   |  run code   |  units of the run      |  next run code ...
 * +--------------------+-------------+------------------------+-----
 * |     1 octet        |  1 octet    |  see below             |
 *
 * A code of 0 to 127 repeats the one unit that follows code + 1 times. A code of 129 to 255 has 257 - code units. The
 * code 128 has none.
 */
function followed(wrong: (why: string) => Error) {
  let shape: Shape = { lines: 0, units: 0, unitOctets: 1 };
  let lines = 0;
  /** Units left in the line; `undefined` before its count of repetitions. */
  let units: number | undefined;
  /** Octets left in the run. */
  let octets = 0;

  function takeCode(code: number): void {
    if (units === undefined) {
      lines -= code + 1;
      if (lines < 0) throw wrong('it has more lines than its header says');
      units = shape.units;
      return;
    }
    const run = code === toTheEnd ? units : code < toTheEnd ? code + 1 : 257 - code;
    units -= run;
    if (units < 0) throw wrong('it has longer lines than its header says');
    octets = code === toTheEnd ? 0 : (code < toTheEnd ? 1 : run) * shape.unitOctets;
  }

  /** The line may end together with the run. */
  const endLine = () => {
    if (octets === 0 && units === 0) units = undefined;
  };

  return {
    isOpen: () => lines > 0 || units !== undefined,
    open(of: Shape): void {
      if (of.lines === 0 || !Number.isInteger(of.units) || of.units === 0)
        throw wrong('it has a page of no size');
      shape = of;
      lines = of.lines;
    },
    /** The number of octets of the chunk that belong to the page. */
    follow(chunk: Buffer): number {
      let at = 0;
      while (at < chunk.length && (lines > 0 || units !== undefined)) {
        if (octets > 0) {
          const taken = Math.min(octets, chunk.length - at);
          octets -= taken;
          at += taken;
        } else {
          takeCode(chunk.readUInt8(at));
          at += 1;
        }
        endLine();
      }
      return at;
    },
  };
}
