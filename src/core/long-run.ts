/**
 * The flags of V8 for a process that serves for days. They are set when the program is loaded. On Node's command line
 * each of them makes V8 refuse the compiled code of Node's own modules, and a start takes 16 ms longer.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * How often a function has to be called before V8 translates it once more, for speed. A start calls many of them some
 * hundred times and never again, and would pay for the translation with a sixth of its time, and with 5 MB of
 * compilers. A process that serves for days reaches these numbers too.
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
 * While a person is there, the young generation may grow to eight times its size, so V8 collects it less often. The
 * collection after the person gives the room back.
 */
export const stretch = (): void => growBy(8);
export const shrink = (): void => growBy(1);

/** A process that has not settled in keeps V8's own way. */
function growBy(factor: number): void {
  if (globalThis.gc) setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** Makes `globalThis.gc`, as `--expose-gc` does. `oblivion.ts` calls it. */
export function exposeCollector(): void {
  setFlagsFromString('--expose-gc');
  globalThis.gc ??= runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
}
