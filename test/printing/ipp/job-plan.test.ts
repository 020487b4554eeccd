import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/document.ts';
import type { Ticket } from '../../../src/domain/release.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { integer, keyword } from '../../../src/ipp/values.ts';
import { asTheyCome, unknownRaster } from '../../../src/printing/conversion/conversion-plan.ts';
import type { OutputType } from '../../../src/domain/output-port.ts';
import type { IppJobPlan } from '../../../src/printing/ipp/job/job-plan.ts';
import { planJob } from '../../../src/printing/ipp/job/job-plan.ts';
import type { PrinterAttributes } from '../../../src/printing/ipp/printer/printer-attributes.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';

const office: PrinterAttributes = {
  ready: true,
  obstacles: [],
  remarks: [],
  said: [],
  trays: { trays: [], ready: [] },
  state: 'idle',
  stateReasons: [],
  acceptingJobs: true,
  formats: ['application/pdf', 'application/vnd.hp-pclxl', 'application/octet-stream'],
  mediaReady: [],
  makeAndModel: '',
  firmware: '',
  longestCopies: 99,
  sides: ['one-sided', 'two-sided-long-edge'],
  colorModes: ['auto', 'monochrome'],
  mediaMembers: [],
  media: ['iso_a4_210x297mm', 'na_ledger_11x17in'],
  documentHandling: ['separate-documents-collated-copies', 'separate-documents-uncollated-copies'],
  sheetCollate: [],
  raster: unknownRaster,
  versions: [],
  upTime: undefined,
  can: () => true,
};

interface Case {
  readonly document?: Partial<Document>;
  readonly ticket?: Partial<Ticket>;
  readonly printer?: Partial<PrinterAttributes>;
  readonly format?: string;
  readonly outputType?: OutputType;
}

const plan = ({
  document,
  ticket,
  printer,
  format = 'application/pdf',
  outputType = 'auto',
}: Case): IppJobPlan =>
  planJob(
    sampleTicket(document, ticket),
    { format },
    { ...office, ...printer },
    { outputType, handling: asTheyCome },
  );

describe('the format a document is sent under', () => {
  const postscript = 'application/postscript';
  const pclXl = 'application/vnd.hp-PCLXL';

  it.each<[OutputType, string, readonly string[], string]>([
    ['auto', 'application/pdf', ['image/urf', 'application/pdf'], 'application/pdf'],
    ['auto', pclXl, ['application/vnd.hp-pclxl'], 'application/vnd.hp-pclxl'],
    ['pdf', 'application/pdf', ['application/pdf'], 'application/pdf'],
    ['pcl6', pclXl, [pclXl], pclXl],
    ['ps3', postscript, [postscript], postscript],
    ['ps2', postscript, [postscript], postscript],
    ['raw', postscript, [postscript, 'application/octet-stream'], postscript],
    ['raw', postscript, ['application/octet-stream'], 'application/octet-stream'],
    ['raw', 'application/octet-stream', ['application/octet-stream'], 'application/octet-stream'],
    ['auto', 'application/pdf', [], 'application/pdf'],
    ['auto', 'image/png', ['image/pwg-raster', 'image/png'], 'image/png'],
    ['auto', 'image/png', [], 'application/pdf'],
    ['auto', 'text/plain', ['application/pdf'], 'application/pdf'],
    ['auto', 'text/plain', ['text/plain', 'application/pdf'], 'application/pdf'],
    ['raw', 'text/plain', ['text/plain', 'application/pdf'], 'text/plain'],
    ['raw', 'text/plain', ['text/plain;charset=utf-8'], 'text/plain;charset=utf-8'],
    ['raw', 'text/plain', ['text/plain; charset="UTF-8"'], 'text/plain; charset="UTF-8"'],
  ])('%s: %s to a printer of %j goes as %s', (outputType, format, formats, sentAs) => {
    expect(plan({ outputType, format, printer: { formats } }).format).toBe(sentAs);
  });

  it.each<[OutputType, string, readonly string[]]>([
    ['auto', postscript, ['image/jpeg', 'application/octet-stream']],
    ['auto', pclXl, ['application/pdf']],
    ['auto', 'application/octet-stream', ['application/octet-stream']],
    ['raw', 'application/octet-stream', ['application/pdf']],
    ['raw', 'application/octet-stream', []],
    ['auto', 'image/tiff', ['image/jpeg']],
    ['raw', postscript, ['application/pdf']],
    ['pdf', postscript, [postscript]],
    ['pcl6', 'application/pdf', ['application/pdf']],
    ['auto', 'text/plain', ['text/plain']],
    ['auto', 'text/plain', ['text/plain;charset=utf-8']],
    ['raw', 'text/plain', ['text/plain;charset=utf-16']],
  ])('%s: %s to a printer of %j is not printed (T16)', (outputType, format, formats) => {
    expect(() => plan({ outputType, format, printer: { formats } })).toThrow(
      expect.objectContaining({ code: 'document-not-printable' }),
    );
  });

  it('what is not known is told as that, also where the printer lists such', () => {
    const format = 'application/octet-stream';
    expect(() => plan({ outputType: 'auto', format, printer: { formats: [format] } })).toThrow(
      /its format is not known/,
    );
  });
});

