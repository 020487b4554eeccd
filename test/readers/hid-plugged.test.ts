import { expect, it } from 'vitest';
import { until } from '../contracts/reader.ts';
import { setKeyboardStage } from '../contracts/hid-stage.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

it('a keyboard is grabbed as soon as it is plugged in, and no wait is sat out: until then it types at every console (I5)', async () => {
  await using stage = await setKeyboardStage();
  await stage.unplug();
  const words: string[] = [];
  const reader = stage.open({
    name: 'front',
    // It stands still.
    clock: createSteeredClock(),
    framing: { kind: 'line' },
    log: recordLog().log,
    events: {
      onUp: () => words.push('up'),
      onDown: () => words.push('down'),
      onFrame() {},
      onCard() {},
    },
  });
  const stop = new AbortController();
  const running = reader.run(stop.signal);
  await until(() => expect(words).toEqual(['down']));
  await stage.plugIn();
  await until(() => expect(words).toEqual(['down', 'up']));
  stop.abort();
  await running;
});
