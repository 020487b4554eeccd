/**
 * Which conditions the receivers of `notify` were told, in a file of the state directory: codes, terminals and times.
 * If the file cannot be read or written, a message may come twice, and the agent goes on.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { SentNotice, SentNotices } from '../../domain/ports/told.ts';
import { hasKnownCode } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const sentNotice = z.object({
  code: z.string(),
  severity: z.enum(['warning', 'error']),
  scope: z.string(),
  subject: z.string(),
  since: z.string(),
  toldAt: z.number(),
});
const shape = z.record(
  z.string(),
  z.array(sentNotice).transform((all) => all.filter(hasKnownCode)),
);

/** The caller owns the state directory. */
export function openSentNotices(options: { readonly stateDir: string; readonly log: Log }): SentNotices {
  const path = join(options.stateDir, 'told.json');
  let kept = keptIn(path, options.log);

  function change(next: Readonly<Record<string, readonly SentNotice[]>>): void {
    kept = next;
    try {
      writeDurably(path, Buffer.from(JSON.stringify(next)));
    } catch (error) {
      options.log.warn('notifications not kept', { error: error as Error });
    }
  }

  return {
    of: (way) => kept[way] ?? [],
    keep: (way, list) => change({ ...kept, [way]: list }),
    keepOnly(ways) {
      const staying = Object.entries(kept).filter(([way]) => ways.includes(way));
      if (staying.length < Object.keys(kept).length) change(Object.fromEntries(staying));
    },
  };
}

function keptIn(path: string, log: Log): Readonly<Record<string, readonly SentNotice[]>> {
  try {
    return shape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '{}'));
  } catch (error) {
    log.warn('notifications not kept', { error: error as Error });
    return {};
  }
}
