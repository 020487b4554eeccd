/** What a configuration may say of USB readers, and where. */
import { describe, expect, it } from 'vitest';
import { readersOfOtherSystems, withoutDistinction } from '../../src/config/doubtful-readers.ts';
import { outsideOf } from '../../src/config/outside.ts';
import { reader as readerIn, readerName } from '../../src/config/schema/reader.ts';

const readerSchema = readerIn(outsideOf('.', {}));

const keyboard = '/dev/input/by-id/usb-ELATEC-event-kbd';
const layout = 'magtek-track-2';

const hid = (settings: object) => readerSchema.parse({ type: 'hid', ...settings });
const withReaders = (...readers: readonly object[]) => ({
  terminals: readers.map((one, at) => ({ id: `t${at}`, readers: [hid(one)] })),
});

describe('a USB reader in the configuration', () => {
  it('is known by its path, or by its device', () => {
    expect(readerName(hid({ path: keyboard }))).toBe(keyboard);
    expect(readerName(hid({ device: '09d8:0410' }))).toBe('09d8:0410');
  });

  it.each<[string, object, string | undefined]>([
    ['a keyboard at a path', { path: keyboard }, undefined],
    ['a device with a serial number', { device: '09D8:0410:A-1' }, undefined],
    ['a hidraw node with its layout', { path: '/dev/hidraw0', layout }, undefined],
    ['a length', { path: keyboard, framing: { kind: 'fixed', length: 10 } }, undefined],
    ['a silence', { path: keyboard, framing: { kind: 'gap' }, silentAfterHours: 12 }, undefined],
    ['neither path nor device', {}, 'path'],
    ['both path and device', { path: keyboard, device: '09d8:0410' }, 'path'],
    ['no path', { path: 'event3' }, 'path'],
    ['no device', { device: '9d8:410' }, 'device'],
    ['a hidraw node without a layout', { path: '/dev/hidraw0' }, 'layout'],
    ['a keyboard with a layout', { path: keyboard, layout }, 'layout'],
    ['an unknown layout', { device: '09d8:0410', layout: 'of-my-own' }, 'layout'],
    ['framed reports', { device: '0801:0002', layout, framing: { kind: 'line' } }, 'framing'],
    ['STX and ETX, which are no keys', { path: keyboard, framing: { kind: 'stx-etx' } }, 'framing'],
    ['the pauses of a person', { path: keyboard, framing: { kind: 'gap', milliseconds: 500 } }, 'framing'],
  ])('has %s, or has not', (_, settings, mistake) => {
    const { error } = readerSchema.safeParse({ type: 'hid', ...settings });
    expect(error?.issues.map(({ path }) => path[0]) ?? []).toEqual(mistake === undefined ? [] : [mistake]);
  });

  it.each<[string, object, object, boolean]>([
    ['other paths', { path: '/dev/input/event3' }, { path: '/dev/input/event4' }, true],
    ['the same path', { path: keyboard }, { path: keyboard }, false],
    ['other devices', { device: '09d8:0410' }, { device: '0c27:3bfa' }, true],
    ['serial numbers', { device: '09d8:0410:1' }, { device: '09d8:0410:2' }, true],
    ['the same device', { device: '09D8:0410' }, { device: '09d8:0410' }, false],
    ['one serial number', { device: '09d8:0410' }, { device: '09d8:0410:2' }, false],
  ])('of two terminals has %s: can be told apart? %j %j %s', (_, one, other, can) => {
    expect(withoutDistinction(withReaders(one, other))).toHaveLength(can ? 0 : 1);
  });

  it.each<[NodeJS.Platform, number]>([
    ['linux', 0],
    ['win32', 1],
    ['darwin', 1],
  ])('on %s is one of %d mistakes', (platform, mistakes) => {
    const found = readersOfOtherSystems(withReaders({ path: keyboard }), platform);
    expect(found).toHaveLength(mistakes);
    expect(found.map(({ path }) => path)).toEqual(found.map(() => ['terminals', 0, 'readers', 0, 'type']));
  });
});
