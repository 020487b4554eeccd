/**
 * Runs a program in a room that is made for it (sandbox-room.ts). This is the only file of conversion that starts a
 * process. The whole process group is killed at the end; in namespaces that ends every descendant.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '../../domain/ports/call.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Running, Task } from './running.ts';
import type { OwnConfinement, Places, SandboxLimits } from './sandbox-room.ts';
import { commandLine, namespaces } from './sandbox-room.ts';
import { openScratchRoom } from './scratch-room.ts';

export interface OwnTask extends CallOptions {
  readonly confinement: OwnConfinement;
  readonly limits: SandboxLimits;
  /** An absolute path. */
  readonly program: string;
  readonly arguments: (places: Places) => readonly string[];
  readonly beside?: string | undefined;
  readonly device?: string;
  readonly document: Pick<Task['document'], 'read'>;
}

/** The search path of the program. */
const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function startInOwnRoom(task: OwnTask): Promise<Running> {
  const { confinement, limits, program, document, beside = '', device, signal } = task;
  const scratch =
    confinement === 'limits'
      ? await openScratchRoom({ document, beside, limit: limits.files, signal })
      : undefined;
  const room = scratch?.room ?? namespaces;
  const [command, words] = commandLine({
    room,
    limits,
    program,
    beside,
    device,
    arguments: task.arguments(room.places),
    user: process.getuid?.() ?? 0,
  });
  const child = spawn(command, words, {
    cwd: '/',
    env: { PATH: searchPath, LANG: 'C.UTF-8', TMPDIR: room.scratch },
    detached: true,
    // The error messages of programs may quote the document, so they are dropped.
    stdio: [scratch?.descriptor ?? 'pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const fed = scratch ? Promise.resolve() : feed(child.stdin as Writable, document);
  // Both are awaited later, after the output has ended.
  ended.catch(() => undefined);
  fed.catch(() => undefined);
  const output = child.stdout as Readable;
  const kill = () => {
    killGroup(child);
    output.destroy();
  };
  return {
    output: output as AsyncIterable<Buffer>,
    async status() {
      await fed;
      const [code, signalName] = await ended;
      return code ?? 128 + (signalName ? constants.signals[signalName] : 0);
    },
    kill,
    async [Symbol.asyncDispose]() {
      kill();
      await scratch?.[Symbol.asyncDispose]();
    },
  };
}

/** A program may end before it has read everything. A document that cannot be read is an error. */
async function feed(input: Writable, document: OwnTask['document']): Promise<void> {
  try {
    await pipeline(document.read(), input);
  } catch (error) {
    if (isProblem(error)) throw error;
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
