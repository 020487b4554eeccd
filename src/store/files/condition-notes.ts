/**
 * Notes about conditions in files of the state directory: which ones a person has taken on, and which ones the
 * receivers of `notify` were told. If a file cannot be read or written, its notes are lost, and the agent goes on.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Acknowledgement, AcknowledgementRegister } from '../../domain/condition.ts';
import type { SentNotice, SentNotices } from '../../domain/ports/told.ts';
import { hasKnownCode } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const acknowledgedShape = z.array(
  z.object({
    code: z.string(),
    scope: z.string(),
    subject: z.string(),
    note: z.string(),
    name: z.string(),
    at: z.string(),
  }),
);

/** The caller owns the state directory. */
export function openAcknowledgements(options: {
  readonly stateDir: string;
  readonly log: Log;
}): AcknowledgementRegister {
  const { log } = options;
  const path = join(options.stateDir, 'acknowledged.json');
  let kept = acknowledgedIn(path, log);
  return {
    all: () => kept,
    keep(all) {
      kept = all;
      try {
        writeDurably(path, Buffer.from(JSON.stringify(all)));
      } catch (error) {
        log.warn('acknowledgements not kept', { error: error as Error });
      }
    },
  };
}

function acknowledgedIn(path: string, log: Log): readonly Acknowledgement[] {
  try {
    return acknowledgedShape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '[]')).filter(hasKnownCode);
  } catch (error) {
    log.warn('acknowledgements not kept', { error: error as Error });
    return [];
  }
}

const sentNotice = z.object({
  code: z.string(),
  severity: z.enum(['warning', 'error']),
  scope: z.string(),
  subject: z.string(),
  since: z.string(),
  toldAt: z.number(),
});
const toldShape = z.record(
  z.string(),
  z.array(sentNotice).transform((all) => all.filter(hasKnownCode)),
);

/** Codes, terminals and times. Without the file a message may come twice. The caller owns the state directory. */
export function openSentNotices(options: { readonly stateDir: string; readonly log: Log }): SentNotices {
  const path = join(options.stateDir, 'told.json');
  let kept = sentNoticesIn(path, options.log);

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

function sentNoticesIn(path: string, log: Log): Readonly<Record<string, readonly SentNotice[]>> {
  try {
    return toldShape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '{}'));
  } catch (error) {
    log.warn('notifications not kept', { error: error as Error });
    return {};
  }
}
