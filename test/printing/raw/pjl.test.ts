import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/document.ts';
import type { Ticket } from '../../../src/domain/release.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { pjlEnvelope, pjlName } from '../../../src/printing/raw/pjl.ts';
import { readRawDocument } from '../../../src/simulator/printer/raw/pjl-dialogue.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { pdfOf } from '../../support/printer/samples.ts';

const universalExit = '\u001b%-12345X';
const releaseId = '7f3a9c21'.padEnd(32, '0');

describe('the name of a job in PJL (T15)', () => {
  it.each([
    ['Report.pdf', 'Report.pdf [7f3a9c21]'],
    ['a"b\r\n@PJL FSDELETE NAME="0:\\x"', 'ab@PJL FSDELETE NAME=0:\\x [7f3a9c21]'],
    [`${universalExit}@PJL RESET`, '%-12345X@PJL RESET [7f3a9c21]'],
    ['ﬁnal ② Ｒｅｐｏｒｔ.pdf', 'final 2 Report.pdf [7f3a9c21]'],
    ['\u202Egnp.exe', 'gnp.exe [7f3a9c21]'],
    ['', ' [7f3a9c21]'],
  ])('%j becomes %j', (name, expected) => {
    expect(pjlName(name, releaseId)).toBe(expected);
  });

  it('has 80 characters at most, and always the release in brackets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(pjlName(name, releaseId)).toMatch(/^[ !#-~]{0,69} \[7f3a9c21\]$/);
      }),
    );
  });
});

describe('the envelope of PJL around a document', () => {
  const around = (ticket: Ticket, format: string = formats.pdf) => {
    const { head, tail } = pjlEnvelope(ticket, format);
    return Buffer.concat([head, pdfOf(100), tail]);
  };

  it('holds one UEL before ENTER LANGUAGE and one after the data, whatever the title and the user (T15)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    const hostile = fc.tuple(
      text,
      fc.constantFrom('\u001b', universalExit, '\r\n@PJL ', '"', '\u0000'),
      text,
    );
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 999 }), (parts, copies) => {
        const ticket = sampleTicket({ name: parts.join(''), copies }, { sendUsername: true });
        const { head, tail } = pjlEnvelope(ticket, formats.pdf);
        for (const part of [head, tail]) {
          const said = part.toString('latin1');
          expect(said.startsWith(`${universalExit}@PJL\r\n`)).toBe(true);
          expect(said.slice(universalExit.length)).toMatch(/^(@PJL[ !-~]*\r\n)+$/);
        }
        expect(head.toString('latin1')).toMatch(/\r\n@PJL ENTER LANGUAGE=PDF\r\n$/);
        expect(readRawDocument(around(ticket), true).deviations).toEqual([]);
      }),
    );
  });

  it.each<[Partial<Document>, Partial<Ticket>, string[]]>([
    [{}, {}, []],
    [{ copies: 3 }, {}, ['SET COPIES=3']],
    [{ sides: 'one-sided' }, {}, ['SET DUPLEX=OFF']],
    [{ sides: 'two-sided-long-edge' }, {}, ['SET DUPLEX=ON', 'SET BINDING=LONGEDGE']],
    [{ sides: 'two-sided-short-edge' }, {}, ['SET DUPLEX=ON', 'SET BINDING=SHORTEDGE']],
    [{ grayscale: true }, {}, ['SET RENDERMODE=GRAYSCALE']],
    [{}, { monochrome: true }, ['SET RENDERMODE=GRAYSCALE']],
  ])('%j and %j ask for %j, and nothing else', (document, ticket, settings) => {
    const { pjl } = readRawDocument(around(sampleTicket(document, ticket)), true);
    expect(pjl.filter((line) => line.startsWith('@PJL SET'))).toEqual(settings.map((line) => `@PJL ${line}`));
  });

  it.each([
    [formats.pdf, 'PDF'],
    [formats.pclXl, 'PCLXL'],
    [formats.postscript, 'POSTSCRIPT'],
  ])('enters for %s the language %s', (format, language) => {
    const { pjl, document } = readRawDocument(around(sampleTicket(), format), true);
    expect(pjl).toContain(`@PJL ENTER LANGUAGE=${language}`);
    expect(document.equals(pdfOf(100))).toBe(true);
  });
});
