/** What is promised of a print, by what the printer said of itself and by who prints. */
import { expect, it } from 'vitest';
import type { PrinterCapabilities } from '../../src/domain/ports/printer-description.ts';
import { printerCan } from '../../src/station/printers/at-hand.ts';

const office: PrinterCapabilities = {
  color: 'color',
  sides: ['one-sided', 'two-sided-long-edge'],
  copies: 20,
  obeys: { grey: true, twoSided: true },
  compression: [],
  counts: 'unknown',
};
/** A raw printer without PJL. */
const mute: PrinterCapabilities = {
  ...office,
  color: 'unknown',
  sides: [],
  copies: 1,
  obeys: { grey: false, twoSided: false },
};
const grey: PrinterCapabilities = { ...office, color: 'monochrome' };
const oneSided: PrinterCapabilities = {
  ...office,
  sides: ['one-sided'],
  obeys: { grey: true, twoSided: false },
};
const nothing = { grey: false, twoSided: false, copies: 1 };
const all = { grey: true, twoSided: true, copies: 999 };

it.each([
  ['an office printer', office, { grey: true, twoSided: true, copies: 20 }, all],
  ['one that cannot be asked', mute, nothing, all],
  ['one without colour', grey, { grey: false, twoSided: true, copies: 20 }, { ...all, grey: false }],
  ['one with one side', oneSided, { grey: true, twoSided: false, copies: 20 }, { ...all, twoSided: false }],
  ['one that has not answered yet', undefined, nothing, all],
])('of %s', (_what, capabilities, here, byTheService) => {
  expect(printerCan(capabilities, 'local')).toEqual(here);
  expect(printerCan(capabilities, 'cloud-then-local')).toEqual(here);
  expect(printerCan(capabilities, 'cloud')).toEqual(byTheService);
});

it('the work on paper is promised only where this terminal itself prints: the service has no words for it', () => {
  const work = { choices: { staple: ['staple'] }, papers: [], constraints: [] };
  const ways = ['local', 'cloud-then-local', 'cloud'] as const;
  expect(ways.map((way) => printerCan({ ...office, work }, way).work)).toEqual([work, undefined, undefined]);
});
