/**
 * Distinguishes a badge reader that types from a person: no person types four keys and Enter with less than 30 ms
 * between them. Keys are held back until this is clear. A start character would not help, because a password may
 * contain it.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { Key } from './keys.ts';

const fastest = milliseconds(30);
const shortestNumber = 4;
/** A longer run is a stuck key or a flood, not a badge. It is not held back (I8). */
const longestNumber = 256;

export interface Wedge {
  push(keys: readonly Key[]): void;
  /** Drops the keys that are held back. */
  close(): void;
}

export function createWedge(world: {
  readonly clock: Clock;
  onKey(key: Key): void;
  onNumber(text: string): void;
  /** Whether no line is begun, so that the keys can only be a badge. */
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
