import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PjlMessage } from '../../../src/printing/raw/pjl-messages.ts';
import { pjlDevice, pjlEar } from '../../../src/printing/raw/pjl-messages.ts';

const heard = (...chunks: readonly (string | Uint8Array)[]): readonly PjlMessage[] => {
  const messages: PjlMessage[] = [];
  const ear = pjlEar((message) => messages.push(message));
  for (const chunk of chunks) ear.hear(Buffer.from(chunk as string, 'latin1'));
  ear.end();
  return messages;
};

const ready = '@PJL INFO STATUS\r\nCODE=10001\r\nDISPLAY="READY"\r\nONLINE=TRUE\r\n\f';
const end = '@PJL USTATUS JOB\r\nEND\r\nNAME="A [7f3a9c21]"\r\nPAGES=3\r\nID=346\r\nRESULT=OK\r\n\f';
const ended = { kind: 'job', event: 'END', name: 'A [7f3a9c21]', pages: 3, result: 'OK' };

describe('what a printer says in PJL', () => {
  it.each([
    ['a status', ready, [{ kind: 'device', code: 10_001, online: true, isAnswer: true }]],
    [
      'a status without ONLINE',
      '@PJL USTATUS DEVICE\r\nCODE=40021\r\n\f',
      [{ kind: 'device', code: 40_021, online: undefined }],
    ],
    ['the end of a job', end, [ended]],
    ['lines that end in a mere line feed', end.replaceAll('\r', ''), [ended]],
    ['a page', '@PJL USTATUS PAGE\r\n12\r\n\f', [{ kind: 'page', page: 12 }]],
    [
      'two messages with no form feed between or after them',
      (end + end).replaceAll('\f', ''),
      [ended, ended],
    ],
    ['a command that it does not know', '@PJL INFO STATUS\r\n"?"\r\n\f', []],
    ['a status that is no number', '@PJL INFO STATUS\r\nCODE=ready\r\n\f', []],
    ['a page that no printer prints', '@PJL USTATUS PAGE\r\n99999999\r\n\f', []],
    ['an event of no meaning', '@PJL USTATUS JOB\r\nBEGUN\r\n\f', []],
    ['something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', []],
  ])('is understood: %s', (_, said, messages) => {
    expect(heard(said)).toEqual(messages);
  });

  it('is understood however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const chunks: string[] = [];
        let rest = ready + end;
        for (const size of sizes) {
          chunks.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        expect(heard(...chunks, rest)).toEqual(heard(ready + end));
      }),
    );
  });

  it.each([
    ['after a line without end', Buffer.alloc(5000, 'x')],
    ['after 64 KiB of talk', Buffer.from('@PJL USTATUS TIMED\r\n\f'.repeat(4000))],
  ])('is no longer listened to %s (T14)', (_, flood) => {
    expect(heard(flood, '\r\n', end)).toEqual([]);
  });

  it('may be any octets: nothing throws, nothing hangs, and counters stay counters (T14, G7)', () => {
    const words = [
      '@PJL USTATUS JOB\r\n',
      '@PJL INFO STATUS\r\n',
      'END\r\n',
      'NAME="',
      'PAGES=',
      '=',
      '\f',
      '\r\n',
    ];
    const noise = fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 60 }), (pieces) => {
        const messages = heard(...pieces);
        for (const one of messages) if (one.kind === 'device') pjlDevice(one.code, one.online);
        const counters = messages.flatMap((one) => (one.kind === 'page' ? [one.page] : []));
        expect(counters.every((page) => page < 10_000_000)).toBe(true);
        const names = messages.flatMap((one) => (one.kind === 'job' ? [one.name] : []));
        expect(names.every(({ length }) => length <= 4096)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a PJL status code in the words of printer-state-reasons', () => {
  it.each([
    ['ready', 10_001, true, 'idle', []],
    ['processing', 10_023, true, 'processing', []],
    ['asleep', 40_000, true, 'idle', []],
    ['low on toner', 10_006, true, 'idle', []],
    ['one of two trays is empty', 11_204, true, 'idle', []],
    ['goes on by itself', 30_016, true, 'idle', []],
    ['taken offline at its panel', 10_002, false, 'stopped', ['offline']],
    ['a door is open', 40_021, false, 'stopped', ['cover-open']],
    ['a jam', 40_022, false, 'stopped', ['media-jam']],
    ['a jam, told by place', 42_203, false, 'stopped', ['media-jam']],
    ['no paper in any tray', 41_202, false, 'stopped', ['media-needed']],
    ['wants somebody, nobody knows why', 40_555, false, 'stopped', ['other']],
    ['broken', 50_599, false, 'stopped', ['other']],
    ['a door is open, and it is online', 40_021, true, 'stopped', ['cover-open']],
  ] as const)('%s: %i', (_, code, online, state, obstacles) => {
    expect(pjlDevice(code, online)).toMatchObject({ state, obstacles });
  });
});
