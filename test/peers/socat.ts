/**
 * A reader's serial port without a reader: socat joins two pseudo-terminals, the agent opens `path`, the test writes
 * into the other one. socat can be ended in order, which removes the links, or killed, which leaves them dangling.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';

export interface SocatPair extends AsyncDisposable {
  /** What the agent opens. */
  readonly path: string;
  write(bytes: string | Uint8Array): Promise<void>;
  plugIn(): Promise<void>;
  unplug(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Nothing is plugged in yet: `path` does not exist. */
export async function createSocatPair(): Promise<SocatPair> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-socat-'));
  const path = join(folder, 'host');
  const reader = join(folder, 'reader');
  let socat: ChildProcess | undefined;

  async function unplug(signal: NodeJS.Signals): Promise<void> {
    if (!socat || socat.exitCode !== null || socat.signalCode !== null) return;
    const exited = once(socat, 'exit');
    socat.kill(signal);
    await exited;
  }

  return {
    path,
    async write(bytes) {
      const port = await open(reader, constants.O_WRONLY | constants.O_NOCTTY);
      try {
        await port.writeFile(bytes);
      } finally {
        await port.close();
      }
    },
    async plugIn() {
      socat = spawn(
        'socat',
        [reader, path].map((link) => `PTY,link=${link},raw,echo=0`),
        { stdio: 'ignore' },
      );
      const deadline = systemClock.deadline(seconds(3));
      while (!existsSync(reader) || !existsSync(path)) {
        await systemClock.sleep(milliseconds(5), { signal: deadline });
      }
    },
    unplug,
    async [Symbol.asyncDispose]() {
      await unplug('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}
