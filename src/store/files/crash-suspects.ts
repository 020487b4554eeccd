/**
 * The documents that the agent had in hand when it crashed (INVARIANTS.md E.2): a file of the state directory
 * with how often, and when last. By wall time, for it lasts over restarts.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

/** What made the agent crash may have been mended by then. */
export const suspectedFor = hours(24);

const shape = z.record(z.string(), z.object({ crashes: z.int(), at: z.number() }));

export interface Suspect {
  readonly documentUuid: string;
  /** Within a day of each other. */
  readonly crashes: number;
  /** Wall time of the start after the last one. */
  readonly at: number;
}

/**
 * Those there are, after this start; `open` were in hand at the end of the agent before. The caller owns the state
 * directory. What cannot be kept is a line in the log: it is no reason not to start.
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
