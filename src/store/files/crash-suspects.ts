/**
 * The documents that the agent was working on when it crashed (INVARIANTS.md E.2): a file of the state directory with
 * the number of crashes and the last time. It uses wall time, because it must last over restarts.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

/** After this time the cause of the crash may have been repaired. */
export const suspectedFor = hours(24);

const shape = z.record(z.string(), z.object({ crashes: z.int(), at: z.number() }));

export interface Suspect {
  readonly documentUuid: string;
  /** Within a day of each other. */
  readonly crashes: number;
  /** Wall time of the start after the last crash. */
  readonly at: number;
}

/**
 * The suspects after this start; `open` are the documents that were under way when the previous agent ended. The caller
 * owns the state directory. If the file cannot be written, that is logged, and the agent starts.
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
  const before = earlier(path).filter((one) => one.at <= at && at - one.at < suspectedFor);
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

function earlier(path: string): readonly Suspect[] {
  try {
    const kept = shape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '{}'));
    return Object.entries(kept).map(([documentUuid, rest]) => ({ documentUuid, ...rest }));
  } catch {
    return [];
  }
}
