/** A real program for a test: in a process group of its own, so that its children end with it; what it says is kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { eventually, patience } from './patience.ts';

export interface PeerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Standard output and error so far. */
  log(): string;
  hasExited(): boolean;
  /** Resolves when it has, by whatever. */
  readonly exited: Promise<void>;
  /** To the whole group. */
  signal(signal: NodeJS.Signals): void;
}

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
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const signal = (name: NodeJS.Signals) => {
    if (!hasExited()) process.kill(-pid, name);
  };

  return {
    pid,
    log: () => Buffer.concat(said).toString(),
    hasExited,
    exited,
    signal,
    async [Symbol.asyncDispose]() {
      if (hasExited()) return;
      signal('SIGCONT');
      signal('SIGTERM');
      const kill = setTimeout(() => signal('SIGKILL'), patience());
      await exited;
      clearTimeout(kill);
    },
  };
}

const ended = Symbol('ended');
/** Characters of what it said. */
const most = 4000;

/**
 * Looks until a peer is ready, and gives what was seen; at once no more when its program has ended. What it rejects with
 * says `peer not ready`: for that alone a test is tried once more (tools/vitest.config.ts), so it is for a peer's own
 * start, never for what Platen has promised.
 */
export async function whenReady<Seen>(
  peer: string,
  look: () => Seen | Promise<Seen>,
  program?: Pick<PeerProcess, 'hasExited' | 'log'>,
): Promise<Seen> {
  const said = () => (program === undefined ? '' : `\n${program.log().slice(-most)}`);
  try {
    const seen = await eventually(async () => {
      if (program?.hasExited()) return ended;
      return { is: await look() };
    });
    if (seen !== ended) return seen.is;
  } catch (error) {
    throw new Error(`peer not ready: ${peer}: ${(error as Error).message}${said()}`, { cause: error });
  }
  throw new Error(`peer not ready: ${peer} has ended${said()}`);
}

/** As soon as it takes connections at a port of this machine. */
export const whenListening = (peer: string, port: number, program: PeerProcess): Promise<void> =>
  whenReady(
    peer,
    async () => {
      const socket = createConnection({ host: 'localhost', port });
      try {
        await once(socket, 'connect');
      } finally {
        socket.destroy();
      }
    },
    program,
  );
