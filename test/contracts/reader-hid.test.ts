/** The contract of all readers, on USB readers that play a keyboard and on those of raw reports. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { createGrab } from '../../src/readers/hid/ioctl.ts';
import {
  release,
  press,
  bytesOf,
  synDropped,
  strikesOf,
  strike,
  enter,
} from '../support/reader/keyboard-samples.ts';
import { setKeyboardStage, setRawStage } from './hid-stage.ts';
import {
  floodContract,
  openReaderOn,
  readerContract,
  runReader,
  standingTime,
  survives,
  until,
} from './reader.ts';

describe.each([
  ['plays a keyboard', () => setKeyboardStage(), 200],
  ['sends raw reports', () => setRawStage(), 20],
])('a USB reader that %s', (_, setStage, rounds) => {
  readerContract(setStage);

  it(`comes back ${rounds} times (B.4, 1 Badge read; I7)`, async () => {
    const stage = await setStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    await stage.unplug();
    const time = standingTime();
    const reader = runReader(stage.open, { clock: time.clock });
    await survives(rounds, {
      reader,
      time,
      badge: stage.badge,
      comeBack: stage.plugIn,
      goAway: stage.unplug,
    });
  });

  it('waits for a device that is absent at the start, and says so', async () => {
    const stage = await setStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    await stage.unplug();
    const time = standingTime();
    const { counts, cards, recorded } = runReader(stage.open, { clock: time.clock });
    await until(() => expect(counts.down).toBe(1));
    expect(recorded.records('reader down')).toMatchObject([
      {
        reader: 'front',
        error: { code: 'reader-unavailable', message: expect.stringMatching(/is not there$/) },
      },
    ]);
    await stage.plugIn();
    await time.later(() => expect(counts.up).toBe(1));
    await stage.badge('04a1b2c3');
    await until(() => expect(cards).toEqual(['04A1B2C3']));
  });
});

describe('a USB reader that plays a keyboard', () => {
  floodContract(() => setKeyboardStage());

  it('takes no half of a number from before the plug was pulled', async () => {
    const { stage, time, cards, counts } = await openReaderOn(() => setKeyboardStage());
    await stage.write(bytesOf(strikesOf('9999')));
    await stage.unplug();
    await until(() => expect(counts.down).toBe(1));
    await stage.plugIn();
    await time.later(() => expect(counts.up).toBe(2));
    await stage.badge('00004711');
    await until(() => expect(cards).toEqual(['00004711']));
  });

  it('makes one garbage of a number the kernel dropped keys of, and reads the next (I8)', async () => {
    const { stage, cards, counts } = await openReaderOn(() => setKeyboardStage());
    await stage.write(
      bytesOf([...strikesOf('99'), synDropped, [0, 0, 0], ...strikesOf('4711'), ...strike(enter)]),
    );
    await stage.badge('00000815');
    await until(() => expect(cards).toEqual(['00000815']));
    expect(counts.garbage).toBe(1);
  });

  it('takes nothing of what somebody types by hand (I8)', async () => {
    const { stage, time, cards, counts } = await openReaderOn(() => setKeyboardStage());
    for (const key of [5, 8, 2]) {
      const heard = time.heard();
      await stage.write(bytesOf([...press(key), ...release(key)]));
      await heard;
      await time.pass(milliseconds(110));
    }
    await stage.write(bytesOf(strike(enter)));
    await stage.badge('00000815');
    await until(() => expect(cards).toEqual(['00000815']));
    expect(counts.garbage).toBe(1);
  });

  it('is not read while another program has it (EBUSY)', async () => {
    const busy = Object.assign(new Error('taken'), { code: 'EBUSY' });
    const stage = await setKeyboardStage(() => Promise.reject(busy));
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const { counts, cards, recorded } = runReader(stage.open);
    await stage.badge('00004711');
    await until(() => expect(counts.down).toBe(1));
    expect(recorded.text()).toMatch(/is used by another program/);
    expect(counts.up).toBe(0);
    expect(cards).toEqual([]);
  });

  it('is grabbed by the kernel’s own call, which refuses what is no event node (ENOTTY)', async () => {
    const stage = await setKeyboardStage(createGrab());
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const { counts, recorded } = runReader(stage.open);
    await until(() => expect(counts.down).toBe(1));
    expect(recorded.text()).toMatch(/is not an event node/);
  });
});
