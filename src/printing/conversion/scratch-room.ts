/**
 * The room of a program if the system has no user namespaces. Its document is in memory, as a file without a name, and
 * it has its own folder in memory for temporary files. Nothing is ever on a disk (I4), because `/dev/shm` is a tmpfs.
 * Everything goes when the program has ended.
 */
import { constants } from 'node:fs';
import { mkdtemp, open, readdir, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { Room } from './sandbox-room.ts';
import { limitsOnly, nobody } from './sandbox-room.ts';

export interface ScratchRoom extends AsyncDisposable {
  readonly room: Room;
  /** The descriptor of the document. */
  readonly descriptor: number;
}

export interface ScratchContents extends CallOptions {
  readonly document: Pick<SpooledDocument, 'read'>;
  readonly beside?: string;
  /** The longest document, in octets. */
  readonly limit: number;
}

const memory = '/dev/shm';
/** TMPFS_MAGIC of statfs(2). */
const tmpfs = 0x01021994;

export async function openScratchRoom(contents: ScratchContents): Promise<ScratchRoom> {
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
  for await (const block of document.read() as AsyncIterable<Buffer>) {
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
