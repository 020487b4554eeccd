/** A real program for a test: in a process group of its own, so that its children end with it; what it says is kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface PeerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Standard output and error so far. */
  log(): string;
  hasExited(): boolean;
  /** To the whole group. */
  signal(signal: NodeJS.Signals): void;
}

const patience = 3000;

/** Rejects when the program cannot be started at all. */
export async function startProcess(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<PeerProcess> {
  const child = spawn(program, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} has no pid`);
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const signal = (name: NodeJS.Signals) => {
    if (!hasExited()) process.kill(-pid, name);
  };

  return {
    pid,
    log: () => Buffer.concat(said).toString(),
    hasExited,
    signal,
    async [Symbol.asyncDispose]() {
      if (hasExited()) return;
      const exited = once(child, 'exit');
      signal('SIGCONT');
      signal('SIGTERM');
      const kill = setTimeout(() => signal('SIGKILL'), patience);
      await exited;
      clearTimeout(kill);
    },
  };
}
