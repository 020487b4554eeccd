/** The PJL that a document may bring: by the allow-list, wherever in the document it stands (INVARIANTS.md T15, T16). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgePjl } from '../../src/printing/pjl-commands.ts';
import { pjlGuard } from '../../src/printing/pjl-guard.ts';

const uel = '\u001b%-12345X';

describe('a command of PJL', () => {
  it.each([
    '@PJL',
    '@PJL \r',
    '@PJL COMMENT "anything at all"',
    '@PJL JOB NAME="Report" DISPLAY="Report"',
    '@PJL JOB NAME="my PASSWORD=1 list"',
    '@PJL EOJ NAME="Report"',
    '@PJL EOJ',
    '@PJL SET RESOLUTION=600',
    '@PJL SET RESOLUTION = 600\r',
    '@PJL set duplex=on',
    '@PJL SET ECONOMODE=ON',
    '@PJL SET COPIES=1',
    '@PJL SET QTY = 1',
    '@PJL SET HOLD=OFF',
    '@PJL SET LPARM:PCL FONTSOURCE=I',
    '@PJL SET MEDIATYPE="A=B"',
    '@PJL SET JOBATTR="JobAcct1=alice"',
  ])('%j is harmless', (line) => {
    expect(judgePjl(line)).toEqual({ kind: 'harmless' });
  });

  it.each(['POSTSCRIPT', 'pcl', 'PDF', 'PCLXL', 'HBP', 'RPCS'])(
    'ENTER begins the pages in %s',
    (language) => {
      expect(judgePjl(`@PJL ENTER LANGUAGE = ${language}\r`)).toEqual({
        kind: 'enters',
        language: language.toUpperCase(),
      });
    },
  );

  it.each([
    // The printer's files and memory.
    '@PJL FSDOWNLOAD FORMAT:BINARY SIZE=1 NAME="0:\\x"',
    '@PJL FSUPLOAD NAME="0:/../../etc/passwd" OFFSET=0 SIZE=9',
    '@PJL FSDELETE NAME="0:/x"',
    '@PJL FSINIT VOLUME="0:"',
    '@PJL RNVRAM ADDRESS=0',
    '@PJL DMINFO ASCIIHEX="00"',
    '@PJL DMCMD ASCIIHEX="00"',
    // What stays when the job is over.
    '@PJL DEFAULT COPIES=1',
    '@PJL DEFAULT LPARM:POSTSCRIPT PRTPSERRS=ON',
    '@PJL INITIALIZE',
    '@PJL RESET',
    '@PJL SET SERVICEMODE=HPBOISEID',
    '@PJL SET CPLOCK=ON',
    '@PJL SET LPARM:POSTSCRIPT SYSSTARTJOBPASSWORD=""',
    '@PJL SET LPARM : EPSON X=1',
    '@PJL JOB PASSWORD=7',
    '@PJL JOB NAME="x" PASSWORD = 7',
    // The panel.
    '@PJL RDYMSG DISPLAY="x"',
    '@PJL OPMSG DISPLAY="x"',
    '@PJL STMSG DISPLAY="x"',
    // What is charged to nobody, or waits in the printer.
    '@PJL SET COPIES=50',
    '@PJL SET COPIES=1 COPIES=50',
    '@PJL SET DUPLEX=ON COPIES=50',
    '@PJL ENTER LANGUAGE=ACL',
    '@PJL ENTER LANGUAGE=PRESCRIBE',
    '@PJL SET QTY=2',
    '@PJL SET HOLD=STORE',
    '@PJL SET TESTPAGE=PCLFONTLIST',
    '@PJL SET REPRINT=ON',
    // The back-channel, on which only the printer may speak.
    '@PJL ECHO @PJL USTATUS JOB',
    '@PJL INFO ID',
    '@PJL INQUIRE COPIES',
    '@PJL USTATUSOFF',
    // What is no command.
    '@PJLFSDELETE',
    '@PJL ENTER LANGUAGE',
    '@PJL ENTER LANGUAGE=PDF COPIES=2',
    '@PJL COMMENT x\r@PJL RESET',
    `@PJL COMMENT x${uel}@PJL RESET`,
    'plain',
  ])('%j is refused', (line) => {
    expect(judgePjl(line)).toMatchObject({ kind: 'refused' });
  });
});

const wrongCommand = `${uel}@PJL\r\n@PJL FSDELETE NAME="0:\\x"\r\n`;

/** Given in pieces of these lengths, again and again. */
function seen(text: string, lengths: readonly number[] = [text.length]): ReturnType<typeof pjlGuard> {
  const guard = pjlGuard();
  const octets = Buffer.from(text, 'latin1');
  for (let at = 0, turn = 0; at < octets.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    guard.see(octets.subarray(at, at + length));
    at += length;
  }
  guard.end();
  return guard;
}

