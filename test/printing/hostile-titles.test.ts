/**
 * 10 000 titles by somebody who means harm (INVARIANTS.md T15, T21): whatever a document is called, its names in IPP
 * are short and valid, its envelope of PJL stays ours, and the log keeps one line a record.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { cutToOctets, jobName } from '../../src/domain/release.ts';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute, string } from '../../src/ipp/message.ts';
import { nameWithoutLanguage } from '../../src/ipp/values.ts';
import { formats } from '../../src/printing/document-format.ts';
import { universalExit } from '../../src/printing/pjl-guard.ts';
import { pjlEnvelope } from '../../src/printing/raw/pjl.ts';
import { readRawDocument } from '../../src/simulator/printer/raw/pjl-dialogue.ts';
import { sampleTicket } from '../support/sample-ticket.ts';

/** What has broken printers, spoolers, terminals and logs. */
const traps = [
  universalExit,
  '\u001b',
  '@PJL FSDELETE NAME="0:\\x"',
  '\r\n@PJL ',
  '@PJL ENTER LANGUAGE=PCL',
  '"',
  "'",
  '\u0000',
  '\n',
  '\r',
  '\t',
  '\u007f',
  '\u0085',
  '\u009b31m',
  '\u001b]0;title\u0007',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u061c',
  '\u200d',
  '\ufeff',
  '\ufffe',
  '\u{e0001}',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
  'ﬁ',
  '\uff02',
  '\uff20PJL',
  '\ufe63',
  '\u2100',
  'a\u0300\u0301',
  '\u212b',
  '%s%n',
  '$(reboot)',
  '`',
  ';',
  '|',
  '../../etc/passwd',
  '</script>',
  '{"level":"fatal"}',
  'İ',
  '👩‍👩‍👧‍👦',
];

const title = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...traps) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** The seed stands in the message of whatever fails. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const titles = fc.sample(title, { numRuns: 10_000, seed });

const releaseId = '7f3a9c21'.padEnd(32, '0');
/** False for a lone surrogate too, which UTF-8 has no octets for. */
const isWellFormed = (text: string) => Buffer.from(text).toString() === text;
const unseemly = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** The first title of which it is not so. */
const exceptions = (isSo: (name: string) => boolean) => titles.find((name) => !isSo(name));

describe(`whatever a document is called (seed ${seed})`, () => {
  it('its names in IPP have at most 255 octets of valid UTF-8, show what they are, and come back as sent', () => {
    const comesBack = (sent: string): boolean => {
      const attributes = [attribute('job-name', nameWithoutLanguage(sent))];
      const groups = [{ tag: 'operation-attributes', attributes }] as const;
      const octets = encodeMessage({ version: [2, 0], code: 5, requestId: 1, groups });
      return string(decodeMessage(octets).message.groups[0]?.attributes ?? [], 'job-name') === sent;
    };
    const isGood = (sent: string) =>
      Buffer.byteLength(sent) <= 255 && isWellFormed(sent) && !unseemly.test(sent) && comesBack(sent);
    expect(exceptions((name) => isGood(jobName(name, releaseId)))).toBeUndefined();
    expect(exceptions((name) => isGood(cutToOctets(name, 255)))).toBeUndefined();
    expect(exceptions((name) => jobName(name, releaseId).endsWith(' [7f3a9c21]'))).toBeUndefined();
  });

  it('its envelope holds one UEL before ENTER LANGUAGE and one after the data', () => {
    const data = Buffer.from('%PDF-1.7\n');
    const isOurs = (part: string): boolean =>
      part.startsWith(`${universalExit}@PJL\r\n`) &&
      part.lastIndexOf('\u001b') === 0 &&
      /^(@PJL[ !-~]*\r\n)+$/.test(part.slice(universalExit.length));
    const isGood = (name: string): boolean => {
      const user = { id: 1, providerId: 1, userName: name, fullName: name };
      const ticket = sampleTicket({ name }, { sendUsername: true, user });
      const { head, tail } = pjlEnvelope(ticket, formats.pdf);
      const entered = head.toString('latin1').match(/^@PJL ENTER LANGUAGE=.*$/gm) ?? [];
      return (
        isOurs(head.toString('latin1')) &&
        isOurs(tail.toString('latin1')) &&
        entered.join() === '@PJL ENTER LANGUAGE=PDF' &&
        readRawDocument(Buffer.concat([head, data, tail]), true).deviations.length === 0
      );
    };
    expect(exceptions(isGood)).toBeUndefined();
  });

  it('the log has one line of printable characters for it', () => {
    let lines: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const isGood = (name: string): boolean => {
      lines = [];
      log.info('a title', { name, list: [name], error: new Error(name) });
      const [line = '', ...more] = lines;
      const record = JSON.parse(line) as { msg: string };
      return more.length === 0 && !unseemly.test(line.slice(0, -1)) && record.msg === 'a title';
    };
    expect(exceptions(isGood)).toBeUndefined();
  });

  it('64 KiB of it are cut like anything else', () => {
    for (const unit of ['x', 'é', '👩‍👩‍👧‍👦', '\ud800', '\u202e', universalExit, '"']) {
      const name = unit.repeat(65_536 / unit.length);
      const sent = jobName(name, releaseId);
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(255);
      expect(isWellFormed(sent)).toBe(true);
      const { head } = pjlEnvelope(sampleTicket({ name }), formats.pdf);
      expect(head.length).toBeLessThan(400);
      expect(head.lastIndexOf('\u001b')).toBe(0);
    }
  });
});
