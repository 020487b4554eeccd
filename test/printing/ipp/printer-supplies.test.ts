/** What a printer tells of its toner, by both ways in which printers tell it, and what an administrator is told of it. */
import { expect, it } from 'vitest';
import { complaintAboutSupplies } from '../../../src/domain/printer/supplies.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import {
  integer,
  keyword,
  nameWithoutLanguage,
  octetString,
  textWithoutLanguage,
} from '../../../src/ipp/values.ts';
import { printerSupplies } from '../../../src/printing/ipp/printer/printer-supplies.ts';

const supply = (...words: readonly string[]) =>
  attribute('printer-supply', ...words.map((one) => octetString(Buffer.from(one, 'latin1'))));
const described = (...names: readonly string[]) =>
  attribute('printer-supply-description', ...names.map(textWithoutLanguage));
const markers = (levels: readonly number[], names: readonly string[], types: readonly string[]) => [
  attribute('marker-levels', ...levels.map(integer)),
  attribute('marker-names', ...names.map(nameWithoutLanguage)),
  attribute('marker-types', ...types.map(keyword)),
];

it.each<[string, readonly Attribute[], readonly object[]]>([
  [
    'in the words of RFC 3805, as HP and Kyocera tell it',
    [
      supply(
        'index=1;class=supplyThatIsConsumed;type=toner;unit=percent;maxcapacity=100;level=8;colorantname=black;',
        'index=2;class=receptacleThatIsFilled;type=wasteToner;unit=percent;maxcapacity=200;level=190;',
      ),
      described('Black Cartridge', 'Waste Box'),
    ],
    [
      { name: 'Black Cartridge', level: 0.08, fills: false },
      { name: 'Waste Box', level: 0.95, fills: true },
    ],
  ],
  [
    'without a description: by colour and type',
    [supply('type=toner;maxcapacity=100;level=80;colorantname=cyan;')],
    [{ name: 'cyan toner', level: 0.8, fills: false }],
  ],
  [
    'by the markers of CUPS',
    markers([40, 95], ['Ink', 'Maintenance'], ['ink-cartridge', 'waste-ink']),
    [
      { name: 'Ink', level: 0.4, fills: false },
      { name: 'Maintenance', level: 0.95, fills: true },
    ],
  ],
  ['that does not know: -2 and -3 are no levels', markers([-2, -3], ['A', 'B'], ['toner', 'toner']), []],
  ['with a capacity that it does not know', [supply('type=toner;maxcapacity=-2;level=5;')], []],
  ['that tells more than it holds', [supply('type=toner;maxcapacity=10;level=15;')], [{ level: 1 }]],
  [
    'of a thousand colours',
    markers(
      Array.from({ length: 1000 }, () => 1),
      [],
      [],
    ),
    Array.from({ length: 16 }, () => ({})),
  ],
  ['that tells nothing', [], []],
])('a printer %s', (_, attributes, supplies) => {
  expect(printerSupplies(attributes)).toMatchObject(supplies);
  expect(printerSupplies(attributes)).toHaveLength(supplies.length);
});

it('an administrator reads what to order, in the same words while it runs out', () => {
  const black = (level: number) => ({ name: 'Black', level, fills: false });
  const waste = { name: 'Waste', level: 0.95, fills: true };
  expect(complaintAboutSupplies([black(0.1), { ...waste, level: 0.2 }])).toBeUndefined();
  expect(complaintAboutSupplies([black(0.09), waste])).toBe(
    'Black is below 10 %, Waste is more than 90 % full',
  );
  expect(complaintAboutSupplies([black(0.01)])).toBe(complaintAboutSupplies([black(0.09)]));
});

it('its words draw nothing on a terminal', () => {
  const [ink] = printerSupplies(markers([50], ['Bl\u001b[2Jack\u202e'], ['toner']));
  expect(ink?.name).not.toMatch(/[\u001b\u202e]/);
});
