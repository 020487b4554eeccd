/**
 * What a process that serves for days asks of V8. It asks when its code is loaded, and not on Node's command line,
 * because there each of these flags makes V8 refuse the compiled code of Node's own modules: 16 ms of every start.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * How often a function has to be called before V8 translates it once more, for speed. A start calls many of them some
 * hundred times and never again, and would pay for the translation with a sixth of its time, and with 5 MB of compilers
 * that nobody has called yet. What serves for days gets there all the same.
 */
const patience = [
  '--invocation-count-for-maglev=20000',
  '--invocation-count-for-maglev-osr=20000',
  '--invocation-count-for-turbofan=100000',
];

/** Begun by `tools/platen.js`, and not, for example, a process of the tests, which has its own ways. */
export const isOwnProcess = (): boolean => process.execArgv.includes('--disable-proto=delete');

export function settleIn(): void {
  if (!isOwnProcess()) return;
  for (const flag of patience) setFlagsFromString(flag);
  exposeCollector();
  shrink();
}

/**
 * While somebody is there, V8 may let new objects gather to eight times as many before it looks which of them are still in
 * use: a release takes a sixth less of the processor, and the process some 20 MB more. The next collection after it
 * gives them back.
 */
export const stretch = (): void => growBy(8);
export const shrink = (): void => growBy(1);

/** A process that has not settled in keeps V8's own way. */
function growBy(factor: number): void {
  if (globalThis.gc) setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** From now on `globalThis.gc` collects what nobody holds any more (oblivion.ts), as with `--expose-gc`. */
export function exposeCollector(): void {
  setFlagsFromString('--expose-gc');
  globalThis.gc ??= runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
}
