/** What a printer says that it does with a document; where it says nothing, nobody is told that it would. */
import { expect, it } from 'vitest';
import type { PrinterCapabilities, PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import type { AdoptedSettings } from '../../src/domain/terminal/terminal-settings.ts';
import { printerAtHand } from '../../src/station/printers/at-hand.ts';
import { PrinterSettings } from '../../src/station/printers/printer-settings.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

interface Said extends Partial<Pick<PrinterCapabilities, 'color' | 'sides'>> {
  readonly mediaReady?: readonly string[];
  readonly monochrome?: boolean;
}

const printerThat = ({ mediaReady, monochrome = false, ...can }: Said) =>
  printerAtHand({
    name: 'Lobby',
    delivery: 'local',
    mayChangePages: () => true,
    config: { offers: [], defaults: {} },
    watch: {
      view: () => ({ lamp: 'ready' }),
      capabilities: () => can as PrinterCapabilities,
      description: () => mediaReady && ({ mediaReady } as Partial<PrinterDescription> as PrinterDescription),
    },
    settings: new PrinterSettings(
      () =>
        ({
          monochrome: { value: monochrome, from: 'config' },
        }) as Partial<AdoptedSettings> as AdoptedSettings,
    ),
  });

const onA3 = sampleDocument({ paperSize: 'A3', sides: 'two-sided-long-edge', colorPages: 1 });
const onItsOwn = sampleDocument({ paperSize: 'Original', sides: 'one-sided' });

it.each([
  ['color', { color: 'color' }, onA3, true],
  ['color', { color: 'monochrome' }, onA3, false],
  ['color', { color: 'unknown' }, onA3, undefined],
  ['color', { color: 'color', monochrome: true }, onA3, false],
  ['two-sided', { sides: ['one-sided', 'two-sided-long-edge'] }, onA3, true],
  ['two-sided', { sides: ['one-sided'] }, onA3, false],
  ['two-sided', { sides: [] }, onA3, undefined],
  ['two-sided', { sides: ['one-sided'] }, onItsOwn, true],
  ['paper', { mediaReady: ['iso_a4_210x297mm', 'iso_a3_297x420mm'] }, onA3, true],
  ['paper', { mediaReady: ['iso_a4_210x297mm'] }, onA3, false],
  ['paper', { mediaReady: [] }, onA3, undefined],
  ['paper', {}, onA3, undefined],
  ['paper', { mediaReady: ['iso_a4_210x297mm'] }, onItsOwn, undefined],
] as const)('%s, by %o: %o', (demand, said, document, does) => {
  expect(printerThat(said).does(demand, document)).toBe(does);
});
