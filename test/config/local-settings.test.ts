import { expect, it } from 'vitest';
import { localSettings } from '../../src/config/local-settings.ts';
import { terminal } from '../../src/config/schema/terminal.ts';
import { outsideOf } from '../../src/config/outside.ts';

const settingsOf = (card: object) =>
  localSettings(
    terminal(outsideOf('/', {})).parse({
      id: 'lobby',
      serialNumber: 'SN-1',
      printer: { uri: 'ipp://10.0.0.7/ipp/print' },
      card,
    }),
  );

it.each([
  [{}, undefined, undefined],
  [{ decimal: true, trim: 'off' }, true, false],
  [{ rule: 'Hex2Dec' }, false, false],
  [{ rule: 'ReverseBytes', decimal: true, trim: 'zeros' }, true, true],
])('of card numbers, %j leaves to the service what no rule and no key settles', (card, decimal, trim) => {
  expect(settingsOf(card)).toMatchObject({ decimalFormatForCardIds: decimal, trimCardId: trim });
});
