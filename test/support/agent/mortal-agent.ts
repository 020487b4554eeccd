/**
 * `platen run` as a process that is going to be killed: by SIGKILL from outside, or by strace(1) just before one of its
 * system calls is carried out.
 */
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patience } from '../patience.ts';

const platen = fileURLToPath(new URL('../../../tools/platen.js', import.meta.url));
const watcher = 'strace';

/** The system call before which the agent dies: the so many-th of its kind in a thread. */
export interface FatalCall {
  readonly name: string;
  readonly number: number;
}

export interface MortalAgent extends AsyncDisposable {
  /** `performance.now()` just before the process was made. */
  readonly startedAt: number;
  /** Resolves when its log has all these messages, or when it has died before: `false`. Rejects when patience has run out. */
  told(...messages: string[]): Promise<boolean>;
  /** How often it has said so. */
  times(message: string): number;
  /** It began one, and has not told of its end; one that it found at its start is not meant. */
  isReleasing(): boolean;
  /** Its standard error so far. */
  complaints(): string;
  hasEnded(): boolean;
  /** Signals to it, and to a strace around it. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGHUP'): void;
  /** Whether it stands still: proc_pid_stat(5). */
  isStopped(): boolean;
  /** From now on strace(1) watches it, with these arguments, until that is disposed of. */
  trace(tracing: readonly string[]): Promise<Disposable>;
  kill(): Promise<void>;
}

/** `tracing`: arguments for strace(1), under which it runs then. `enter`: begins the command of what runs elsewhere. */
export function startMortalAgent(
  configFile: string,
  tracing: readonly string[] = [],
  enter: readonly string[] = [],
): MortalAgent {
  const startedAt = performance.now();
  const watched = tracing.length > 0 ? [watcher, ...tracing] : [];
  const command = [...enter, ...watched, platen, 'run', '-c', configFile];
  // A process group of its own: strace may leave the agent behind when it is killed itself.
  const child = spawn(command[0] ?? platen, command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = new Map<string, number>();
  const releasing = new Set<string>();
  const complaints: string[] = [];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, releaseId = '' } = readRecord(line);
    said.set(msg, (said.get(msg) ?? 0) + 1);
    if (msg === 'release started') releasing.add(releaseId);
    if (msg === 'release ended') releasing.delete(releaseId);
    changed();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  let isOver = false;
  const over = once(
    child.once('close', () => {
      isOver = true;
      changed();
    }),
    'close',
  );
  const times = (message: string): number => said.get(message) ?? 0;
  const signal = (name: NodeJS.Signals): void => {
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, name);
  };

  async function kill(): Promise<void> {
    signal('SIGKILL');
    await over;
  }

  return {
    startedAt,
    times,
    isReleasing: () => releasing.size > 0,
    complaints: () => complaints.join(''),
    hasEnded: () => isOver,
    signal,
    isStopped: () => !isOver && /\) [Tt] /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8')),
    async trace(traced) {
      const tracer = spawn(watcher, ['-p', String(child.pid), ...traced], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      tracer.stderr.setEncoding('utf8');
      // "strace: Process … attached".
      for await (const [text] of on(tracer.stderr, 'data', { close: ['end'] })) {
        if (!String(text).includes('attached')) continue;
        return { [Symbol.dispose]: () => void tracer.kill() };
      }
      throw new Error('strace does not get hold of the agent');
    },
    kill,
    told(...messages) {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const look = () => {
        const isReported = messages.every((message) => times(message) > 0);
        if (isReported || isOver) resolve(isReported);
      };
      const limit = setTimeout(() => {
        const words = [...said.keys()].join(', ');
        reject(new Error(`not told: ${messages.join(', ')}; but: ${words}; ${complaints.join('')}`));
      }, patience());
      listeners.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(limit);
        listeners.delete(look);
      });
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** A line that a kill has cut says nothing. */
function readRecord(line: string): { msg: string; releaseId?: string } {
  try {
    return JSON.parse(line) as { msg: string; releaseId?: string };
  } catch {
    return { msg: '' };
  }
}

const quiet = '-qq';

/** Not with `--seccomp-bpf`: strace 6.1 injects no signals then. */
export const signallingBefore = ({ name, number }: FatalCall, signal: 'KILL' | 'STOP'): string[] => [
  '-f',
  '-o',
  '/dev/null',
  '-e',
  `trace=${name}`,
  '-e',
  `inject=${name}:signal=${signal}:when=${number}`,
];
export const killingBefore = (call: FatalCall): string[] => [quiet, ...signallingBefore(call, 'KILL')];

/** The strings are shown so far that a log record's message is among them. */
export const watchingInto = (file: string, names: readonly string[]): string[] => [
  '-f',
  '-s',
  '300',
  '-o',
  file,
  '-e',
  `trace=${names.join(',')}`,
];
export const recordingInto = (file: string, names: readonly string[]): string[] => [
  quiet,
  ...watchingInto(file, names),
];
