/**
 * Runs a program on a document, shut in (reliability.md D10, T17): the document goes in, what the program writes on
 * standard output comes out, and whatever it does otherwise ends with it. It knows no format. The only file that starts
 * a process. `-dSAFER` and its like are the programs' own word and no boundary; this is.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../core/clock.ts';
import { inSeconds, seconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, isProblem, Problem } from '../../domain/problem.ts';
import type { Confinement, Places, SandboxLimits } from './sandbox-room.ts';
import { commandLine, namespaces } from './sandbox-room.ts';
import type { ScratchRoom } from './scratch-room.ts';
import { openScratchRoom } from './scratch-room.ts';
import { turnstile } from './turnstile.ts';

export interface Task {
  /** An absolute path. */
  readonly program: string;
  readonly arguments: (places: Places) => readonly string[];
  readonly document: Pick<SpooledDocument, 'read'>;
  /** Text of a second file. */
  readonly beside?: string;
}

export interface Sandbox {
  /** How far programs are shut in here. Rejects `converter-missing` where nothing shuts them in. */
  confinement(options: CallOptions): Promise<Confinement>;
  /**
   * The program's output as it comes; it ends only when the program has ended well. Else throws
   * `document-not-convertible`, with the reason `killed` where the system's lack of memory may have been to blame.
   */
  run(task: Task, options: CallOptions): AsyncGenerator<Buffer>;
}

const mebibyte = 1024 ** 2;

/** reliability.md T17. */
export const usualLimits: SandboxLimits = {
  wall: seconds(60),
  cpu: seconds(30),
  addressSpace: 1024 * mebibyte,
  processes: 8,
  files: 1024 * mebibyte,
  output: 512 * mebibyte,
};

export interface SandboxOptions {
  readonly clock: Clock;
  readonly limits?: SandboxLimits;
  /** The best that the system gives, unless said. */
  readonly confinement?: Confinement;
}

const noDocument: Task['document'] = { read: () => Readable.from([]) };

/** Programs at a time, for all printers together: what each may take of the machine, it may take so often. */
const atOnce = 2;

/** What a program may know of the world. */
const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function createSandbox({ clock, limits = usualLimits, ...wish }: SandboxOptions): Sandbox {
  let known = wish.confinement;
  const places = turnstile(atOnce);

  async function confinement(call: CallOptions): Promise<Confinement> {
    known ??= (await works('namespaces', call)) ? 'namespaces' : undefined;
    if (known) return known;
    // Not kept: a machine that had no room for namespaces just now is asked for them again.
    if (await works('limits', call)) return 'limits';
    throw new Problem('converter-missing', 'programs cannot be shut in here: setpriv and prlimit are needed');
  }

  async function works(candidate: Confinement, call: CallOptions): Promise<boolean> {
    const task: Task = { program: '/bin/sh', arguments: () => ['-c', ':'], document: noDocument };
    try {
      for await (const _ of shutIn(candidate, task, call));
      return true;
    } catch (error) {
      call.signal.throwIfAborted();
      if (isProblem(error)) return false;
      throw error;
    }
  }

  async function* shutIn(how: Confinement, task: Task, { signal }: CallOptions): AsyncGenerator<Buffer> {
    await using scratch =
      how === 'limits' ? await openScratchRoom({ ...task, limit: limits.files, signal }) : undefined;
    const room = scratch?.room ?? namespaces;
    const [command, words] = commandLine({
      room,
      limits,
      program: task.program,
      arguments: task.arguments(room.places),
      beside: task.beside ?? '',
      user: process.getuid?.() ?? 0,
    });
    const child = spawn(command, words, {
      cwd: '/',
      env: { PATH: searchPath, LANG: 'C.UTF-8', TMPDIR: room.scratch },
      detached: true,
      // What programs complain about may quote the document: nobody keeps it.
      stdio: [scratch?.descriptor ?? 'pipe', 'pipe', 'ignore'],
    });
    yield* outputOf(child, { task, scratch, signal });
  }

  async function* outputOf(child: ChildProcess, run: Run): AsyncGenerator<Buffer> {
    const late = clock.deadline(limits.wall, run.signal);
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    ended.catch(() => undefined);
    const output = child.stdout as Readable;
    const kill = () => {
      killGroup(child);
      output.destroy();
    };
    late.addEventListener('abort', kill, { once: true });
    const fed = run.scratch ? Promise.resolve() : feed(child.stdin as Writable, run.task);
    // Looked at below, when the output has ended.
    fed.catch(() => undefined);
    try {
      let octets = 0;
      for await (const chunk of output as AsyncIterable<Buffer>) {
        octets += chunk.length;
        if (octets > limits.output) throw failed(`it wrote more than ${limits.output} octets`);
        yield chunk;
      }
      await fed;
      checkEnd(await ended);
    } catch (error) {
      run.signal.throwIfAborted();
      if (late.aborted) throw failed(`it took longer than ${inSeconds(limits.wall)} s`);
      throw asProblem(error, 'document-not-convertible', 'the converter could not be run');
    } finally {
      late.removeEventListener('abort', kill);
      kill();
    }
  }

  return {
    confinement,
    async *run(task, call) {
      using _ = await places.enter(call);
      yield* shutIn(await confinement(call), task, call);
    },
  };
}

interface Run extends CallOptions {
  readonly task: Task;
  readonly scratch: ScratchRoom | undefined;
}

/** A program may end without having read everything; a document that cannot be read is another matter. */
async function feed(input: Writable, { document }: Task): Promise<void> {
  try {
    await pipeline(document.read(), input);
  } catch (error) {
    if (isProblem(error)) throw error;
  }
}

/** SIGKILL at once: there is nothing that a converter could still put in order. In namespaces it ends every descendant. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** What a shell makes of a program that a signal ended: 128 and its number. */
const endedBy = { killed: 137, processorTime: 152 };

function checkEnd([code, signal]: [number | null, NodeJS.Signals | null]): void {
  if (code === 0) return;
  if (signal === 'SIGXCPU' || code === endedBy.processorTime) throw failed('it used up its processor time');
  if (signal === 'SIGKILL' || code === endedBy.killed) throw failed('it was killed', ['killed']);
  throw failed(signal ? `it was ended by ${signal}` : `it ended with status ${code}`);
}

const failed = (why: string, reasons: readonly string[] = []) =>
  new Problem('document-not-convertible', `the converter failed: ${why}`, { reasons });
