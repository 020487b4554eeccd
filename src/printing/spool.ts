/**
 * The port Spool: a document on its way from cloud to printer, received whole into a file of `spool-file.ts` before a
 * byte goes on. Checks that the download is whole, of a possible size, and no error page (how fast it comes is the transport's to watch); back-pressure keeps
 * memory small whatever the size.
 */
import { mkdir, readdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Chance } from '../core/chance.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { Spool, SpooledDocument } from '../domain/ports/printing.ts';
import type { Download } from '../domain/ports/service.ts';
import { asProblem, Problem } from '../domain/problem.ts';
import { openSpoolFile } from './spool-file.ts';
import { SpoolIntake } from './spool-intake.ts';

const mebibyte = 1024 * 1024;
/** Room that is left to everything else on the disk, the ledger first of all. */
const reservedRoom = 64 * mebibyte;
/** The room is looked at again after each so many octets. */
const roomCheck = 16 * mebibyte;

export interface SpoolOptions {
  /** Of the agent alone: what a crash left in it is removed. */
  readonly directory: string;
  readonly chance: Chance;
  /** Octets that may still be written to the directory's disk. */
  readonly freeOctets?: (directory: string) => Promise<number>;
}

/** Rejects `state-unusable` when the directory cannot be made or emptied. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { directory, chance, freeOctets = freeOctetsOf } = options;
  await emptyDirectory(directory);

  async function receive(chunks: AsyncIterable<Buffer>, length: number | undefined) {
    const file = await openSpoolFile(directory, chance);
    const intake = new SpoolIntake(file, length);
    try {
      intake.checkAnnounced();
      await checkRoom(intake);
      let checkedAt = 0;
      for await (const chunk of chunks) {
        await intake.take(chunk);
        if (intake.length - checkedAt < roomCheck) continue;
        checkedAt = intake.length;
        await checkRoom(intake);
      }
      return intake.finish();
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }

  async function checkRoom(intake: SpoolIntake): Promise<void> {
    const needed = intake.missing + reservedRoom;
    if ((await freeOctets(directory)) < needed) {
      throw new Problem('spool-full', `the spool needs ${needed} octets of room`);
    }
  }

  async function store({ bytes, length }: Download, { signal }: CallOptions): Promise<SpooledDocument> {
    try {
      return await pipeline(bytes, (chunks) => receive(chunks, length), { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw asProblem(error, 'document-cut', 'the download broke off');
    }
  }

  return { store };
}

async function emptyDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) await unlink(join(directory, name));
  } catch (cause) {
    throw new Problem('state-unusable', `the spool directory ${directory} cannot be used`, { cause });
  }
}

async function freeOctetsOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
