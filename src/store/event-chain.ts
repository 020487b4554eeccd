/**
 * The ledger's events as a chain (INVARIANTS.md B.1, T31). Each event carries a hash over the hash before it and its
 * own content, so no event can be changed, dropped or inserted without a different head. It does not check the legal
 * order.
 */
import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { factsText } from './columns.ts';
import type { Database } from './database.ts';
import { rowsAsLists } from './database.ts';

/** The last event of a chain. */
export interface Head {
  readonly seq: number;
  readonly hash: Uint8Array;
}

/** The head before the first event. */
export const genesis: Head = { seq: 0, hash: new Uint8Array(32) };

export interface EventChain {
  /** Runs inside the caller's transaction. `attempt` is absent if the event is about the books themselves. */
  append(event: { attempt?: number; state: string; facts: object }): Head;
  head(): Head;
}

/** Stamps an event with the wall clock, and with the boot of the machine and the time since it. */
export interface Stamp {
  readonly clock: Clock;
  readonly bootId: string;
}

const columns = 'seq, attempt, state, at, boot_id, monotonic_ms, facts, hash';

export function createEventChain(options: { database: Database } & Stamp): EventChain {
  const { database, clock, bootId } = options;
  const last = database.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1');
  const insert = database.prepare(`INSERT INTO event (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  function head(): Head {
    const found = last.get();
    return found ? headShape.parse(found) : genesis;
  }
  return {
    head,
    append({ attempt, state, facts }) {
      const before = head();
      const seq = before.seq + 1;
      const stamps = [isoInstant(clock.now()), bootId, clock.sinceBoot()];
      const event = [seq, attempt ?? null, state, ...stamps, JSON.stringify(facts)];
      const hash = hashOf(before, event);
      insert.run(...event, hash);
      return { seq, hash };
    },
  };
}

const headShape = z.object({ seq: z.int(), hash: z.instanceof(Uint8Array) });

const hashOf = (before: Head, event: readonly unknown[]): Buffer =>
  digestOf('sha256', Buffer.concat([before.hash, Buffer.from(JSON.stringify(event))]), 'buffer');

export interface Walk {
  readonly head: Head;
  /** The hash of the event that was asked for; `undefined` if it is compacted or was never written. */
  readonly hashAt: Uint8Array | undefined;
}

/** Follows the chain from its last checkpoint to its head. If a link is broken, gives the first such link in words. */
export function walkChain(database: Database, at: number): Walk | string {
  let head = baseOf(database);
  let hashAt = at === head.seq ? head.hash : undefined;
  for (const event of rowsAsLists(database, `SELECT ${columns} FROM event ORDER BY seq`)) {
    const keptHash = event.pop();
    const hash = hashOf(head, event);
    const follows = event[0] === head.seq + 1 && keptHash instanceof Uint8Array && hash.equals(keptHash);
    if (!follows) return `the chain of events breaks after event ${head.seq}`;
    head = { seq: head.seq + 1, hash };
    if (head.seq === at) hashAt = hash;
  }
  return { head, hashAt };
}

/** The last event that compaction removed, according to the newest checkpoint. */
function baseOf(database: Database): Head {
  const newest = database.prepare(
    "SELECT facts FROM event WHERE state = 'CHECKPOINT' ORDER BY seq DESC LIMIT 1",
  );
  const found = newest.get();
  if (!found) return genesis;
  const { through, hash } = checkpointFacts.parse(found['facts']);
  return { seq: through, hash: Buffer.from(hash, 'hex') };
}

const checkpointFacts = factsText.pipe(z.object({ through: z.int(), hash: z.hex() }));
