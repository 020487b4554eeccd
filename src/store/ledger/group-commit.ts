/**
 * Group commit: whoever waits for the disk waits together, beside the thread on which everybody's screen is drawn. One
 * sync of a slow card takes 20 ms and more. First the log, then the head anchor, which is never ahead of it (INVARIANTS.md B.1).
 */
import type { Database } from '../database.ts';
import type { Head } from '../event-chain.ts';
import { together } from '../together.ts';
import type { HeadAnchor } from './head-anchor.ts';

export interface GroupCommit {
  /** An event that the world must not be ahead of; it is committed. */
  anchors(head: Head): void;
  /** What was committed before the call is on disk, and anchored, when it resolves. Rejects with `store-failed` (D12). */
  durable(): Promise<void>;
}

export function createGroupCommit({
  database,
  anchor,
}: {
  readonly database: Pick<Database, 'syncBeside' | 'guardedBeside'>;
  readonly anchor: Pick<HeadAnchor, 'holdBeside'>;
}): GroupCommit {
  let newest: Head | undefined;
  /** The newest of those in the log on the disk. */
  let owed: Head | undefined;
  let anchored = 0;
  const syncLog = together(() => database.syncBeside());
  const syncAnchor = together(async () => {
    const head = owed;
    if (!head || head.seq <= anchored) return;
    await database.guardedBeside(() => anchor.holdBeside(head));
    anchored = head.seq;
  });
  return {
    anchors(head) {
      newest = head;
    },
    async durable() {
      const head = newest;
      await syncLog();
      if (head && head.seq > (owed?.seq ?? 0)) owed = head;
      await syncAnchor();
    },
  };
}
