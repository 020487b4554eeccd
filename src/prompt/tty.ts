/**
 * A terminal device as bytes in and out (tty(4), termios(3)): raw and without echo while it is open, as it was before
 * afterwards. Writing never blocks: node's own stream would, and a console that somebody stopped with Scroll Lock
 * would stop the agent of three hundred printers.
 */
import { constants, fstatSync, openSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import { isatty, ReadStream } from 'node:tty';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';

export interface Tty extends AsyncDisposable {
  /** Resolves when the terminal has taken it. Rejects when the terminal is gone, or takes nothing for 5 s. */
  write(text: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Rejects when the terminal goes. */
  readonly gone: Promise<never>;
}

// It becomes nobody's controlling terminal, and neither opening nor writing waits for it.
const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;

const patience = { writing: seconds(5), leaving: milliseconds(500) };
const pause = milliseconds(50);

/** Rejects when the path is no terminal, or none that may be opened. `leaving` is written last. */
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
  // It rejects at our own closing too, when nobody waits for it any longer.
  gone.catch(() => {});
  input.setRawMode(true);
  input.on('data', onBytes);
  const held = opened.move();
  return {
    gone,
    write: (text, { signal }) => writeAll(output, text, { clock, signal, limit: patience.writing }),
    async [Symbol.asyncDispose]() {
      input.removeAllListeners('data');
      // A terminal that is gone has no screen to leave and no mode to go back to.
      const signal = clock.deadline(patience.leaving);
      await writeAll(output, leaving, { clock, signal, limit: patience.leaving }).catch(() => {});
      input.setRawMode(false);
      await held.disposeAsync();
    },
  };
}

/**
 * Whether it is our own terminal, with another job in front: whoever sets or reads it then is stopped as a whole, and
 * all other terminals of the agent with it (termios(3), proc_pid_stat(5)).
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
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Whether standard output comes to this terminal, where it would garble the screen. */
export function isStandardOutput(path: string): boolean {
  if (!isatty(1)) return false;
  return path === controllingTerminal || deviceOf(path) === fstatSync(1).rdev;
}

/** tty(4) */
const controllingTerminal = '/dev/tty';
