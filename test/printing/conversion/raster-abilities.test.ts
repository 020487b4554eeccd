import { expect, it } from 'vitest';
import { attribute } from '../../../src/ipp/message.ts';
import { keyword, resolution } from '../../../src/ipp/values.ts';
import {
  fitsOnOne,
  rasterAbilities,
  rasterPaper,
  rasterPapers,
  resolutionFor,
} from '../../../src/printing/conversion/raster-abilities.ts';

const a4 = 'iso_a4_210x297mm';
const a3 = 'iso_a3_297x420mm';
const label = 'oe_4x6-label_4x6in';

const listing = (supported: readonly string[], ready: readonly string[] = []) =>
  rasterPapers([
    attribute('media-supported', ...supported.map(keyword)),
    attribute('media-ready', ...ready.map(keyword)),
  ]);

it('what is ready comes first, then the largest, and the limits of what can be set at the end', () => {
  expect(listing(['auto', 'custom_min_1x1in', 'custom_max_9x90in', a4, a3], [label])).toEqual([
    label,
    a3,
    a4,
    'custom_max_9x90in',
    'custom_min_1x1in',
  ]);
  expect(listing([])).toEqual([]);
});

it.each([
  ['that is listed is taken', a4, [a3, a4], a4],
  ['that is smaller than one that is listed is taken', a4, [a3], a4],
  ['that is larger than all is not', a3, [a4, label], a4],
  ['of a label printer is a label', a4, [label], label],
  ['as long as a roll is taken', a4, [label, 'custom_max_9x90in'], a4],
  ['is as wanted where nothing is listed', a3, [], a3],
  ['is the document’s own where none is wanted', undefined, [a4], undefined],
])('a paper %s', (_, wanted, papers, taken) => {
  expect(rasterPaper(wanted, papers)).toBe(taken);
});

it('a page may lie across, and be a pixel larger', () => {
  expect(fitsOnOne({ width: 29_720, height: 21_020 }, [a4])).toBe(true);
  expect(fitsOnOne({ width: 29_800, height: 21_000 }, [label, a4])).toBe(false);
});

/** What a printer says becomes the size of a page in memory: no resolution is taken that no device has (T14). */
it.each([-600, 0, 1, 99_999, 2_147_483_647])('%i dots per inch are no resolution', (dots) => {
  const abilities = rasterAbilities([
    attribute('pwg-raster-document-resolution-supported', resolution(dots, dots), resolution(203, 203)),
    attribute('urf-supported', keyword(`RS${dots}-600`)),
  ]);
  expect(resolutionFor('image/pwg-raster', abilities)).toBe(203);
  expect(resolutionFor('image/urf', abilities)).toBe(dots < 0 ? 300 : 600);
});
