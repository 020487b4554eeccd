/**
 * Tells a badge reader that types from a person who does: nobody types four keys and Enter with less than 30 ms between
 * them. Keys are held back until it is clear which of the two it is. No start character is needed, which somebody's
 * password would have in it as well.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { Key } from './keys.ts';

const fastest = milliseconds(30);
const shortestNumber = 4;
/** More is no badge but a key that is stuck, or a flood: it is not held back (I8). */
const longestNumber = 256;

export interface Wedge {
  push(keys: readonly Key[]): void;
  /** What is held back is nobody's any more. */
  close(): void;
}

export function createWedge(world: {
  readonly clock: Clock;
  onKey(key: Key): void;
  onNumber(text: string): void;
  /** No half line is there that such keys could belong to. */
  isAwaited(): boolean;
}): Wedge {
  const { clock } = world;
  let run: Key[] = [];
  let timer: unknown;

  function release(): void {
    const held = run;
    run = [];
    for (const key of held) world.onKey(key);
  }

  return {
    push(keys) {
      clock.clearTimeout(timer);
      for (const key of keys) {
        run.push(key);
        if (run.length > longestNumber) release();
        if (key.kind !== 'enter') continue;
        const number = textOf(run.slice(0, -1));
        if (number === undefined || !world.isAwaited()) release();
        else {
          run = [];
          world.onNumber(number);
        }
      }
      if (run.length > 0) timer = clock.setTimeout(release, fastest);
    },
    close() {
      clock.clearTimeout(timer);
      run = [];
    },
  };
}

function textOf(keys: readonly Key[]): string | undefined {
  const text = keys.map((key) => (key.kind === 'text' ? key.text : undefined));
  return text.length >= shortestNumber && text.every((one) => one !== undefined) ? text.join('') : undefined;
}