describe('the job attributes', () => {
  const collated = attribute('multiple-document-handling', keyword('separate-documents-collated-copies'));

  it.each<[string, Case, unknown]>([
    ['none for a plain document', {}, []],
    ['copies', { document: { copies: 3 } }, [attribute('copies', integer(3))]],
    ['sides', { document: { sides: 'one-sided' } }, [attribute('sides', keyword('one-sided'))]],
    ['no sides the printer lacks', { document: { sides: 'two-sided-short-edge' } }, []],
    [
      'grey, as the document wants it',
      { document: { grayscale: true } },
      [attribute('print-color-mode', keyword('monochrome'))],
    ],
    [
      'grey, as the output port wants it',
      { ticket: { monochrome: true } },
      [attribute('print-color-mode', keyword('monochrome'))],
    ],
    ['no colour mode the printer lacks', { ticket: { monochrome: true }, printer: { colorModes: [] } }, []],
    [
      'the PWG name of the paper',
      { document: { paperSize: 'A4' } },
      [attribute('media', keyword('iso_a4_210x297mm'))],
    ],
    [
      'one paper under two names',
      { document: { paperSize: 'Tabloid' } },
      [attribute('media', keyword('na_ledger_11x17in'))],
    ],
    ['no paper the printer lacks', { document: { paperSize: 'A3' } }, []],
    ['no paper for words unknown', { document: { paperSize: 'constructor' } }, []],
    [
      'collation of copies',
      { document: { copies: 2, collate: true } },
      [attribute('copies', integer(2)), collated],
    ],
    [
      'collation in the word of PWG 5100.3 where the printer knows it',
      { document: { copies: 2, collate: false }, printer: { sheetCollate: ['collated', 'uncollated'] } },
      [attribute('copies', integer(2)), attribute('sheet-collate', keyword('uncollated'))],
    ],
    ['no collation of a single copy', { document: { collate: true } }, []],
  ])('%s', (_, given, attributes) => {
    expect(plan(given).job).toEqual(attributes);
  });

  it('ask for no copies where they are made in software', () => {
    const planned = plan({ document: { copies: 3 }, printer: { longestCopies: 1 } });
    expect(planned).toMatchObject({ job: [], conversion: { copies: 3 } });
  });

  it('are refused where fewer copies would come out than were asked for', () => {
    const pclXl = 'application/vnd.hp-PCLXL';
    const printer = { longestCopies: 1, formats: [pclXl] };
    expect(() => plan({ format: pclXl, document: { copies: 2 }, printer })).toThrow(
      expect.objectContaining({ code: 'printer-refused-job' }),
    );
  });
});

describe('the names of a job', () => {
  it('are the document with the release in brackets, the document, and the agent', () => {
    expect(plan({})).toMatchObject({
      jobName: 'Report.pdf [7f3a9c21]',
      documentName: 'Report.pdf',
      userName: 'platen',
    });
  });

  it('name the user where the output port says so', () => {
    expect(plan({ ticket: { sendUsername: true } }).userName).toBe('anna.lind');
  });

  it('have at most 255 octets, cut between characters (RFC 8011 section 5.1.3)', () => {
    const { jobName, documentName } = plan({ document: { name: 'ü'.repeat(200) } });
    expect(Buffer.byteLength(documentName)).toBe(254);
    expect(Buffer.byteLength(jobName)).toBeLessThanOrEqual(255);
    expect(jobName).toMatch(/^ü+ \[7f3a9c21\]$/);
  });
});

describe('the paper of a document', () => {
  const letterAlone = { trays: [], ready: [{ width: 21_590, height: 27_940 }] };
  const onA4 = (printer: Partial<PrinterAttributes>) => plan({ document: { paperSize: 'A4' }, printer });

  it('that is in no tray of a printer that says it has run out is told as that', () => {
    expect(() => onA4({ remarks: ['toner-empty', 'media-empty'], trays: letterAlone })).toThrow(
      expect.objectContaining({ code: 'printer-lacks-paper', reasons: ['media-empty'] }),
    );
  });

  it.each<[string, Partial<PrinterAttributes>]>([
    ['nothing is known of the trays', { remarks: ['media-empty'] }],
    ['the printer does not say that paper is missing', { remarks: ['toner-empty'], trays: letterAlone }],
    ['the printer is not asked for it', { remarks: ['media-empty'], trays: letterAlone, media: [] }],
  ])('is not asked after where %s', (_, printer) => {
    expect(onA4(printer).format).toBe('application/pdf');
  });
});
