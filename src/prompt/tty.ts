/**
 * A terminal device as bytes in and out (tty(4), termios(3)). It is raw and without echo while open; closing restores
 * its mode. Writes never block. With node's own stream, a console stopped by Scroll Lock would block the agent and all
 * its printers.
 */
import { constants, fstatSync, openSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import { isatty, ReadStream } from 'node:tty';
import { errnoOf } from '../core/errno.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';

export interface Tty extends AsyncDisposable {
  /** Resolves when the terminal has taken the text. Rejects when the terminal is gone or takes nothing for 5 s. */
  write(text: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Rejects when the terminal goes. */
  readonly gone: Promise<never>;
}

// The device does not become the agent's controlling terminal, and opening and writing never wait for it.
const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;

const patience = { writing: seconds(5), leaving: milliseconds(500) };
const pause = milliseconds(50);

/** Rejects if the path is not a terminal or cannot be opened. `leaving` is written before closing. */
export async function openTty(
  path: string,
  { clock, leaving, onBytes }: { clock: Clock; leaving: string; onBytes(bytes: Uint8Array): void },
): Promise<Tty> {
  await using opened = new AsyncDisposableStack();
  const output = opened.use(await open(path, flags));
  if (!isatty(output.fd)) throw new Error(`${path} is no terminal`);
  if (await isOfAnotherJob(path)) throw new Error(`${path} is in use: platen runs in the background of it`);
  const input = new ReadStream(openSync(path, flags));
  opened.defer(() => void input.destroy());
  const gone = new Promise<never>((_, reject) => {
    input.on('error', reject);
    input.once('close', () => reject(new Error(`${path} was closed`)));
  });
  // It also rejects when the terminal is closed here, and then no code waits for it.
  gone.catch(() => {});
  input.setRawMode(true);
  input.on('data', onBytes);
  const held = opened.move();
  return {
    gone,
    write: (text, { signal }) => writeAll(output, text, { clock, signal, limit: patience.writing }),
    async [Symbol.asyncDispose]() {
      input.removeAllListeners('data');
      // If the terminal is gone, there is no screen to leave, so an error does not matter.
      const signal = clock.deadline(patience.leaving);
      await writeAll(output, leaving, { clock, signal, limit: patience.leaving }).catch(() => {});
      input.setRawMode(false);
      await held.disposeAsync();
    },
  };
}

/**
 * Whether the path is the agent's own terminal while another job is in the foreground. Then reading or setting it would
 * stop the whole process with all its terminals (termios(3), proc_pid_stat(5)).
 */
async function isOfAnotherJob(path: string): Promise<boolean> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isOwn = path === controllingTerminal || String(deviceOf(path)) === terminal;
  return isOwn && group !== foreground;
}

const deviceOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.rdev;

async function writeAll(
  output: FileHandle,
  text: string,
  { clock, limit, signal }: { readonly clock: Clock; readonly limit: Duration; readonly signal: AbortSignal },
): Promise<void> {
  let left = Buffer.from(text);
  let movedAt = clock.monotonic();
  while (left.length > 0) {
    const taken = await writeSome(output, left);
    left = left.subarray(taken);
    if (taken > 0) movedAt = clock.monotonic();
    else if (clock.monotonic() - movedAt >= limit) throw new Error('the terminal takes nothing');
    else await clock.sleep(pause, { signal });
  }
}

async function writeSome(output: FileHandle, bytes: Uint8Array): Promise<number> {
  try {
    return (await output.write(bytes)).bytesWritten;
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0;
    throw error;
  }
}

/** Whether standard output goes to this terminal. It would garble the screen. */
export function isStandardOutput(path: string): boolean {
  if (!isatty(1)) return false;
  return path === controllingTerminal || deviceOf(path) === fstatSync(1).rdev;
}

/** See tty(4). */
const controllingTerminal = '/dev/tty';
