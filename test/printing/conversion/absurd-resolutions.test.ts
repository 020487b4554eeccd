/** What a printer says becomes the size of a page in memory: no resolution is taken that no device has (T14). */
import { expect, it } from 'vitest';
import { attribute } from '../../../src/ipp/message.ts';
import { keyword, resolution } from '../../../src/ipp/values.ts';
import { rasterAbilities, resolutionFor } from '../../../src/printing/conversion/raster-abilities.ts';

it.each([-600, 0, 1, 99_999, 2_147_483_647])('%i dots per inch are no resolution', (dots) => {
  const abilities = rasterAbilities([
    attribute('pwg-raster-document-resolution-supported', resolution(dots, dots), resolution(203, 203)),
    attribute('urf-supported', keyword(`RS${dots}-600`)),
  ]);
  expect(resolutionFor('image/pwg-raster', abilities)).toBe(203);
  expect(resolutionFor('image/urf', abilities)).toBe(dots < 0 ? 300 : 600);
});
