/** From the bytes of an event node to what was typed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventCutter, createKeystrokes } from '../../src/readers/hid/keystrokes.ts';
import {
  bytesOf,
  capsLock,
  enter,
  keypadEnter,
  leftShift,
  press,
  release,
  repeat,
  strike,
  strikesOf,
  synDropped,
  tab,
} from '../support/reader/keyboard-samples.ts';

const typedIn = (bytes: Uint8Array): string =>
  Buffer.from(createKeystrokes().type(createEventCutter()(bytes), 0)).toString('latin1');

describe('a keyboard', () => {
  // By linux/input-event-codes.h: KEY_1 2, KEY_0 11, KEY_A 30, KEY_Z 44, KEY_KP0 82, KEY_KP7 71, KEY_MINUS 12.
  it.each<[string, readonly number[], string]>([
    ['digits of the top row', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], '1234567890'],
    ['digits of the keypad', [79, 80, 81, 75, 76, 77, 71, 72, 73, 82], '1234567890'],
    ['letters', [30, 48, 46, 32, 18, 33, 44, 16, 17], 'abcdefzqw'],
    ['signs', [12, 13, 39, 40, 41, 43, 51, 52, 53, 26, 27, 57], "-=;'`\\,./[] "],
    ['signs of the keypad', [55, 74, 78, 83, 98, 117], '*-+./='],
    ['the keys that end a number', [enter, keypadEnter, tab], '\r\r\r'],
    ['keys that are no characters', [1, 59, 103, 111, 240], '\0\0\0\0\0'],
    ['locks, which change nothing', [capsLock, 30, 69, 79, 70], 'a1'],
  ])('types %s by their positions, whatever the layout of the machine', (_, codes, text) => {
    expect(typedIn(bytesOf(codes.flatMap(strike)))).toBe(text);
  });

  it('types capitals and signs with either shift', () => {
    const withShift = (shift: number, code: number) => [...press(shift), ...strike(code), ...release(shift)];
    expect(typedIn(bytesOf([...withShift(leftShift, 30), ...withShift(54, 39), ...strike(30)]))).toBe('A:a');
  });

  it('types nothing of releases and of auto-repeat', () => {
    expect(typedIn(bytesOf([...release(3), ...press(2), ...repeat(2), ...repeat(2), ...release(2)]))).toBe(
      '1',
    );
  });

  it.each([29, 56, 97, 100, 125])('types no character while the command key %d is down', (command) => {
    expect(typedIn(bytesOf([...press(command), ...strike(30), ...release(command), ...strike(30)]))).toBe(
      '\0a',
    );
  });

  it('makes garbage of what the kernel dropped, up to the next report', () => {
    const lost = [synDropped, [1, 3, 1], [1, 4, 1], [0, 0, 0]] as const;
    expect(typedIn(bytesOf([...strike(2), ...lost, ...strike(5)]))).toBe('1\x004');
  });

  it('forgets what was down when the kernel dropped something', () => {
    const keystrokes = createKeystrokes();
    keystrokes.type(createEventCutter()(bytesOf([...press(leftShift), synDropped, [0, 0, 0]])), 0);
    expect(keystrokes.heldSince()).toBeUndefined();
  });

  it('reads any text that it can type, however the bytes are cut', () => {
    const characters = fc.constantFrom(...'0123456789abcdefABCDEF;:?%-=');
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.string({ unit: characters }), cuts, (text, lengths) => {
        const bytes = bytesOf(strikesOf(text));
        const cut = createEventCutter();
        const keystrokes = createKeystrokes();
        let said = '';
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1;
          said += Buffer.from(keystrokes.type(cut(bytes.subarray(at, at + length)), 0)).toString('latin1');
          at += length;
        }
        expect(said).toBe(text);
        expect(keystrokes.heldSince()).toBeUndefined();
      }),
    );
  });

  it('lives on any bytes, and types ASCII only (I8)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2400 }), (bytes) => {
        expect([...typedIn(bytes)].every((one) => one <= '~')).toBe(true);
      }),
    );
  });

  it('lives on any events (I8)', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 300 }), fc.nat(2));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const presses = events.filter(([type, , value]) => type === 1 && value === 1).length;
        const drops = events.filter(([type, code]) => type === 0 && code === 3).length;
        expect(typedIn(bytesOf(events)).length).toBeLessThanOrEqual(presses + drops);
      }),
    );
  });
});
