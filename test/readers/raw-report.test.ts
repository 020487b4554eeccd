/** From raw reports to card numbers, by the layouts that come with Platen and one of a reader that tells of removal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportLayout } from '../../src/config/schema/known-readers.ts';
import { knownReaderOf, reportLayouts } from '../../src/config/schema/known-readers.ts';
import type { ReportReading } from '../../src/readers/hid/hid-input.ts';
import { createReportReading } from '../../src/readers/hid/hid-input.ts';
import { proximityLayout } from '../contracts/hid-stage.ts';

function layoutOf(name: string): ReportLayout {
  const layout = reportLayouts.get(name);
  if (!layout) throw new Error(`there is no layout ${name}`);
  return layout;
}

function report(
  length: number,
  ...parts: readonly (readonly [at: number, bytes: number | string])[]
): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, part] of parts) bytes.set(typeof part === 'number' ? [part] : Buffer.from(part), at);
  return bytes;
}

const number = (text: string): ReportReading => ({ kind: 'number', text });
const garbage: ReportReading = { kind: 'garbage' };

describe('a report', () => {
  const swipe = (track: string, length = track.length) => report(337, [4, length], [117, track]);
  const scan = (text: string, length = text.length) => report(64, [0, 2], [1, length], [2, ']Q0'], [5, text]);

  it.each<[string, string | ReportLayout, Buffer, ReportReading]>([
    ['a magnetic stripe', 'magtek-track-2', swipe(';4711=99121010000?'), number('4711=99121010000')],
    ['a stripe that could not be read', 'magtek-track-2', swipe('', 0), garbage],
    ['a stripe without sentinels', 'magtek-track-2', swipe('4711'), garbage],
    ['a stripe of sentinels only', 'magtek-track-2', swipe(';?'), garbage],
    ['a length beyond the track', 'magtek-track-2', swipe(';4711?', 111), garbage],
    ['a bar code', 'access-is-barcode', scan('04711'), number('04711')],
    [
      'a report that is no bar code',
      'access-is-barcode',
      report(64, [0, 3], [1, 5], [5, '04711']),
      { kind: 'nothing' },
    ],
    ['a bar code in a short report', 'access-is-barcode', scan('04711').subarray(0, 8), garbage],
    [
      'a bar code of the other make',
      'microscan-barcode',
      report(64, [0, 1], [1, 4], [2, '4711']),
      number('4711'),
    ],
    [
      'a proximity card',
      proximityLayout,
      report(12, [0, 3], [1, 4], [2, '\x04\x11\x12\x13']),
      number('04111213'),
    ],
    [
      'a card whose bytes come last first',
      { ...proximityLayout, order: 'reversed' },
      report(12, [0, 3], [1, 4], [2, '\x04\x11\x12\x13']),
      number('13121104'),
    ],
    ['a card taken away', proximityLayout, report(12, [0, 3]), { kind: 'removed' }],
    ['an empty report', proximityLayout, Buffer.alloc(0), { kind: 'nothing' }],
  ])('of %s', (_, layout, bytes, reading) => {
    const read = createReportReading(typeof layout === 'string' ? layoutOf(layout) : layout);
    expect(read(bytes)).toEqual(reading);
  });

  it('makes no number of one that goes on in another report, nor of its end', () => {
    const read = createReportReading(layoutOf('access-is-barcode'));
    const first = scan('1'.repeat(56));
    first[63] = 1;
    expect([first, scan('2222'), scan('3333')].map(read)).toEqual([
      garbage,
      { kind: 'nothing' },
      number('3333'),
    ]);
  });

  it.each([...reportLayouts.keys()])('of any bytes does no harm to %s (I8)', (name) => {
    const { most } = layoutOf(name);
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), (reports) => {
        const readings = reports.map(createReportReading(layoutOf(name)));
        const lengths = readings.map((reading) => (reading.kind === 'number' ? reading.text.length : 0));
        expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('a known reader', () => {
  it('is found by its numbers, and its layout is there', () => {
    const reader = knownReaderOf({ vendor: '0801', product: '0002' });
    expect(reader).toMatchObject({ mode: 'raw' });
    expect(reportLayouts.has(reader?.layout ?? '')).toBe(true);
    expect(knownReaderOf({ vendor: '09D8', product: '0410' })).toMatchObject({ mode: 'keyboard' });
    expect(knownReaderOf({ vendor: 'ffff', product: 'ffff' })).toBeUndefined();
  });
});
