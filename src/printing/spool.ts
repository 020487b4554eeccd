/**
 * The port Spool: a document on its way from cloud to printer, received whole into a file of `spool-file.ts` before a
 * byte goes on. Checks that the download is whole, prompt, of a possible size, and no error page; back-pressure keeps
 * memory small whatever the size.
 */
import { mkdir, readdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { inSeconds } from '../core/duration.ts';
import type { CallOptions, Download, Spool, SpooledDocument } from '../domain/ports.ts';
import { asProblem, Problem } from '../domain/problem.ts';
import { openSpoolFile } from './spool-file.ts';
import { SpoolIntake } from './spool-intake.ts';
import { downloadWatch, slowestDownload } from './timings.ts';

const mebibyte = 1024 * 1024;
/** Room that is left to everything else on the disk, the ledger first of all. */
const reservedRoom = 64 * mebibyte;
/** The room is looked at again after each so many octets. */
const roomCheck = 16 * mebibyte;

export interface SpoolOptions {
  /** Of the agent alone: what a crash left in it is removed. */
  readonly directory: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Octets that may still be written to the directory's disk. */
  readonly freeOctets?: (directory: string) => Promise<number>;
}

/** Rejects `state-unusable` when the directory cannot be made or emptied. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { directory, clock, chance, freeOctets = freeOctetsOf } = options;
  await emptyDirectory(directory);

  async function receive(
    chunks: AsyncIterable<Buffer>,
    length: number | undefined,
    tooSlow: AbortController,
  ) {
    const file = await openSpoolFile(directory, chance);
    const intake = new SpoolIntake(file, length);
    const over = new AbortController();
    const watching = watchRate(intake, { clock, tooSlow, over: over.signal });
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
    } finally {
      over.abort();
      await watching;
    }
  }

  async function checkRoom(intake: SpoolIntake): Promise<void> {
    const needed = intake.missing + reservedRoom;
    if ((await freeOctets(directory)) < needed) {
      throw new Problem('spool-full', `the spool needs ${needed} octets of room`);
    }
  }

  async function store({ bytes, length }: Download, { signal }: CallOptions): Promise<SpooledDocument> {
    const tooSlow = new AbortController();
    const together = AbortSignal.any([signal, tooSlow.signal]);
    try {
      return await pipeline(bytes, (chunks) => receive(chunks, length, tooSlow), { signal: together });
    } catch (error) {
      together.throwIfAborted();
      throw asProblem(error, 'document-cut', 'the download broke off');
    }
  }

  return { store };
}

/** At least 1 KiB/s over 10 s (reliability.md D5). */
async function watchRate(
  intake: SpoolIntake,
  { clock, tooSlow, over }: { clock: Clock; tooSlow: AbortController; over: AbortSignal },
): Promise<void> {
  try {
    for (let before = intake.length; ; before = intake.length) {
      await clock.sleep(downloadWatch, { signal: over });
      if (intake.length - before < slowestDownload) break;
    }
    const slow = `fewer than ${slowestDownload} octets came within ${inSeconds(downloadWatch)} s`;
    tooSlow.abort(new Problem('document-cut', slow));
  } catch (error) {
    if (!over.aborted) throw error;
  }
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
