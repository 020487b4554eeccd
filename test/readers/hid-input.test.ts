/** What is made of what a USB reader sends, with a clock that the test turns. */
import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import type { FramingRule } from '../../src/readers/intake/framing.ts';
import { createKeyboardInput, createRawInput } from '../../src/readers/hid/hid-input.ts';
import { proximityLayout, proximityReport } from '../contracts/hid-stage.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import {
  bytesOf,
  enter,
  press,
  release,
  repeat,
  strike,
  strikesOf,
  typed,
} from '../support/reader/keyboard-samples.ts';

function recorder(framing: FramingRule = { kind: 'line' }) {
  const clock = createSteeredClock();
  const reported: string[] = [];
  const options = {
    name: 'front',
    framing,
    clock,
    log: recordLog().log,
    events: {
      onCard: ({ card }: { card: { reveal(): string } }) => void reported.push(card.reveal()),
      onRemoved: ({ card }: { card: { reveal(): string } }) => void reported.push(`removed ${card.reveal()}`),
      onUp: () => {},
      onDown: () => {},
      onKey: (state: string) => void reported.push(state),
      onFrame: (verdict: string) => void (verdict === 'accepted' || reported.push(verdict)),
    },
  };
  return { clock, reported, options, after: (span: number) => clock.advance(milliseconds(span)) };
}

describe('a keyboard', () => {
  it('whose key stays down is counted once, until the key is let go', async () => {
    const { reported, options, after } = recorder();
    const input = createKeyboardInput(options)();
    input.push(bytesOf(press(30)));
    for (let turn = 0; turn < 20; turn += 1) {
      input.push(bytesOf(repeat(30)));
      await after(249);
    }
    expect(reported).toEqual([]);
    await after(1000);
    expect(reported).toEqual(['garbage', 'stuck']);
    input.push(bytesOf(release(30)));
    expect(reported).toEqual(['garbage', 'stuck', 'free']);
  });

  it('whose key was stuck when it went is free of it', async () => {
    const { clock, reported, options, after } = recorder();
    const input = createKeyboardInput(options)();
    input.push(bytesOf(press(30)));
    await after(5000);
    input.close();
    expect(reported).toEqual(['garbage', 'stuck', 'free']);
    expect(clock.waits()).toEqual([]);
  });

  it('that types badges has no stuck key', async () => {
    const { reported, options, after } = recorder();
    const input = createKeyboardInput(options)();
    for (let turn = 0; turn < 4; turn += 1) {
      input.push(typed('4711'));
      await after(2000);
    }
    expect(reported).toEqual(['4711', '4711', '4711', '4711']);
  });

  it.each<[string, FramingRule]>([
    ['a silence', { kind: 'gap', milliseconds: 50 }],
    ['its length', { kind: 'fixed', length: 8 }],
  ])('ends a number by %s, where that is set', async (_, framing) => {
    const { reported, options, after } = recorder(framing);
    const input = createKeyboardInput(options)();
    for (const key of strikesOf('04711815')) input.push(bytesOf([key]));
    await after(2000);
    input.push(bytesOf([...strikesOf('12345678'), ...strike(enter)]));
    await after(2000);
    expect(reported).toEqual(['04711815', '12345678']);
  });

  it.each<[string, FramingRule]>([
    ['Enter', { kind: 'line' }],
    ['a silence', { kind: 'gap', milliseconds: 50 }],
    ['its length', { kind: 'fixed', length: 4 }],
  ])('on which somebody types, or leans, makes no badge ended by %s (I8)', async (_, framing) => {
    const { reported, options, after } = recorder(framing);
    const input = createKeyboardInput(options)();
    for (const key of [5, 8, 2, 2, 5, 8]) {
      input.push(bytesOf(strike(key)));
      await after(120);
    }
    input.push(bytesOf([...strike(5), ...strike(enter)]));
    await after(120);
    expect(new Set(reported)).toEqual(new Set(['garbage']));
  });
});

describe('a reader of raw reports', () => {
  it('tells once that the card was taken away', () => {
    const { reported, options } = recorder();
    const input = createRawInput({ ...options, layout: proximityLayout })();
    for (const number of ['', '4711', '4711', '', '']) input.push(proximityReport(number));
    expect(reported).toEqual(['4711', 'still-there', 'removed 4711']);
  });

  it('keeps no number of a card that lay there when it went (D3)', () => {
    const { reported, options } = recorder();
    const open = createRawInput({ ...options, layout: proximityLayout });
    const before = open();
    before.push(proximityReport('4711'));
    before.close();
    open().push(proximityReport(''));
    expect(reported).toEqual(['4711']);
  });

  it('counts a report that holds no number, and reads the next', () => {
    const { reported, options } = recorder();
    const input = createRawInput({ ...options, layout: proximityLayout })();
    for (const report of [[3, 11], [3], [3, 3, 1], [3, 1, 0xff]]) input.push(Uint8Array.from(report));
    expect(reported).toEqual(['garbage', 'garbage', 'garbage', 'FF']);
  });
});
