/**
 * What is remembered of crashes, in two files of the state directory (INVARIANTS.md E.2): the recent starts that were
 * not followed by an orderly stop, and the documents that the agent was working on. It uses wall time, because it
 * must last over restarts. A clock that was changed can only make it forget starts, never add any.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { hours, minutes } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const span = minutes(5);
/** Far more than are ever needed. */
const most = 20;
const startsShape = z.array(z.number()).max(most);

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
  const before = earlierStarts(path);
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

function earlierStarts(path: string): readonly number[] {
  try {
    return startsShape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '[]'));
  } catch {
    return [];
  }
}

/** After this time the cause of the crash may have been repaired. */
export const suspectedFor = hours(24);

const suspectsShape = z.record(z.string(), z.object({ crashes: z.int(), at: z.number() }));

export interface Suspect {
  readonly documentUuid: string;
  /** Within a day of each other. */
  readonly crashes: number;
  /** Wall time of the start after the last crash. */
  readonly at: number;
}

/**
 * The suspects after this start, each with its number of crashes and the last time; `open` are the documents that
 * were under way when the previous agent ended. The caller owns the state directory. If the file cannot be written,
 * that is logged, and the agent starts.
 */
export function countSuspects(options: {
  readonly stateDir: string;
  readonly wasCrash: boolean;
  readonly open: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}): readonly Suspect[] {
  const { stateDir, wasCrash, open, clock, log } = options;
  const path = join(stateDir, 'suspects.json');
  const at = clock.now();
  const before = earlierSuspects(path).filter((one) => one.at <= at && at - one.at < suspectedFor);
  if (!wasCrash || open.length === 0) return before;
  const crashesOf = (uuid: string) => before.find(({ documentUuid }) => documentUuid === uuid)?.crashes ?? 0;
  const inHand = [...new Set(open)].map((uuid) => ({ documentUuid: uuid, crashes: crashesOf(uuid) + 1, at }));
  const suspects = [...before.filter(({ documentUuid }) => !open.includes(documentUuid)), ...inHand];
  try {
    const kept = suspects.map(({ documentUuid, ...rest }) => [documentUuid, rest]);
    writeDurably(path, Buffer.from(JSON.stringify(Object.fromEntries(kept))));
  } catch (error) {
    log.warn('documents of crashes not counted', { error: error as Error });
  }
  return suspects;
}

function earlierSuspects(path: string): readonly Suspect[] {
  try {
    const kept = suspectsShape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '{}'));
    return Object.entries(kept).map(([documentUuid, rest]) => ({ documentUuid, ...rest }));
  } catch {
    return [];
  }
}
