/** How much room the disk of the state directory needs: told of before the first document fails for want of it. */
import type { Severity } from '../condition.ts';

const mebibyte = 1024 * 1024;
/** Left to everything but documents, the ledger first of all: a document that would take of it is refused. */
export const reservedRoom = 64 * mebibyte;
/** Above it a document of two hundred megabytes still fits, with what it is converted to. */
const ampleRoom = 512 * mebibyte;
/** A document and its conversion take a few; SQLite makes and removes one with each transaction. */
const leastInodes = 100;

export interface DiskRoom {
  readonly octets: number;
  /** `undefined`: some file systems count none. */
  readonly inodes: number | undefined;
}

export const roomOf = (disk: Readonly<Record<'bavail' | 'bsize' | 'ffree' | 'files', number>>): DiskRoom => ({
  octets: disk.bavail * disk.bsize,
  inodes: disk.files > 0 ? disk.ffree : undefined,
});

export interface RoomComplaint {
  readonly severity: Severity;
  readonly detail: string;
}

/** In words that stay the same while the room shrinks. */
export function complaintAboutRoom({ octets, inodes }: DiskRoom, path: string): RoomComplaint | undefined {
  if (octets < reservedRoom) {
    const megabytes = inMegabytes(reservedRoom);
    const detail = `the disk of ${path} has less than ${megabytes} MB free. Platen refuses documents that do not fit into memory`;
    return { severity: 'error', detail };
  }
  if (inodes !== undefined && inodes < leastInodes) {
    const detail = `the disk of ${path} has less than ${leastInodes} inodes free. Delete small files there; df -i shows them`;
    return { severity: 'error', detail };
  }
  if (octets >= ampleRoom) return undefined;
  return {
    severity: 'warning',
    detail: `the disk of ${path} has less than ${inMegabytes(ampleRoom)} MB free. A large document may not fit`,
  };
}

export const inMegabytes = (octets: number): number => Math.floor(octets / mebibyte);
