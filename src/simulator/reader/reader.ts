/**
 * A badge reader on a pseudo-terminal: what is written here arrives at `path` as from a serial line, unchanged.
 * The pseudo-terminal is made by script(1) of util-linux, so that no native code is needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Audience } from '../news.ts';
import { createNews } from '../news.ts';
import type { Received } from './received.ts';
import { createReceived } from './received.ts';

export interface ReaderOptions {
  /** A symbolic link that is made to point at the pseudo-terminal, and goes with the reader. */
  readonly link?: string;
  /** What follows a number; CR LF by default. */
  readonly terminator?: string;
  readonly clock?: Clock;
}

export interface VirtualReader extends AsyncDisposable, Audience {
  /** What an agent opens: the link, where there is one, else the pseudo-terminal itself. */
  readonly path: string;
  /** Holds the card with this number to the reader. */
  tap(number: string): void;
  /** Any bytes at all: noise, half a frame, a whole novel. */
  write(bytes: string | Uint8Array): void;
  /** What the agent has written to it; each byte as one character. */
  received(): string;
}

const startLimit = seconds(5);

/**
 * Raw before anybody can open it: no echo, and no byte means anything. Then `cat` holds the pseudo-terminal until
 * descriptor 3 ends, which is when we close it, or die.
 */
const holdTerminal = 'stty raw -echo && tty && exec cat <&3 >/dev/null';

/** Rejects with `reader-unavailable` where script(1) is missing or gives no pseudo-terminal. */
export async function startVirtualReader(options: ReaderOptions = {}): Promise<VirtualReader> {
  const { link, terminator = '\r\n', clock = systemClock } = options;
  const news = createNews();
  await using opening = new AsyncDisposableStack();
  const terminal = opening.adopt(await openTerminal(clock), (one) => one.close());
  if (link !== undefined) {
    await pointLink(link, terminal.path);
    opening.defer(() => removeLink(link, terminal.path));
  }
  const open = opening.move();
  return {
    ...news.audience,
    path: link ?? terminal.path,
    tap(number) {
      terminal.write(number + terminator);
      news.tell('reader: a card was held to it');
    },
    write: (bytes) => terminal.write(bytes),
    received: terminal.received.text,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

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
    // Writing to a terminal that is gone reaches nobody, as with a real reader.
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

/** Replaces an earlier link, never anything else. */
async function pointLink(link: string, target: string): Promise<void> {
  const existing = await lstat(link).catch(() => undefined);
  if (existing && !existing.isSymbolicLink()) {
    throw new Problem('reader-unavailable', `${link} is there already and is no symbolic link`);
  }
  await rm(link, { force: true });
  await symlink(target, link);
}

/** Unless another reader has taken the link over. */
async function removeLink(link: string, target: string): Promise<void> {
  const current = await readlink(link).catch(() => undefined);
  if (current === target) await rm(link, { force: true });
}
