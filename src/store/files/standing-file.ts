/**
 * A file that stays open as long as the books and is written in place. It is synced on the thread, or beside it when
 * other work must not wait for the disk.
 */
import { closeSync, constants, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

export interface StandingFile extends Disposable {
  readonly path: string;
  /**
   * Throws the system's error. A disk that becomes full takes a part of the bytes without an error; the next part then
   * fails.
   */
  write(bytes: Uint8Array, at: number): void;
  cutTo(length: number): void;
  /** Everything written before is on disk when it returns. */
  sync(): void;
  /** As `sync`, when it resolves; one call at a time. */
  syncBeside(): Promise<void>;
}

const dataSynced = promisify(fdatasync);

/** The file must exist. */
export function openStandingFile(path: string): StandingFile {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  let syncing: Promise<void> | undefined;
  let isClosed = false;
  function requireOpen(): void {
    // The descriptor may belong to another file by now.
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
      // Closing during a sync could make the sync act on another file.
      if (syncing) void syncing.then(close, close);
      else close();
    },
  };
}
