/** What a person asked for at the terminal is printed so, or not at all: nothing wider comes out than was chosen. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/domain/document-changes.ts';
import { withChange } from '../../src/domain/document-changes.ts';
import type { Ticket } from '../../src/domain/release.ts';
import type { Attribute } from '../../src/ipp/message.ts';
import { attribute } from '../../src/ipp/message.ts';
import { integer, keyword, mimeMediaType } from '../../src/ipp/values.ts';
import { asTheyCome } from '../../src/printing/conversion/conversion-plan.ts';
import { formats } from '../../src/printing/document-format.ts';
import { planJob } from '../../src/printing/ipp/job/job-plan.ts';
import { printerAttributes } from '../../src/printing/ipp/printer/printer-attributes.ts';
import { planBytes, wrapBytes } from '../../src/printing/raw/socket-plan.ts';
import { sampleDocument, sampleTicket } from '../support/sample-ticket.ts';
import { idlePrinter } from '../support/printer/scripted-printer.ts';

const pdf = { format: formats.pdf };

/** Of a document in colour on one side, three copies. */
function changed(change: Change): Ticket {
  const sent = sampleDocument({ totalPages: 4, colorPages: 4, copies: 3, sides: 'one-sided' });
  return sampleTicket(withChange(sent, change), { changed: change });
}

const everything: Change = { copies: 1, grey: true, twoSided: true };
const modes = (...words: readonly string[]) => attribute('print-color-mode-supported', ...words.map(keyword));
const sides = (...words: readonly string[]) => attribute('sides-supported', ...words.map(keyword));
const bothSides = sides('one-sided', 'two-sided-long-edge');

describe('a printer of IPP', () => {
  function printer(...attributes: readonly Attribute[]) {
    const { groups = [] } = idlePrinter(...attributes);
    return printerAttributes({ version: [2, 0], code: 0, requestId: 1, groups });
  }
  const plan = (change: Change, ...attributes: readonly Attribute[]) =>
    planJob(changed(change), pdf, printer(...attributes), { outputType: 'auto', handling: asTheyCome });

  it('is asked for all of it', () => {
    const { job } = plan({ ...everything, copies: 2 }, modes('color', 'monochrome'), bothSides);
    expect(job).toEqual([
      attribute('copies', integer(2)),
      attribute('sides', keyword('two-sided-long-edge')),
      attribute('print-color-mode', keyword('monochrome')),
    ]);
    expect(plan(everything, modes('monochrome'), bothSides).job.map(({ name }) => name)).toEqual([
      'sides',
      'print-color-mode',
    ]);
  });

  it.each<[string, Change, readonly Attribute[], readonly string[]]>([
    ['grey, which it does not list', { grey: true }, [modes('auto', 'color')], ['print-color-mode']],
    ['two sides, of which it has one', { twoSided: true }, [sides('one-sided')], ['sides']],
    ['anything, where it lists nothing', everything, [], ['print-color-mode', 'sides']],
  ])('is not sent what was to be %s', (_what, change, attributes, reasons) => {
    expect(() => plan(change, ...attributes)).toThrow(
      expect.objectContaining({ code: 'printer-refused-job', reasons }),
    );
  });

  it('is sent two sides of raster, whichever way its backs are to lie', () => {
    const raster = attribute('document-format-supported', mimeMediaType(formats.pwgRaster));
    for (const back of ['normal', 'flipped', 'rotated', 'manual-tumble']) {
      const sheetBack = attribute('pwg-raster-document-sheet-back', keyword(back));
      const { job, conversion } = plan({ twoSided: true }, bothSides, raster, sheetBack);
      expect(job).toContainEqual(attribute('sides', keyword('two-sided-long-edge')));
      expect(conversion?.sides).toBe('two-sided-long-edge');
    }
  });

  it('leaves out what it cannot do of how the document was sent', () => {
    const ticket = sampleTicket({ grayscale: true, sides: 'two-sided-long-edge' });
    const options = { outputType: 'auto', handling: asTheyCome } as const;
    expect(planJob(ticket, pdf, printer(), options).job).toEqual([]);
  });

  it('heeds what it lists, and nothing else', () => {
    const heeds = (...attributes: readonly Attribute[]) => printer(...attributes).capabilities?.obeys;
    expect(heeds()).toEqual({ grey: false, twoSided: false });
    expect(heeds(modes('auto', 'monochrome'), bothSides)).toEqual({ grey: true, twoSided: true });
    expect(heeds(modes('color'), sides('one-sided', 'two-sided-short-edge'))).toEqual({
      grey: false,
      twoSided: false,
    });
  });
});

describe('a raw printer', () => {
  const bytes = (change: Change, pjl: 'auto' | 'off') => {
    const ticket = changed(change);
    const planned = planBytes(ticket, { ...pdf, holds: () => false }, { outputType: 'auto', pjl });
    return wrapBytes(ticket, planned, { asks: false, listens: false });
  };

  it('is asked for all of it in PJL', () => {
    const head = bytes({ ...everything, copies: 2 }, 'auto').envelope.head.toString('ascii');
    expect(head).toMatch(/SET COPIES=2\r\n@PJL SET DUPLEX=ON\r\n@PJL SET BINDING=LONGEDGE\r\n/);
    expect(head).toContain('SET RENDERMODE=GRAYSCALE');
    expect(bytes(everything, 'auto').envelope.head.toString('ascii')).not.toContain('COPIES');
  });

  it('is sent nothing where nobody can ask it', () => {
    expect(() => bytes(everything, 'off')).toThrow(
      expect.objectContaining({ code: 'printer-refused-job', reasons: ['print-color-mode', 'sides'] }),
    );
  });
});
