/** The reader that plays a keyboard, in a process of its own: what it needs there, and that it lets it end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { setKeyboardStage } from '../contracts/hid-stage.ts';

const source = (path: string): string => new URL(`../../src/${path}`, import.meta.url).href;

/** Runs the reader in a process, and gives what it has printed when it is over. */
async function runAlone(parts: { preparation?: string; grab: string; onUp: string; onDown: string }) {
  const stage = await setKeyboardStage();
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const script = `
    ${parts.preparation ?? ''}
    const { openHidReader } = await import('${source('readers/hid/hid.ts')}');
    const { createGrab } = await import('${source('readers/hid/ioctl.ts')}');
    const { systemClock } = await import('${source('core/clock.ts')}');
    const stop = new AbortController();
    const quiet = () => {};
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, with: () => log };
    const events = {
      onCard: quiet, onFrame: quiet, onUp() { ${parts.onUp} }, onDown({ message }) { ${parts.onDown} }
    };
    const place = { name: 'front', at: '${stage.path}', framing: { kind: 'line' }, grab: ${parts.grab} };
    await openHidReader({ ...place, clock: systemClock, log, events }).run(stop.signal);
    console.log('stopped');`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

const granted = 'async () => {}';
/** After it has begun to read. */
const later = (what: string): string => `setTimeout(() => { ${what} }, 100);`;

it('a keyboard reader does not keep its process alive once it is stopped', async () => {
  const onUp = later('stop.abort();');
  expect(await runAlone({ grab: granted, onUp, onDown: '' })).toBe('stopped\n');
});

it('a keyboard reader does not keep its process from exiting while it reads', async () => {
  const onUp = later(`console.log('exit'); process.exit(0);`);
  expect(await runAlone({ grab: granted, onUp, onDown: '' })).toBe('exit\n');
});

it('a keyboard reader is not read without koffi, and says what to install', async () => {
  const preparation = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (name === 'koffi') throw new Error('not installed');
        return next(name, context);
      },
    });`;
  const onDown = 'console.log(message); stop.abort();';
  const printed = await runAlone({ preparation, grab: 'createGrab()', onUp: `console.log('up');`, onDown });
  expect(printed).toMatch(/the package koffi is missing.*npm install koffi\nstopped\n$/);
  expect(printed).not.toMatch(/^up$/m);
});
