/**
 * The journal of the unit, from journalctl(1). The command starts journalctl while it still runs as the caller, because
 * the service's user may not read the journal. It reads the output as the service's user.
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
  /**
   * The reason why journalctl gave no output or stopped; `undefined` if all is well. To be asked after the end of
   * `octets`.
   */
  failure(): Promise<string | undefined>;
  end(): void;
}

/** The same number that tail(1) shows before it follows. */
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
  // Loaded only here: every command loads this file at its start, but few need the journal.
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
