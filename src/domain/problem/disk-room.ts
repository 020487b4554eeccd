/** How much room the disk of the state directory needs. The warning comes before the first document fails. */
import type { Severity } from '../condition.ts';

const mebibyte = 1024 * 1024;
/** Reserved for everything except documents, above all the ledger. A document that would use it is refused. */
export const reservedRoom = 64 * mebibyte;
/** Above this, a document of two hundred megabytes and its conversion still fit. */
const ampleRoom = 512 * mebibyte;
/** A document and its conversion need a few. SQLite makes and removes one with each transaction. */
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

/** The words stay the same while the room shrinks. */
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
