/**
 * The programs that `platen init` starts: `avahi-browse`, `systemctl`, and the agent itself. None by a shell, and none
 * with an argument that came from the network.
 */
import type { ChildProcess, ExecFileException } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';

export interface ProgramEnd {
  /** `undefined`: there is no such program. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunProgram = (
  program: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly input?: string },
) => Promise<ProgramEnd>;

/** Octets of output; what says more is stopped, and what it said so far counts. */
const longestOutput = 2 ** 20;

/** Runs it to its end; rejects when the signal aborts. */
export const runProgramOf =
  (env: Io['env']): RunProgram =>
  (program, args, { signal, input }) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...env }, signal, maxBuffer: longestOutput, killSignal: 'SIGKILL' } as const;
      const child = execFile(program, [...args], options, (error, stdout, stderr) => {
        if (signal.aborted) reject(new Error(`${program} was stopped`, { cause: error }));
        else if (error?.code === 'ENOENT') resolve({ code: undefined, stdout: '', stderr: '' });
        else resolve({ code: codeOf(error), stdout, stderr });
      });
      // It may have ended without reading.
      child.stdin?.on('error', () => {}).end(input);
    });

function codeOf(error: ExecFileException | null): number {
  if (!error || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 0;
  return typeof error.code === 'number' ? error.code : 1;
}

export interface PlatenProcess extends AsyncDisposable {
  /** With what it ended, once it has. */
  exitCode(): number | undefined;
  /** Resolves when it has. */
  readonly closed: Promise<unknown>;
}

/** What a stop takes: the agent promises 5 s. */
const patience = seconds(8);

/**
 * This program once more, as a process of its own. What it says on standard error is said here; standard output is a
 * log.
 */
export function startPlaten(
  args: readonly string[],
  { io, onLine = () => {} }: { io: Io; onLine?(line: string): void },
): PlatenProcess {
  const [, program = ''] = process.argv;
  // It ends with us, also where a connection is lost and nobody tells it: setpriv(1) is where Linux is.
  const wrapper = process.platform === 'linux' ? ['setpriv', '--pdeathsig=TERM'] : [];
  const call: readonly string[] = [...wrapper, process.execPath, ...process.execArgv, program, ...args];
  const [command = '', ...words] = call;
  const child = spawn(command, words, { env: { ...io.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', io.error);
  const closed = once(child, 'close').then(
    () => undefined,
    (error: Error) => io.error(`platen: ${command}: ${error.message}`),
  );
  return {
    closed,
    exitCode: () => child.exitCode ?? (hasEnded(child) ? exitCode.failed : undefined),
    async [Symbol.asyncDispose]() {
      if (!hasEnded(child)) child.kill('SIGTERM');
      await Promise.race([closed, systemClock.sleep(patience)]);
      if (!hasEnded(child)) child.kill('SIGKILL');
    },
  };
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
