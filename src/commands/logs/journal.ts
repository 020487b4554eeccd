/**
 * The journal of the unit, as journalctl(1) gives it out. It is asked for while the command is still whoever called, for
 * the service's user may not read it; what comes is read as that user.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Env } from '../terminal-text/screen.ts';

export interface JournalQuestion {
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  readonly follow: boolean;
}

export interface Journal {
  readonly octets: AsyncIterable<Uint8Array>;
  /** Why it gave nothing out, or stopped; `undefined` where all is well. To be asked when `octets` is over. */
  failure(): Promise<string | undefined>;
  end(): void;
}

/** As many as tail(1) shows before it follows. */
const before = 10;

export function askJournal({ since, follow }: JournalQuestion, env: Env): Journal {
  const args = [
    '--unit=platen.service',
    '--output=json',
    '--output-fields=MESSAGE',
    '--no-pager',
    '--quiet',
    ...(since === undefined ? [] : [`--since=@${Math.floor(since / 1000)}`]),
    ...(follow ? ['--follow', ...(since === undefined ? [`--lines=${before}`] : ['--no-tail'])] : []),
  ];
  const path = env['PATH'];
  // Loaded here: every command loads this file at its start, and few ask for the journal.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn('journalctl', args, {
    env: { LC_ALL: 'C', ...(path === undefined ? {} : { PATH: path }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(0, 512);
  });
  const ended = once(child, 'close').then(
    ([code]) => (code === 0 ? undefined : (complaint.trim().split('\n')[0] ?? '') || 'journalctl failed'),
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? 'journalctl is not installed' : error.message,
  );
  return {
    octets: child.stdout,
    failure: () => ended,
    end: () => void child.kill(),
  };
}
