/**
 * A file that stands open for as long as the books are, and is written in place. It is synced on the thread, or beside it
 * where others are not to wait for the disk.
 */
import { closeSync, constants, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

export interface StandingFile extends Disposable {
  readonly path: string;
  /** Throws the system's error. A disk that fills takes a part without an error, and none of the rest. */
  write(bytes: Uint8Array, at: number): void;
  cutTo(length: number): void;
  /** What was written is on disk when it returns. */
  sync(): void;
  /** The same when it resolves; one at a time. */
  syncBeside(): Promise<void>;
}

const dataSynced = promisify(fdatasync);

/** Of one that is there. */
export function openStandingFile(path: string): StandingFile {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  let syncing: Promise<void> | undefined;
  let isClosed = false;
  function requireOpen(): void {
    // Its number may be another file's by now.
    if (isClosed) throw new Error(`${path} is closed`);
  }
  return {
    path,
    write(bytes, at) {
      requireOpen();
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, at + done);
      }
    },
    cutTo: (length) => ftruncateSync(file, length),
    sync: () => fdatasyncSync(file),
    async syncBeside() {
      requireOpen();
      syncing = dataSynced(file);
      await syncing.finally(() => (syncing = undefined));
    },
    [Symbol.dispose]() {
      isClosed = true;
      const close = () => closeSync(file);
      // Not under a sync, which would be another file's then.
      if (syncing) void syncing.then(close, close);
      else close();
    },
  };
}
