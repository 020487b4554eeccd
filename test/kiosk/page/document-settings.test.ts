/** What is shown of a document while a change of it is on its way. */
import { expect, it } from 'vitest';
import type { DocumentView } from '../../../src/domain/terminal/terminal-view.ts';
import { asWanted, isSetSo, settingsOf } from '../../../src/kiosk/page/document-settings.ts';

const document: DocumentView = {
  uuid: 'a',
  name: 'a',
  pages: 4,
  copies: 2,
  color: true,
  sides: undefined,
  standing: 'releasable',
  cost: '0.80',
  fits: true,
};
const settings = settingsOf(document);

it('is what was asked for, without the price of what was before', () => {
  const wanted = new Map([['a', { ...settings, copies: 1 }]]);
  const { cost: _cost, fits: _fits, ...rest } = document;
  expect(asWanted(document, wanted)).toEqual({ ...rest, copies: 1 });
});

it('is the document itself where nothing was asked for, or just that', () => {
  expect(asWanted(document, new Map())).toBe(document);
  expect(asWanted(document, new Map([['b', { ...settings, copies: 1 }]]))).toBe(document);
  expect(asWanted(document, new Map([['a', settings]]))).toBe(document);
});

it.each([
  [{ copies: 3 }, false],
  [{ color: false }, false],
  [{ sides: 'two-sided-long-edge' }, false],
  // However it was sent, it was not to be on both sides.
  [{ sides: 'one-sided' }, true],
] as const)('with %j is the same: %s', (changed, isSame) => {
  expect(isSetSo(document, { ...settings, ...changed })).toBe(isSame);
});
