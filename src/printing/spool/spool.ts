/**
 * The port Spool: documents on their way from the cloud to a printer, each in a `spool-file.ts`. It checks that a
 * download is whole, has a possible size, and is not an error page; the transport watches its speed. Back-pressure
 * keeps memory small for any size, whichever side is slower.
 */
import { readdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import { reservedRoom } from '../../domain/problem/disk-room.ts';
import type { LongCallOptions } from '../../domain/ports/call.ts';
import type { DocumentSource, Spool, SpooledDocument } from '../../domain/ports/printing.ts';
import type { Download } from '../../domain/ports/service.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { ByteTurns } from './byte-turns.ts';
import { SpoolArrival } from './spool-arrival.ts';
import { mostInMemory, SpoolFile, SpoolMemory } from './spool-file.ts';

const mebibyte = 1024 * 1024;

export interface SpoolDeps {
  /** Only for this agent: files that a crash left in it are removed. */
  readonly directory: string;
  readonly chance: Chance;
  /** The system's clock unless set. */
  readonly clock?: Pick<Clock, 'sleep'>;
  /** Octets that can still be written to the directory's disk. */
  readonly freeOctets?: (directory: string) => Promise<number>;
  /** A longer document is handed on after this many octets; 8 MiB unless set. */
  readonly handedOnAfter?: number;
  /** Octets of all documents together that wait in memory; 32 MiB unless set. */
  readonly inMemory?: number;
}

/**
 * Rejects with `state-unusable` if the directory cannot be made or emptied. Disposing gives up documents that are
 * coming in.
 */
export async function openSpool(deps: SpoolDeps): Promise<Spool & Disposable> {
  await emptyDirectory(deps.directory);
  return new DocumentSpool(deps);
}

class DocumentSpool implements Spool, Disposable {
  readonly #deps: SpoolDeps;
  readonly #present = new Set<SpoolArrival>();
  readonly #memory: SpoolMemory;
  readonly #turns = new ByteTurns();

  constructor(deps: SpoolDeps) {
    this.#deps = deps;
    this.#memory = new SpoolMemory(deps.inMemory ?? 32 * mebibyte);
  }

  async store(download: Download, call: LongCallOptions): Promise<SpooledDocument> {
    try {
      return await this.#take(onlyOnce(download), Number.POSITIVE_INFINITY, call);
    } finally {
      download.bytes.destroy();
    }
  }

  receive(source: DocumentSource, call: LongCallOptions): Promise<SpooledDocument> {
    return this.#take(source, this.#deps.handedOnAfter ?? 8 * mebibyte, call);
  }

  hasRoom(): boolean {
    return this.#memory.has(mostInMemory);
  }

  [Symbol.dispose](): void {
    for (const arrival of this.#present) arrival.forget();
  }

  /** `after`: a longer document is handed on after this many octets. */
  async #take(source: DocumentSource, after: number, { signal, onProgress }: LongCallOptions) {
    const { directory, chance, clock = systemClock } = this.#deps;
    const file = new SpoolFile({ directory, chance, clock, memory: this.#memory });
    const arrival: SpoolArrival = new SpoolArrival({
      source,
      file,
      turns: this.#turns,
      after,
      onProgress,
      checkRoom: (missing) => this.#checkRoom(missing),
      onForgotten: () => this.#present.delete(arrival),
    });
    this.#present.add(arrival);
    return arrival.arrive(signal);
  }

  async #checkRoom(missing: number): Promise<void> {
    const { directory, freeOctets = freeOctetsOf } = this.#deps;
    const needed = missing + reservedRoom;
    if ((await freeOctets(directory)) < needed) {
      throw new Problem('spool-full', `the spool needs ${needed} octets of room`);
    }
  }
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
