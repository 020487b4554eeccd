/** Raster followed to its end, however it is cut on its way; what is written into its headers, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SheetBacks } from '../../../src/domain/ports/printing.ts';
import type { RasterFacts } from '../../../src/printing/conversion/raster-stream.ts';
import { finishedRaster } from '../../../src/printing/conversion/raster-stream.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { pwgOf, pwgPage, urfOf, urfPage } from './raster-samples.ts';

async function* cut(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    if (at < bytes.length) yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function finished(
  bytes: Buffer,
  facts: Partial<RasterFacts> = {},
  lengths: readonly number[] = [],
): Promise<Buffer> {
  const all = { format: formats.pwgRaster, pages: 2, backs: undefined, ...facts };
  const chunks: Buffer[] = [];
  for await (const chunk of finishedRaster(cut(bytes, lengths), all, (why) => new Error(why)))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

const small = { width: 7, height: 5, bits: 8 } as const;
const pwg = pwgOf(pwgPage(), pwgPage(small));
const urf = urfOf(urfPage(), urfPage(small));
const secondPage = 4 + pwgPage().length;

/** NumCopies, TotalPageCount, CrossFeedTransform, FeedTransform and the image box of a PWG page header. */
const fields = (raster: Buffer, page: number) =>
  [340, 452, 456, 460, 464, 468, 472, 476].map((at) => raster.readInt32BE(page + at));

describe('the headers of PWG raster', () => {
  it.each<[string, SheetBacks | undefined, number, number]>([
    ['as they are', undefined, 1, 1],
    ['turned', { crossFeed: -1, feed: -1 }, -1, -1],
    ['mirrored along', { crossFeed: 1, feed: -1 }, 1, -1],
    ['mirrored across', { crossFeed: -1, feed: 1 }, -1, 1],
  ])('tell how many pages there are, and of backs that they are %s', async (_, backs, crossFeed, feed) => {
    const made = await finished(pwg, { backs });
    expect(fields(made, 4)).toEqual([0, 2, 1, 1, 0, 0, 40, 30]);
    expect(fields(made, secondPage)).toEqual([0, 2, crossFeed, feed, 0, 0, 7, 5]);
  });

  it('are all that is changed', async () => {
    const made = await finished(pwg);
    expect(made).toHaveLength(pwg.length);
    expect(made.subarray(4 + 1796, secondPage)).toEqual(pwg.subarray(4 + 1796, secondPage));
  });
});

it('Apple raster tells its pages, and that its quality is normal', async () => {
  const made = await finished(urf, { format: formats.urf });
  expect(made.readUInt32BE(8)).toBe(2);
  expect([made[12 + 3], made[12 + urfPage().length + 3]]).toEqual([4, 4]);
  expect(made.subarray(12 + 32, 12 + urfPage().length)).toEqual(urfPage().subarray(32));
});

it('is the same wherever it is cut on its way', async () => {
  const whole = {
    [formats.pwgRaster]: await finished(pwg),
    [formats.urf]: await finished(urf, { format: formats.urf }),
  };
  const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(formats.pwgRaster, formats.urf), cuts, async (format, lengths) => {
      const bytes = format === formats.urf ? urf : pwg;
      expect((await finished(bytes, { format }, lengths)).equals(whole[format])).toBe(true);
    }),
  );
});

describe('raster is refused', () => {
  const tooWide = pwgPage(small);
  tooWide.writeUInt8(small.width, 1796 + 1);
  const tooHigh = pwgPage(small);
  tooHigh.writeUInt8(small.height, 1796);
  const sizeless = pwgPage(small);
  sizeless.writeUInt32BE(0, 376);

  it.each<[string, Buffer, RegExp]>([
    ['cut in a line', pwg.subarray(0, -1), /cut/],
    ['cut between lines', pwg.subarray(0, secondPage + 1796 + 3), /cut/],
    ['cut in a header', pwg.subarray(0, secondPage + 900), /cut/],
    ['cut before its first page', pwg.subarray(0, 4), /0 pages/],
    ['of one page instead of two', pwgOf(pwgPage()), /1 pages/],
    ['of three pages instead of two', pwgOf(pwgPage(), pwgPage(), pwgPage()), /3 pages/],
    ['with something behind its end', Buffer.concat([pwg, Buffer.from('junk')]), /cut/],
    ['with lines that are longer than its header says', pwgOf(tooWide, pwgPage()), /longer lines/],
    ['with more lines than its header says', pwgOf(tooHigh, pwgPage()), /more lines/],
    ['with a page of no size', pwgOf(sizeless, pwgPage()), /no size/],
  ])('%s', async (_, bytes, why) => {
    await expect(finished(bytes)).rejects.toThrow(why);
  });
});