describe('the guard of a document', () => {
  const refusal = expect.objectContaining({ code: 'document-not-printable' }) as Error;

  it.each([
    ['before the data', `${wrongCommand}@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7`],
    ['behind harmless ones', `${uel}@PJL SET DUPLEX=ON\n@PJL SET COPIES=50\n@PJL ENTER LANGUAGE=PDF\n`],
    ['without a UEL, at the very beginning', '@PJL FSDELETE NAME="0:\\x"\r\n'],
    ['in small letters', `${uel}@pjl fsdelete name="0:\\x"\r\n`],
    ['in the middle', `%PDF-1.7\n${'x'.repeat(10_000)}${wrongCommand}more`],
    ['behind a UEL that said nothing', `%!PS\n${uel}%!PS\nshowpage\n${uel}\r\n\u0000${wrongCommand}`],
    ['without the end of its line', `%PDF-1.7\n${uel}@PJL RESET`],
    ['behind a language', `${uel}@PJL ENTER LANGUAGE=PCL\r\n@PJL RESET\r\n`],
    ['that has no end', `${uel}@PJL COMMENT ${'x'.repeat(5000)}`],
    ['behind NULs without end', `${uel}${'\u0000'.repeat(100_000)}@PJL RESET\r\n`],
  ])('refuses a command %s', (_, text) => {
    for (const lengths of [[text.length], [1], [7, 4096]]) {
      expect(() => seen(text, lengths)).toThrow(refusal);
    }
  });

  it.each([
    ['PDF', '%PDF-1.7\n', false],
    ['PJL around PDF', `${uel}@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7\n${uel}@PJL EOJ\r\n${uel}`, true],
    ['a UEL and no PJL', `%!PS\nshowpage\n${uel}`, true],
    ['PJL that is spoken of, not to the printer', 'To reset it, send @PJL RESET.\n@PJL RESET\n', false],
    ['half a UEL', '%PDF-1.7\n\u001b%-1234', false],
    ['no octet', '', false],
  ])('lets %s pass', (_, text, hasMet) => {
    for (const lengths of [[Math.max(1, text.length)], [1], [5, 3]]) {
      expect(seen(text, lengths).hasMetPjl()).toBe(hasMet);
    }
  });

  it.each([
    [
      'the same by ENTER and by its octets',
      'PDF',
      '%PDF-1.7\nmany more octets\n',
      'PDF',
      '%PDF-1.7\nmore',
      false,
    ],
    [
      'PostScript under the name of PDF',
      'PDF',
      '%PDF-1.7\nmany more octets\n',
      'PDF',
      '%!PS\n0 exitserver',
      true,
    ],
    ['a short program under that name', 'PDF', '%PDF-1.7\nmany more octets\n', 'PDF', '%!x', true],
    ['PostScript under the name of PCL', 'PCL', '\u001bE pages of PCL 5\n', 'PCL', '%!PS\nshowpage', true],
    [
      'a page of PCL that begins as the first one',
      'PCL',
      '\u001bE pages of PCL 5\n',
      'PCL',
      '\u001bE more',
      false,
    ],
    ['another language by ENTER', 'PDF', '%PDF-1.7\nmany more octets\n', 'POSTSCRIPT', '%!PS', true],
  ])('tells of a second part that is %s', (_, language, data, second, more, isAnother) => {
    const enter = (one: string) => `${uel}@PJL ENTER LANGUAGE=${one}\r\n`;
    const text = `${enter(language)}${data}${enter(second)}${more}`;
    for (const lengths of [[text.length], [1], [7, 20]]) {
      expect(seen(text, lengths).hasMetAnother()).toBe(isAnother);
    }
  });

  it('tells of two ENTERs that say different things of one part', () => {
    const text = `${uel}@PJL ENTER LANGUAGE=PDF\r\n@PJL ENTER LANGUAGE=POSTSCRIPT\r\n%PDF-1.7\n`;
    expect(seen(text, [text.length]).hasMetAnother()).toBe(true);
    const twice = `${uel}@PJL ENTER LANGUAGE=PDF\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7\n`;
    expect(seen(twice, [twice.length]).hasMetAnother()).toBe(false);
  });

  it('finds it however the document comes in', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }),
        (before, lengths) => {
          expect(() => seen(`data\n${before}${wrongCommand}`, lengths)).toThrow(refusal);
        },
      ),
    );
  });

  it('tells the command, and nothing of what else the document says (I5)', () => {
    expect(() => seen(`${uel}@PJL FSDELETE NAME="secret"\r\n`)).toThrow(/: FSDELETE$/);
  });
});
