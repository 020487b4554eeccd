/** This program as another process: an agent that `init` starts, or a gateway of a demo. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';

export interface PlatenProcess extends AsyncDisposable {
  /** The exit code after its end. */
  exitCode(): number | undefined;
  /** Resolves after its end. */
  readonly closed: Promise<unknown>;
  /** SIGKILL, at any moment. Resolves after the end of the process. */
  kill(): Promise<void>;
}

/** The time for a normal stop. The agent promises 5 s. */
const patience = seconds(8);

/** Its standard error is printed here. Its standard output is a log. */
export function startPlaten(
  args: readonly string[],
  { io, onLine = () => {} }: { io: Io; onLine?(line: string): void },
): PlatenProcess {
  const [, program = ''] = process.argv;
  // It must end with this process, even after a sudden end. On Linux, setpriv(1) does this.
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
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
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
