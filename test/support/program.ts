/** Platen as a program of its own, started as a person or a script starts it. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { systemClock } from '../../src/core/clock.ts';
import { patience } from './patience.ts';

export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when a line of standard output is this log record. */
  logged(msg: string): Promise<LogRecord>;
  /** Resolves when standard output holds the text. */
  printed(text: string): Promise<void>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const platen = join(process.cwd(), 'tools', 'platen.js');

export function startProgram(
  args: readonly string[],
  options: {
    cwd?: string;
    env?: Record<string, string>;
    /** Descriptors that are handed down as systemd does it, sd_listen_fds(3), by their names. */
    sockets?: Readonly<Record<string, number>>;
    /** /dev/null, as cron and services have it. */
    input?: 'none';
    /** What it is started by, which becomes it: `setpriv` and the like. */
    by?: readonly string[];
    /** What is started, where it is not the program of the clone, which prefers a bundle to the sources. */
    program?: readonly string[];
  } = {},
): Program {
  const { sockets = {}, by = [], program = [platen] } = options;
  const child = spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...by, ...program, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      LISTEN_FDS: String(Object.keys(sockets).length),
      LISTEN_FDNAMES: Object.keys(sockets).join(':'),
      ...options.env,
    },
    stdio: [options.input === 'none' ? 'ignore' : 'pipe', 'pipe', 'pipe', ...Object.values(sockets)],
  });
  if (!child.stdout || !child.stderr) throw new Error('its pipes are missing');
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const listener of [...listeners]) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));

  function until<Found>(what: string, look: () => Found | undefined): Promise<Found> {
    return new Promise((resolve, reject) => {
      const giveUp = (why: string) => reject(new Error(`${what}: ${why}\n${stdout}\n${stderr}`));
      const listener = () => {
        const found = look();
        if (found === undefined) return;
        listeners.delete(listener);
        resolve(found);
      };
      listeners.add(listener);
      listener();
      systemClock.deadline(patience()).addEventListener('abort', () => giveUp('it has not come'));
      void exited.then(() => giveUp('the program has ended'));
    });
  }

  return {
    child,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    logged: (msg) =>
      until(msg, () =>
        stdout
          .split('\n')
          .filter((line) => line.includes(`"${msg}"`))
          .map((line) => JSON.parse(line) as LogRecord)
          .find((record) => record.msg === msg),
      ),
    printed: async (text) => void (await until(text, () => (stdout.includes(text) ? true : undefined))),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs it to its end. */
export async function runProgram(
  args: readonly string[],
  options?: Parameters<typeof startProgram>[1],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  await using program = startProgram(args, options);
  const { code } = await program.exited;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}
