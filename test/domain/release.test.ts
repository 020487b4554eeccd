import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseCard } from '../../src/domain/card/card-number.ts';
import { historyOf } from '../../src/domain/history.ts';
import type { EndState, JobReport, LastRelease, PageCount } from '../../src/domain/release.ts';
import { jobName, pagesOf, standingOf } from '../../src/domain/release.ts';

const report = (state: JobReport['state'], impressions?: number, sheets?: number): JobReport => ({
  state,
  reasons: [],
  ...(impressions === undefined ? {} : { impressionsCompleted: impressions }),
  ...(sheets === undefined ? {} : { sheetsCompleted: sheets }),
});

describe('how many pages came out, and by whose word', () => {
  const confirmed = (pages: number): PageCount => ({ source: 'device-confirmed', pages });
  const estimate: PageCount = { source: 'document-estimate', pages: 6 };
  const unknown: PageCount = { source: 'unknown' };
  it.each<[string, EndState, JobReport | undefined, PageCount | undefined]>([
    ['nothing came out', 'NOOUTPUT', report('aborted', 0, 0), undefined],
    ['the device counted impressions', 'CONFIRMED', report('completed', 5, 3), confirmed(5)],
    [
      'the device counts sheets only',
      'CONFIRMED',
      report('completed', undefined, 3),
      {
        source: 'device-confirmed',
        sheets: 3,
      },
    ],
    ['the device does not count', 'CONFIRMED', report('completed'), estimate],
    ['the device counts to zero and calls it completed', 'CONFIRMED', report('completed', 0, 0), estimate],
    ['the service delivered it', 'CONFIRMED', undefined, estimate],
    ['it was handed over', 'HANDED-OVER', undefined, estimate],
    ['the device counted a part', 'PARTIAL', report('canceled', 2, 1), confirmed(2)],
    ['nobody can tell', 'UNKNOWN', undefined, unknown],
    ['nobody can tell, and the last word is old', 'UNKNOWN', report('processing', 2, 1), unknown],
  ])('%s', (_what, state, said, pages) => {
    expect(pagesOf({ state, report: said, reportedBy: 'device', documentPages: 6 })).toEqual(pages);
  });

  it('a spooler’s counters are nothing the device confirmed', () => {
    const of = (state: EndState) =>
      pagesOf({ state, report: report('completed', 5, 3), reportedBy: 'spooler', documentPages: 6 });
    expect([of('CONFIRMED'), of('PARTIAL')]).toEqual([estimate, unknown]);
  });

  it('a document that does not tell its pages leaves them unknown', () => {
    const of = (said: JobReport | undefined) =>
      pagesOf({ state: 'CONFIRMED', report: said, reportedBy: 'device', documentPages: undefined });
    expect([of(undefined), of(report('completed', 5))]).toEqual([unknown, confirmed(5)]);
  });
});

describe('what may be printed without a further word (I1)', () => {
  const last = (state: LastRelease['state'], deletionOwed = false): LastRelease => ({
    releaseId: 'r',
    state,
    deletionOwed,
  });
  it.each([
    ['never released here', undefined, 'releasable'],
    ['failed before', last('NOOUTPUT'), 'releasable'],
    ['completed and deleted, and is listed none the less', last('CONFIRMED'), 'may-have-printed'],
    ['delivered by the service, and is listed none the less', last('HANDED-OVER'), 'may-have-printed'],
    ['completed, deletion owed', last('CONFIRMED', true), 'deletion-owed'],
    ['partly printed', last('PARTIAL'), 'may-have-printed'],
    ['unknown', last('UNKNOWN'), 'may-have-printed'],
    ['under way', last('SENT'), 'in-progress'],
  ])('a document that was %s is %s', (_what, state, standing) => {
    expect(standingOf(state, 'delete')).toBe(standing);
  });

  it('a document that was completed and kept on purpose comes out again', () => {
    expect(standingOf(last('CONFIRMED'), 'keep')).toBe('releasable');
  });
});

