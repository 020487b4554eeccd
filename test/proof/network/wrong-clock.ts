/** A wall clock that is wrong for one program, the library of TLS included, and can be set while that runs. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Duration } from '../../../src/core/duration.ts';
import { milliseconds } from '../../../src/core/duration.ts';

const source = fileURLToPath(new URL('wrong-clock.c', import.meta.url));

export interface WrongClock {
  /** What begins the command of a program that is to have it. */
  readonly enter: readonly string[];
  /** So far from the right time, in whole seconds. */
  set(wrongBy: Duration): void;
}

/** Its files are in the folder. It is right at first. */
export function makeWrongClock(folder: string): WrongClock {
  const library = join(folder, 'wrong-clock.so');
  execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', library, source]);
  const file = join(folder, 'wrong-by');
  const set = (wrongBy: Duration): void => {
    const by = Buffer.alloc(8);
    by.writeBigInt64LE(BigInt(Math.round(wrongBy / 1000)));
    // In place: the program looks at this very file.
    const opened = openSync(file, constants.O_CREAT | constants.O_WRONLY);
    writeSync(opened, by);
    closeSync(opened);
  };
  set(milliseconds(0));
  return { enter: ['env', `LD_PRELOAD=${library}`, `WRONG_CLOCK=${file}`], set };
}
