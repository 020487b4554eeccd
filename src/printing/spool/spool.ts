/**
 * The port Spool: documents on their way from cloud to printer, each in a file of `spool-file.ts`. Checks that a
 * download is whole, of a possible size, and no error page (how fast it comes is the transport's to watch);
 * back-pressure keeps memory small whatever the size, and whichever side is the slower one.
 */
import { readdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Chance } from '../../core/chance.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import { aborted } from '../../core/service.ts';
import type { LongCallOptions } from '../../domain/ports/call.ts';
import type { DocumentSource, Spool, SpooledDocument } from '../../domain/ports/printing.ts';
import type { Download } from '../../domain/ports/service.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import { openSpoolFile } from './spool-file.ts';
import { receiveDocument } from './spool-inflow.ts';
import type { SpoolIntake } from './spool-intake.ts';

const mebibyte = 1024 * 1024;
/** Room that is left to everything else on the disk, the ledger first of all. */
const reservedRoom = 64 * mebibyte;

export interface SpoolOptions {
  /** Of the agent alone: what a crash left in it is removed. */
  readonly directory: string;
  readonly chance: Chance;
  /** Octets that may still be written to the directory's disk. */
  readonly freeOctets?: (directory: string) => Promise<number>;
  /** So many octets of a longer document are here before it is handed on; 8 MiB unless said. */
  readonly handedOnAfter?: number;
}

/** Rejects `state-unusable` when the directory cannot be made or emptied. Disposing gives up what is coming in. */
export async function openSpool(options: SpoolOptions): Promise<Spool & Disposable> {
  const { directory, chance, freeOctets = freeOctetsOf, handedOnAfter = 8 * mebibyte } = options;
  await emptyDirectory(directory);
  const present = new Set<() => void>();

  async function checkRoom(missing: number): Promise<void> {
    const needed = missing + reservedRoom;
    if ((await freeOctets(directory)) < needed) {
      throw new Problem('spool-full', `the spool needs ${needed} octets of room`);
    }
  }

  /** `after`: so many octets of a longer document are enough to hand it on. */
  async function take(source: DocumentSource, after: number, { signal, onProgress }: LongCallOptions) {
    const file = await openSpoolFile(directory, chance);
    const life = new AbortController();
    const ahead = Promise.withResolvers<SpooledDocument>();
    let isUnderWay = false;
    let digest: string | undefined;

    async function receive(): Promise<SpoolIntake> {
      try {
        const intake = await receiveDocument({ source: steady, file, checkRoom, onGrowth }, life);
        digest = intake.digest();
        return intake;
      } catch (error) {
        const problem = asProblem(error, 'document-cut', 'the download was given up');
        file.breakOff(problem);
        throw life.signal.aborted ? life.signal.reason : problem;
      }
    }
    /** While little of it is here, whoever wanted the document may begin again as well. */
    const steady: DocumentSource = {
      begin: (call) => source.begin(call),
      resume: (broken, call) => (isUnderWay ? source.resume(broken, call) : Promise.reject(broken.problem)),
    };
    function onGrowth(intake: SpoolIntake): void {
      onProgress?.();
      if (isUnderWay || intake.length < after || intake.missing === 0) return;
      isUnderWay = true;
      if (intake.goAhead()) ahead.resolve(documentOf(intake));
    }
    function forget(): void {
      present.delete(forget);
      life.abort(new Problem('spool-failed', 'the document was put away'));
      file[Symbol.dispose]();
    }
    const documentOf = (intake: SpoolIntake): SpooledDocument => ({
      length: intake.length + intake.missing,
      format: intake.format(),
      holds: (what) => intake.holds(what),
      digest: () => digest,
      async whole(call) {
        await Promise.race([received, aborted(call.signal)]);
        call.signal.throwIfAborted();
      },
      read: () => Readable.from(file.blocks(), { objectMode: false }),
      [Symbol.dispose]: forget,
    });

    present.add(forget);
    const giveUp = () => life.abort(signal.reason);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    const received = receive();
    try {
      const document = await Promise.race([ahead.promise, received.then(documentOf)]);
      signal.throwIfAborted();
      return document;
    } catch (error) {
      forget();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  return {
    async store(download, call) {
      try {
        return await take(onlyOnce(download), Number.POSITIVE_INFINITY, call);
      } finally {
        download.bytes.destroy();
      }
    },
    receive: (source, call) => take(source, handedOnAfter, call),
    [Symbol.dispose]() {
      for (const forget of present) forget();
    },
  };
}

const onlyOnce = (download: Download): DocumentSource => ({
  begin: async () => download,
  resume: async ({ problem }) => {
    throw problem;
  },
});

async function emptyDirectory(directory: string): Promise<void> {
  try {
    ensurePrivateFolder(directory);
    for (const name of await readdir(directory)) await unlink(join(directory, name));
  } catch (cause) {
    throw new Problem('state-unusable', `the spool directory ${directory} cannot be used`, { cause });
  }
}

async function freeOctetsOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
