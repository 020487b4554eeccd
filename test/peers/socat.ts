/**
 * A reader's serial port without a reader: socat joins two pseudo-terminals, the agent opens `path`, the test writes
 * into the other one. socat can be ended in order, which removes the links, or killed, which leaves them dangling.
 */
import { constants, existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeerProcess } from '../support/process-group.ts';
import { startProcess, whenReady } from '../support/process-group.ts';

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
  let socat: PeerProcess | undefined;

  async function unplug(signal: NodeJS.Signals): Promise<void> {
    socat?.signal(signal);
    await socat?.exited;
    // Still dangling, but not at the number of a pseudo-terminal that another test gets.
    for (const link of [reader, path].filter((left) => lstatSync(left, { throwIfNoEntry: false }))) {
      rmSync(link);
      symlinkSync('gone', link);
    }
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
      const started = await startProcess(
        'socat',
        [reader, path].map((link) => `PTY,link=${link},raw,echo=0`),
        {},
      );
      socat = started;
      await whenReady(
        'socat',
        () => {
          if (!existsSync(reader) || !existsSync(path)) throw new Error('its pseudo-terminals are not there');
        },
        started,
      );
    },
    unplug,
    async [Symbol.asyncDispose]() {
      await unplug('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}
