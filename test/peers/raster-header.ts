/** Reads a PWG raster file (PWG 5102.4 section 4.3), as a printer would. */
import { createHash } from 'node:crypto';

export function rasterHeader(raster: Buffer) {
  if (raster.subarray(0, 4).toString('latin1') !== 'RaS2') throw new Error('no PWG raster');
  const header = raster.subarray(4, 4 + 1796);
  const at = (offset: number) => header.readUInt32BE(offset);
  return {
    duplex: at(272) === 1,
    resolution: [at(276), at(280)],
    tumble: at(368) === 1,
    width: at(372),
    height: at(376),
    bitsPerPixel: at(388),
    colorSpace: at(400),
    pageSize: header.subarray(1732, 1796).toString('latin1').replace(/\0.*$/s, ''),
  };
}

const headerMark = Buffer.from('PwgRaster\0');

/**
 * Each page begins with a header of its own, which tells of the others, too. Digests of what is on them: two are alike
 * or not.
 */
export function pagesOfRaster(raster: Buffer): readonly string[] {
  const pages: string[] = [];
  for (let start = raster.indexOf(headerMark); start !== -1; ) {
    const next = raster.indexOf(headerMark, start + 1);
    pages.push(
      createHash('sha256')
        .update(raster.subarray(start + 1796, next === -1 ? undefined : next))
        .digest('hex'),
    );
    start = next;
  }
  return pages;
}
