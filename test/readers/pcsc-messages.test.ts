/** The bytes between a client and pcscd, as pcsc-lite lays them out, and bytes that nobody laid out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import {
  answerSize,
  connectRequest,
  decodeConnected,
  decodeContext,
  decodeReaderStates,
  decodeTransmitted,
  decodeVersion,
  disconnectRequest,
  establishRequest,
  stopWaitingRequest,
  transmitRequest,
  versionRequest,
  waitRequest,
} from '../../src/readers/pcsc/pcsc-messages.ts';
import { lookForReader } from '../../src/readers/pcsc/pcsc.ts';
import { acr, pcscd } from '../contracts/pcsc-stage.ts';
import { table, words } from '../support/reader/pcsc-daemon.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('a request to pcscd', () => {
  it.each([
    ['for its version', versionRequest(4), '0c00000011000000040000000400000000000000'],
    ['for a context', establishRequest(), '0c00000001000000020000000000000000000000'],
    ['to wait', waitRequest(), '0000000013000000'],
    ['to wait no longer', stopWaitingRequest(), '0000000014000000'],
    ['to leave a card', disconnectRequest(-1 >>> 0), '0c00000006000000ffffffff0000000000000000'],
    [
      'to pass a command on',
      transmitRequest({ card: 7, protocol: 2, apdu: Uint8Array.of(0xff, 0xca, 0, 0, 0) }),
      '2000000009000000' +
        '07000000020000001000000005000000' +
        '03000000100000000801000000000000' +
        'ffca000000',
    ],
  ])('%s has its bytes', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });

  it('to connect has the place for the name filled up, and cut', () => {
    const request = connectRequest({ context: 0x1d02ff2c, reader: `Lab ${'x'.repeat(300)}` });
    expect(request).toHaveLength(8 + 152);
    expect(hex(request.subarray(0, 16))).toBe('98000000040000002cff021d4c616220');
    expect(hex(request.subarray(8 + 4 + 126))).toBe(`78000200000003000000${'00000000'.repeat(3)}`);
  });
});

describe('an answer of pcscd', () => {
  it('tells its readers, without the places that are empty', () => {
    const empty = { name: '', events: 0, bits: 0, answers: '' };
    const one = { name: 'Lab 00 00', events: 3, bits: 0x34, answers: '' };
    const other = { name: 'Lab 00 01', events: 0, bits: 2, answers: '' };
    const broken = { name: 'Lab 01 00', events: 9, bits: 1, answers: '' };
    expect(decodeReaderStates(table([empty, one, other, broken]))).toEqual([
      { name: 'Lab 00 00', events: 3, slot: 'occupied' },
      { name: 'Lab 00 01', events: 0, slot: 'empty' },
      { name: 'Lab 01 00', events: 9, slot: 'unknown' },
    ]);
  });

  it('has its numbers where pcsc-lite has them', () => {
    expect(decodeVersion(words(4, 5, 0x8010001e))).toEqual({ major: 4, minor: 5, value: 0x8010001e });
    expect(decodeContext(words(2, 9, 0))).toEqual({ context: 9, value: 0 });
    const connected = Buffer.concat([Buffer.alloc(132), words(2, 3, 0xdeadbeef, 2, 0x80100069)]);
    expect(decodeConnected(connected)).toEqual({ card: 0xdeadbeef, protocol: 2, value: 0x80100069 });
    expect(decodeTransmitted(words(0, 2, 16, 5, 3, 16, 9, 0))).toEqual({ length: 9, value: 0 });
  });

  it('may be any bytes of the right length: none of them throws (I8)', () => {
    const bytes = fc.uint8Array({ minLength: answerSize.readerStates, maxLength: answerSize.readerStates });
    fc.assert(
      fc.property(bytes, (any) => {
        const states = decodeReaderStates(Buffer.from(any));
        expect(states.length).toBeLessThanOrEqual(16);
        for (const { name } of states) expect(name.length).toBeLessThanOrEqual(127);
      }),
      { numRuns: 200 },
    );
  });
});

/** One look at pcscd, as `platen check` takes it. */
describe('a look at pcscd', () => {
  it.each<[string, string | undefined, object, RegExp]>([
    ['finds the reader there is', undefined, {}, /^ACS ACR122U PICC Interface 00 00$/],
    ['finds the reader that is named', 'ACS*', {}, /^ACS/],
    ['names those there are instead', 'HID*', {}, /no reader named HID\*, but ACS ACR122U PICC/],
    ['finds a reader that is broken', undefined, { bits: 1 }, /cannot talk to ACS/],
    ['finds none', undefined, { name: '' }, /shows no reader; check its cable/],
    ['shows nothing that does not print', undefined, { name: 'A\u001b[2J' }, /^A\?\[2J$/],
  ])('%s', async (_, reader, settings, answer) => {
    const daemon = pcscd();
    Object.assign(daemon.readers[0] ?? {}, settings);
    await daemon.start();
    const look = lookForReader({ socket: daemon.path, reader, clock: systemClock });
    expect(await look.catch((error: Error) => error.message)).toMatch(answer);
    expect(daemon.readers[0]?.name).toBe('name' in settings ? settings.name : acr);
  });

  it('says that pcscd does not run', async () => {
    const look = lookForReader({ socket: pcscd().path, reader: undefined, clock: systemClock });
    await expect(look).rejects.toThrow('systemctl start pcscd.socket');
  });
});
