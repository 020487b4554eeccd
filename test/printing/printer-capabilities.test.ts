import { describe, expect, it } from 'vitest';
import type { Attribute } from '../../src/ipp/message.ts';
import { attribute } from '../../src/ipp/message.ts';
import { boolean, keyword, rangeOfInteger } from '../../src/ipp/values.ts';
import { printerAttributes } from '../../src/printing/ipp/printer/printer-attributes.ts';
import { idlePrinter } from '../support/printer/scripted-printer.ts';

function capabilitiesWith(...changed: readonly Attribute[]) {
  const { groups = [] } = idlePrinter(...changed);
  return printerAttributes({ version: [2, 0], code: 0, requestId: 1, groups }).capabilities;
}

const modes = (...words: readonly string[]) => attribute('print-color-mode-supported', ...words.map(keyword));

describe('what a printer can do, by its attributes', () => {
  it.each<[string, Attribute[], string]>([
    ['color-supported', [attribute('color-supported', boolean(true))], 'color'],
    [
      'color-supported before the modes',
      [attribute('color-supported', boolean(false)), modes('color')],
      'monochrome',
    ],
    ['its modes where that is missing', [modes('auto', 'color', 'monochrome')], 'color'],
    ['modes without colour', [modes('auto', 'monochrome')], 'monochrome'],
    ['neither', [], 'unknown'],
  ])('its colour goes by %s', (_, attributes, color) => {
    expect(capabilitiesWith(...attributes)?.color).toBe(color);
  });

  it('copies are one at least, whatever it says', () => {
    expect(capabilitiesWith()?.copies).toBe(99);
    expect(capabilitiesWith(attribute('copies-supported', rangeOfInteger(0, -7)))?.copies).toBe(1);
    expect(capabilitiesWith(attribute('copies-supported', keyword('many')))?.copies).toBe(1);
  });

  it('whether it counts is not known before a job was seen, and `none` is no compression', () => {
    const packed = attribute('compression-supported', keyword('none'), keyword('gzip'));
    expect(capabilitiesWith(packed)).toMatchObject({ compression: ['gzip'], counts: 'unknown', sides: [] });
  });
});
