/**
 * Runs a program in a room that is made for it (sandbox-room.ts). This is the only file of conversion that starts a
 * process. The whole process group is killed at the end; in namespaces that ends every descendant. If the system has
 * no user namespaces, the program gets a scratch room.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdtemp, open, readdir, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Running, Task } from './running.ts';
import type { OwnConfinement, Places, Room, SandboxLimits } from './sandbox-room.ts';
import { commandLine, limitsOnly, namespaces, nobody } from './sandbox-room.ts';

interface OwnTask extends CallOptions {
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
      return code ?? 128 + (signalName ? system.signals[signalName] : 0);
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

interface ScratchRoom extends AsyncDisposable {
  readonly room: Room;
  /** The descriptor of the document. */
  readonly descriptor: number;
}

interface ScratchContents extends CallOptions {
  readonly document: Pick<SpooledDocument, 'read'>;
  readonly beside?: string;
  /** The longest document, in octets. */
  readonly limit: number;
}

const memory = '/dev/shm';
/** TMPFS_MAGIC of statfs(2). */
const tmpfs = 0x01021994;

/**
 * The room of a program if the system has no user namespaces. Its document is in memory, as a file without a name,
 * and it has its own folder in memory for temporary files. Nothing is ever on a disk (I4), because `/dev/shm` is a
 * tmpfs. Everything goes when the program has ended.
 */
async function openScratchRoom(contents: ScratchContents): Promise<ScratchRoom> {
  try {
    await using opened = new AsyncDisposableStack();
    const room = await furnishedRoom(opened, contents);
    const held = opened.move();
    return { ...room, [Symbol.asyncDispose]: () => held.disposeAsync() };
  } catch (error) {
    contents.signal.throwIfAborted();
    throw asProblem(error, 'converter-missing', `there is no room for a converter in ${memory}`);
  }
}

/** An agent that was killed leaves its folder. The next agent, which may be another one, removes it. */
async function clearLeftovers(): Promise<void> {
  for (const name of await readdir(memory)) {
    const [, pid] = /^platen-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(memory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is running too.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

async function furnishedRoom(
  opened: AsyncDisposableStack,
  { document, beside, limit, signal }: ScratchContents,
) {
  if ((await statfs(memory)).type !== tmpfs) {
    throw new Problem('converter-missing', `${memory} is not a tmpfs, and documents are not written to disk`);
  }
  await clearLeftovers();
  const folder = await mkdtemp(join(memory, `platen-${process.pid}-`));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'document');
  const handle = await open(path, 'wx+', 0o600);
  opened.defer(() => handle.close());
  await unlink(path);
  let length = 0;
  for await (const block of document.read()) {
    signal.throwIfAborted();
    if (length + block.length > limit) {
      throw new Problem('document-not-convertible', `the document is longer than ${limit} octets`);
    }
    // Written at explicit offsets: the descriptor stays at the start, where the program begins to read.
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await handle.write(block, done, block.length - done, length + done);
      done += bytesWritten;
    }
    length += block.length;
  }
  await writeFile(join(folder, 'beside'), beside ?? '', { mode: 0o600 });
  if (process.getuid?.() === 0) {
    await handle.chown(nobody, nobody);
    for (const own of [folder, join(folder, 'beside')]) await giveToUnprivilegedUser(own);
  }
  return { room: limitsOnly(folder), descriptor: handle.fd };
}

/** Changes the file itself, never the target of a link. */
async function giveToUnprivilegedUser(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.chown(nobody, nobody);
  } finally {
    await handle.close();
  }
}
