/**
 * Group commit: all callers that wait for the disk share one sync, beside the thread that draws every screen. One sync
 * of a slow card takes 20 ms and more. The log is synced first and then the head anchor, which must never be ahead of
 * the log (INVARIANTS.md B.1).
 */
import type { Database } from '../database.ts';
import type { Head } from '../event-chain.ts';
import type { HeadAnchor } from './head-anchor.ts';

export interface GroupCommit {
  /** Takes a committed event that must be on disk before the outside world sees its effect. */
  anchors(head: Head): void;
  /**
   * Everything committed before the call is on disk and anchored when it resolves. Rejects with `store-failed` (D12).
   */
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
  /** The newest head that is in the log on disk. */
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

/** Runs the work once at a time. A call during a run shares the next run, which begins after the call. */
export function together(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await current?.catch(() => {});
    next = undefined;
    current = work();
    await current;
  };
  return () => (next ??= begin());
}