describe('the job-name', () => {
  const releaseId = '7f3a9c21'.padEnd(32, '0');

  it("is the document's name and the short id in brackets", () => {
    expect(jobName('Report.pdf', releaseId)).toBe('Report.pdf [7f3a9c21]');
  });

  it('fits 255 octets, ends with the id, and splits no character (RFC 8011 section 5.1.3)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const reported = jobName(name, releaseId);
        expect(Buffer.byteLength(reported)).toBeLessThanOrEqual(255);
        expect(reported.endsWith(' [7f3a9c21]')).toBe(true);
        expect(reported.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('the job-name of a printer that cuts names', () => {
  const releaseId = '7f3a9c21'.padEnd(32, '0');
  it.each([
    ['Report.pdf', 63, 'Report.pdf [7f3a9c21]'],
    ['x'.repeat(60), 63, `[7f3a9c21] ${'x'.repeat(60)}`],
    ['x'.repeat(52), 63, `${'x'.repeat(52)} [7f3a9c21]`],
    ['ü'.repeat(30), 63, `[7f3a9c21] ${'ü'.repeat(30)}`],
    ['Minutes [20240115] of the house', 30, '[7f3a9c21] Minutes [20240115] of the house [7f3a9c21]'],
  ])('%s, cut after %i octets, has the id where it stays', (name, cutAt, reported) => {
    expect(jobName(name, releaseId, cutAt)).toBe(reported);
  });
});

describe('the history record', () => {
  const document = {
    uuid: 'u',
    name: 'Plan.pdf',
    totalPages: 3,
    colorPages: 2,
    copies: 2,
    grayscale: false,
    sides: 'two-sided-long-edge' as const,
    paperSize: 'A4',
    collate: true,
    storageOnline: true,
    sentAt: undefined,
  };
  const user = { id: 1, providerId: 3, userName: 'alice', fullName: 'Alice' };
  const common = { user, port: { serialNumber: 'SN-0001' }, dateTime: '2026-11-21T13:00:00+01:00' };

  it('counts the pages of all copies', () => {
    expect(historyOf({ document, monochrome: false, ...common })).toEqual({
      jobType: 'PRINT',
      userName: 'alice',
      providerId: 3,
      title: 'Plan.pdf',
      totalPages: 6,
      colorPages: 4,
      paperSize: 'A4',
      duplex: true,
      serialNumber: 'SN-0001',
      dateTime: '2026-11-21T13:00:00+01:00',
    });
  });

  it.each([
    ['has it', 'in\u202evoice\u0000.pdf', 'in\u202evoice\u0000.pdf'],
    ['has it, but for what is no Unicode', 'Plan\ud800.pdf', 'Plan\ufffd.pdf'],
    ['has it, as far as anybody calls a document', 'x'.repeat(10_000), 'x'.repeat(4096)],
  ])('has the title as the service %s', (_, title, reported) => {
    expect(historyOf({ document: { ...document, title }, monochrome: false, ...common }).title).toBe(
      reported,
    );
  });

  it('tells no colour pages for a monochrome printer', () => {
    expect(historyOf({ document, monochrome: true, ...common }).colorPages).toBe(0);
  });

  it('leaves out what is not known', () => {
    const unknown = {
      ...document,
      totalPages: undefined,
      colorPages: undefined,
      sides: undefined,
      paperSize: undefined,
    };
    const record = historyOf({ document: unknown, monochrome: false, ...common });
    expect(Object.keys(record).sort()).toEqual([
      'dateTime',
      'jobType',
      'providerId',
      'serialNumber',
      'title',
      'userName',
    ]);
  });
});

describe('a card number', () => {
  it.each([
    ['04 a1 b2 c3', '04A1B2C3'],
    ['\u000204A1\u0003', '04A1'],
    ['12345=9912', '12345'],
    ['946EBD28', '946EBD28'],
  ])('%j becomes %s (src/cloud/README.md 9)', (read, number) => {
    expect(normaliseCard(read)?.reveal()).toBe(number);
  });

  it.each(['', ' \t', '=123', 'é', 'x'.repeat(129)])('%j is none', (read) => {
    expect(normaliseCard(read)).toBeUndefined();
  });
});
