/**
 * How often the agent was started lately without having been stopped in order in between (INVARIANTS.md E.2): a
 * file of the state directory with the moments. By wall time, for it lasts over restarts; a clock that was set makes it
 * forget, and never count more than there were.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const span = minutes(5);
/** Far more than are ever looked at. */
const most = 20;
const shape = z.array(z.number()).max(most);

export interface Start {
  /** Within the last five minutes, this one included. */
  readonly count: number;
  /** The one before, however long ago, was not followed by a stop in order. */
  readonly isAfterCrash: boolean;
  /** The agent was stopped in order: the next start is the first one again. */
  forget(): void;
}

/** The caller owns the state directory. A count that cannot be kept is a line in the log: it is no reason not to start. */
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
