/**
 * A badge reader on a pseudo-terminal. Bytes that are written here arrive unchanged at `path`, as from a serial line.
 * script(1) of util-linux makes the pseudo-terminal, so no native code is needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtempDisposable, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Audience } from '../news.ts';
import { createNews } from '../news.ts';

interface ReaderOptions {
  /** A symbolic link to the pseudo-terminal; one in a folder of its own unless set. It is removed with the reader. */
  readonly link?: string;
  /** Sent after a number; CR LF by default. */
  readonly terminator?: string;
  readonly clock?: Clock;
}

export interface VirtualReader extends AsyncDisposable, Audience {
  /**
   * The path for the agent: the link. When a pseudo-terminal ends, the kernel gives its number to the next one. An agent
   * that knew its reader by that number would then open another reader.
   */
  readonly path: string;
  /** Holds the card with this number to the reader. */
  tap(number: string): void;
  /** Writes any bytes, for example noise or half a frame. */
  write(bytes: string | Uint8Array): void;
  /** The bytes that the agent wrote to the reader, each as one character. */
  received(): string;
}

const startLimit = seconds(5);

/**
 * The terminal is raw before the agent can open it: no echo, and no special bytes. Then `cat` keeps it open until
 * descriptor 3 ends, that is until this process closes it or dies.
 */
const holdTerminal = 'stty raw -echo && tty && exec cat <&3 >/dev/null';

/** Rejects with `reader-unavailable` if script(1) is missing or gives no pseudo-terminal. */
export async function startVirtualReader(options: ReaderOptions = {}): Promise<VirtualReader> {
  const { terminator = '\r\n', clock = systemClock } = options;
  const news = createNews();
  await using opening = new AsyncDisposableStack();
  const link = options.link ?? join(opening.use(await folderOfItsOwn()).path, 'reader');
  const terminal = opening.adopt(await openTerminal(clock), (one) => one.close());
  await pointLink(link, terminal.path);
  opening.defer(() => removeLink(link, terminal.path));
  const open = opening.move();
  return {
    ...news.audience,
    path: link,
    tap(number) {
      terminal.write(number + terminator);
      news.tell('reader: a card was held to it');
    },
    write: (bytes) => terminal.write(bytes),
    received: terminal.received.text,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

const folderOfItsOwn = () => mkdtempDisposable(join(tmpdir(), 'platen-reader-'));

interface Terminal {
  readonly path: string;
  readonly received: Received;
  write(bytes: string | Uint8Array): void;
  close(): Promise<void>;
}

async function openTerminal(clock: Clock): Promise<Terminal> {
  const script = spawn('script', ['-qfc', holdTerminal, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'dumb' },
  });
  const ended = once(script, 'close');
  const { stdin, stdout } = script;
  const [, , , hold] = script.stdio;
  try {
    if (!stdin || !stdout || !hold) throw new Error('script(1) was started without pipes');
    // As with a real reader, bytes for a terminal that is gone are lost.
    stdin.on('error', () => undefined);
    const path = await announcedPath(stdout, { ended, deadline: clock.deadline(startLimit) });
    const received = createReceived();
    stdout.on('data', received.take);
    return {
      path,
      received,
      write: (bytes) => void stdin.write(bytes),
      async close() {
        hold.destroy();
        await ended;
      },
    };
  } catch (cause) {
    script.kill('SIGKILL');
    throw new Problem('reader-unavailable', 'no pseudo-terminal from script(1) of util-linux', { cause });
  }
}

/** The name that tty(1) prints, such as `/dev/pts/3`. */
async function announcedPath(
  output: Readable,
  { ended, deadline }: { ended: Promise<unknown>; deadline: AbortSignal },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
    const [path] = /^\/dev\/\S+(?=\r?\n)/m.exec(said) ?? [];
    if (path !== undefined) resolve(path);
  });
  deadline.addEventListener('abort', () => reject(deadline.reason));
  ended.then(() => reject(new Error(`it ended, saying: ${said.trim()}`)), reject);
  return promise;
}

/** Replaces an earlier link, but no other file. */
async function pointLink(link: string, target: string): Promise<void> {
  const existing = await lstat(link).catch(() => undefined);
  if (existing && !existing.isSymbolicLink()) {
    throw new Problem('reader-unavailable', `${link} is there already and is no symbolic link`);
  }
  await rm(link, { force: true });
  await symlink(target, link);
}

/** Keeps the link if another reader has taken it over. */
async function removeLink(link: string, target: string): Promise<void> {
  const current = await readlink(link).catch(() => undefined);
  if (current === target) await rm(link, { force: true });
}

const mostKept = 65_536;

interface Received {
  take(bytes: Uint8Array): void;
  /** Each byte is one character (ISO 8859-1). */
  text(): string;
}

/** Keeps the latest bytes that an agent wrote to a simulated reader, such as commands for its light and beeper. */
export function createReceived(): Received {
  let kept = '';
  return {
    take(bytes) {
      kept = (kept + Buffer.from(bytes).toString('latin1')).slice(-mostKept);
    },
    text: () => kept,
  };
}
