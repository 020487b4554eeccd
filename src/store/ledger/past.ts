/**
 * Documents whose releases are compacted. Only one fact of each is kept: it was printed, or may have been. So it is not
 * printed again by itself, however long the service lists it (I1, I11). A document is stored as a digest.
 */
import { hash as digestOf } from 'node:crypto';
import { crcOf } from '../checksum.ts';
import type { Database } from '../database.ts';

export interface Past {
  /** Runs inside the caller's transaction; the last state of a document counts. */
  note(documentUuid: string, state: 'CONFIRMED' | 'UNKNOWN'): void;
  /** Runs inside the caller's transaction: takes a row of other books, unless the document is here already. */
  adopt(row: Readonly<Record<string, unknown>>): boolean;
  stateOf(documentUuid: string): 'CONFIRMED' | 'UNKNOWN' | undefined;
}

export function createPast(database: Database): Past {
  const upsert = database.prepare('INSERT OR REPLACE INTO past (document, in_doubt, crc) VALUES (?, ?, ?)');
  const insert = database.prepare('INSERT OR IGNORE INTO past (document, in_doubt, crc) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT in_doubt FROM past WHERE document = ?');
  return {
    note(documentUuid, state) {
      const document = digest(documentUuid);
      const in_doubt = state === 'UNKNOWN' ? 1 : 0;
      upsert.run(document, in_doubt, crcOf('past', { document, in_doubt }));
    },
    adopt({ document, in_doubt, crc }) {
      if (!(document instanceof Uint8Array)) return false;
      return insert.run(document, Number(in_doubt), Number(crc)).changes === 1;
    },
    stateOf(documentUuid) {
      const found = find.get(digest(documentUuid));
      return found && (found['in_doubt'] === 0 ? 'CONFIRMED' : 'UNKNOWN');
    },
  };
}

/**
 * 128 bits distinguish any number of documents, in half the room of the UUID text. The case of a UUID means nothing
 * (RFC 9562 section 4).
 */
const digest = (documentUuid: string): Buffer =>
  digestOf('sha256', documentUuid.toLowerCase(), 'buffer').subarray(0, 16);
