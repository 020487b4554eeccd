/** `platen log-level` where there is nobody to ask, and what it does not take; the rest is in `test/flows/support-bundle.test.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { debugOnSignal } from '../../src/commands/log-level/log-signal.ts';
import { createLog } from '../../src/core/log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { minutes } from '../../src/core/duration.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { notRunning } from '../../src/commands/control-call.ts';
import { commandHere } from '../support/command-here.ts';

it('says that no agent runs, and exits 3', async () => {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  const file = join(temporary.path, 'platen.yaml');
  const url = 'http://127.0.0.1:9';
  writeFileSync(
    file,
    JSON.stringify({ cloud: { baseUrl: url, authUrl: url, apiKey: 'key' }, stateDir: 'state' }),
  );
  const said = await commandHere(['log-level', 'debug', '-c', file]);
  expect(said).toMatchObject({ code: 3, out: '' });
  expect(said.error).toBe(`platen: ${notRunning(file)}`);
});

it.each([['info'], ['debug', '--minutes', '0'], ['debug', '--minutes', '16'], ['debug', '--minutes', '1.5']])(
  'does not take %s %s %s (T20)',
  async (...args) => {
    expect(await commandHere(['log-level', ...args, '-c', 'none.yaml'])).toMatchObject({ code: 64 });
  },
);

it('by signal opens the window for a quarter of an hour, and closes it at once when it comes again', async () => {
  const clock = createSteeredClock();
  const { levels } = createLog({ level: 'info', clock, destination: { write: () => {} } });
  const signal = () => process.emit('SIGUSR2');
  {
    using _hook = debugOnSignal(levels);
    signal();
    await clock.advance(minutes(14));
    expect(levels.isWindowOpen()).toBe(true);
    await clock.advance(minutes(1));
    expect(levels.isWindowOpen()).toBe(false);
    signal();
    signal();
    expect(levels.isWindowOpen()).toBe(false);
    signal();
  }
  expect(levels.isWindowOpen()).toBe(false);
  expect(process.listenerCount('SIGUSR2')).toBe(0);
});
