import { describe, expect, it } from 'vitest';
import type { PrinterSight } from '../../../src/commands/check/printer/sight.ts';
import { abilitiesInWords, abilitiesOf } from '../../../src/commands/check/printer/abilities.ts';
import { Secret } from '../../../src/core/secret.ts';
import type {
  PrinterCapabilities,
  PrinterDescription,
} from '../../../src/domain/ports/printer-description.ts';

const settings = { outputType: 'auto', requireConfirmation: false, credentials: undefined } as const;

const office: PrinterCapabilities = {
  color: 'color',
  sides: ['one-sided', 'two-sided-long-edge'],
  copies: 99,
  obeys: { grey: true, twoSided: true },
  compression: ['gzip'],
  counts: 'unknown',
};

const sightOf = (
  facts: Partial<Omit<PrinterSight, 'description'>> = {},
  description: Partial<PrinterDescription> = {},
): PrinterSight => ({
  uri: 'ipp://10.0.0.7/ipp/print',
  kind: 'jobs',
  confirms: 'device',
  known: undefined,
  handling: { softwareCopies: false, reversed: false },
  description: {
    ready: true,
    state: 'idle',
    stateReasons: [],
    acceptingJobs: true,
    mediaReady: [],
    firmware: '',
    makeAndModel: 'Office 9000',
    formats: ['application/pdf', 'image/urf'],
    capabilities: office,
    ...description,
  },
  ...facts,
});

const wordsOf = (sight: PrinterSight, more: Partial<Parameters<typeof abilitiesOf>[1]> = {}) =>
  abilitiesInWords(abilitiesOf(sight, { ...settings, ...more })).join('; ');

describe('what Platen will do at a printer', () => {
  it('that takes PDF', () => {
    expect(wordsOf(sightOf())).toBe(
      [
        'PDF and Apple raster go unchanged',
        'PostScript, PNG, TIFF, and plain text are converted to PDF',
        'everything else is refused',
        'colour',
        'on both sides',
        'makes up to 99 copies, Platen makes more',
        'accepts documents compressed with gzip',
        'confirms a print itself',
        'perhaps does not count pages while it prints: if a job ends early with 0 counted, the release is unknown',
      ].join('; '),
    );
  });

  it.each<[string, PrinterSight, Parameters<typeof wordsOf>[1], RegExp]>([
    [
      'driverless, without PDF',
      sightOf({}, { formats: ['image/pwg-raster'] }),
      {},
      /^PWG raster goes unchanged; PDF, PostScript, PNG, TIFF, and plain text are converted to PWG raster; everything else/,
    ],
    [
      'that takes nothing known',
      sightOf({}, { formats: ['text/calendar'] }),
      {},
      /^accepts no format that Platen/,
    ],
    [
      'narrowed to PDF',
      sightOf(),
      { outputType: 'pdf' },
      /^PDF goes unchanged; PostScript, PNG, TIFF, and plain text are converted to PDF/,
    ],
    [
      'whose port wants copies made in software',
      sightOf({ handling: { softwareCopies: true, reversed: false } }),
      {},
      /Platen makes the copies/,
    ],
    ['of a spooler', sightOf({ confirms: 'spooler' }), {}, /the spooler confirms a print, not the printer$/],
    [
      'that counts sheets',
      sightOf({}, { capabilities: { ...office, counts: 'sheets' } }),
      {},
      /counts sheets; confirms a print itself; perhaps does not/,
    ],
    [
      'that is known, and logged in to',
      sightOf({ known: { uuid: 'urn:uuid:1', serialNumber: 'SN7' } }),
      { credentials: { username: 'kiosk', password: new Secret('word') } },
      /is recognised by urn:uuid:1, serial number SN7; Platen logs in as kiosk$/,
    ],
  ])('%s', (_, sight, more, words) => {
    expect(wordsOf(sight, more)).toMatch(words);
    expect(JSON.stringify(abilitiesOf(sight, { ...settings, ...more }))).not.toContain('word"');
  });

  it.each([
    [undefined, false, 'cannot confirm a print, which counts as handed over'],
    ['silent', true, 'cannot confirm a print, which counts as unknown'],
    ['answers', false, 'confirms a print by PJL'],
  ] as const)('of raw TCP, with a back-channel that is %s', (backChannel, requireConfirmation, words) => {
    const { confirms: _, ...sight } = sightOf(
      { kind: 'bytes' },
      { capabilities: { ...office, ...(backChannel ? { backChannel } : {}) } },
    );
    expect(wordsOf(sight, { requireConfirmation })).toContain(words);
  });
});
