/**
 * Which conditions a person has taken on, in a file of the state directory. If the file cannot be read or written, the
 * notes are lost, and the agent goes on.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../core/log.ts';
import type { Acknowledgement, AcknowledgementRegister } from '../../domain/condition.ts';
import { hasKnownCode } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const shape = z.array(
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
  let kept = keptIn(path, log);
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

function keptIn(path: string, log: Log): readonly Acknowledgement[] {
  try {
    return shape.parse(JSON.parse(readIfPresent(path)?.toString() ?? '[]')).filter(hasKnownCode);
  } catch (error) {
    log.warn('acknowledgements not kept', { error: error as Error });
    return [];
  }
}
