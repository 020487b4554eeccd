/** What a printer says that it does with a document; where it says nothing, nobody is told that it would. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PrinterCapabilities, PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import type { PaperTrays } from '../../src/domain/printer/paper-trays.ts';
import { mediaDimensions, mediaName, paperSizes } from '../../src/printing/media.ts';
import type { AdoptedSettings } from '../../src/domain/terminal/terminal-settings.ts';
import { printerAtHand } from '../../src/station/printers/at-hand.ts';
import { PrinterSettings } from '../../src/station/printers/printer-settings.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

interface Said extends Partial<Pick<PrinterCapabilities, 'color' | 'sides'>> {
  readonly trays?: PaperTrays;
  readonly monochrome?: boolean;
}

const printerThat = ({ trays, monochrome = false, ...can }: Said) =>
  printerAtHand({
    name: 'Lobby',
    delivery: 'local',
    mayChangePages: () => true,
    config: { offers: [], defaults: {} },
    watch: {
      view: () => ({ lamp: 'ready' }),
      capabilities: () => can as PrinterCapabilities,
      description: () => trays && ({ trays } as Partial<PrinterDescription> as PrinterDescription),
    },
    settings: new PrinterSettings(
      () =>
        ({
          monochrome: { value: monochrome, from: 'config' },
        }) as Partial<AdoptedSettings> as AdoptedSettings,
    ),
  });

const size = (word: string) => mediaDimensions(mediaName(word) ?? '');
const ready = (...words: readonly string[]) => ({ trays: { trays: [], ready: words.map(size) } });

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
  ['paper', ready('A4', 'A3'), onA3, true],
  ['paper', ready('A4'), onA3, false],
  ['paper', ready(), onA3, undefined],
  // Something lies there that nobody understands.
  ['paper', { trays: { trays: [], ready: [size('A4'), undefined] } }, onA3, undefined],
  ['paper', {}, onA3, undefined],
  ['paper', ready('A4'), onItsOwn, undefined],
] as const)('%s, by %o: %o', (demand, said, document, does) => {
  expect(printerThat(said).does(demand, document)).toBe(does);
});

it.each([
  ['a smaller one, if there is one', ['A5', 'A4'], 'A3', 'A4'],
  ['a larger one, if there is none', ['A3', 'A4'], 'A5', 'A4'],
  ['none, while its own is there', ['A3', 'A4'], 'A4', undefined],
  ['none for a size that nobody knows', ['A4'], 'Original', undefined],
  ['none where nothing is told', [], 'A3', undefined],
] as const)('the other paper of a document is %s', (_, there, paperSize, other) => {
  expect(printerThat(ready(...there)).otherPaper(sampleDocument({ paperSize }))).toBe(other);
});

it('by the printer’s own word a document has its paper, or lacks it, for every paper in every printer', () => {
  const sizes = fc.subarray([...paperSizes]);
  fc.assert(
    fc.property(sizes, sizes, fc.constantFrom(...paperSizes), (full, empty, paperSize) => {
      const trays = {
        ready: [],
        trays: [
          ...full.map((word) => ({ isEmpty: false, size: size(word) })),
          ...empty.map((word) => ({ isEmpty: true, size: size(word) })),
        ],
      };
      const isThere = full.some((word) => mediaName(word) === mediaName(paperSize));
      const isTold = full.length + empty.length > 0;
      const printer = printerThat({ trays });
      const document = sampleDocument({ paperSize });
      expect(printer.does('paper', document)).toBe(isTold ? isThere : undefined);
      const other = printer.otherPaper(document);
      expect(other === undefined || (!isThere && full.includes(other))).toBe(true);
      expect(other !== undefined).toBe(isTold && !isThere && full.length > 0);
    }),
  );
});
