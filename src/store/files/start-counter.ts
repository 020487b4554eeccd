/**
 * Counts the recent starts of the agent that were not followed by an orderly stop (INVARIANTS.md E.2): a file of the
 * state directory with their moments. It uses wall time, because it must last over restarts. A clock that was changed
 * can only make it forget starts, never add any.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const span = minutes(5);
/** Far more than are ever needed. */
const most = 20;
const shape = z.array(z.number()).max(most);

export interface Start {
  /** Within the last five minutes, including this start. */
  readonly count: number;
  /** The start before, however long ago, did not end with an orderly stop. */
  readonly isAfterCrash: boolean;
  /** Called at an orderly stop: the next start then counts as the first. */
  forget(): void;
}

/** The caller owns the state directory. If the count cannot be written, that is logged, and the agent starts. */
export function countStart(options: {
  readonly stateDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}): Start {
  const { stateDir, clock, log } = options;
  const path = join(stateDir, 'starts.json');
  const now = clock.now();
  const before = earlier(path);
  const starts = [...before.filter((at) => at <= now && now - at < span), now].slice(-most);
  tell(() => writeDurably(path, Buffer.from(JSON.stringify(starts))));

  function tell(change: () => void): void {
    try {
      change();
    } catch (error) {
      log.warn('starts not counted', { error: error as Error });
    }
  }

  return {
    count: starts.length,
    isAfterCrash: before.length > 0,
    forget: () => tell(() => rmSync(path, { force: true })),
  };
}

function earlier(path: string): readonly number[] {
  try {
    return shape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '[]'));
  } catch {
    return [];
  }
}
