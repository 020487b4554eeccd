/** How long a person waits for the engine (F12): a sentence after 2 s, an end after 10 s. */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { ClaimOptions } from '../domain/ports/claims.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Engine } from './engine/engine.ts';
import type { Row, Statement } from './engine/line.ts';

export type Ask = (statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

const patience = seconds(10);
const sentenceAfter = seconds(2);
const shortRest = milliseconds(100);
const left = (span: number): Duration => milliseconds(Math.max(1, Math.ceil(span)));

/**
 * Repeats the deed until it has an answer: each statement may be sent again. Rejects with `fleet-engine-away` at the
 * end of the patience, and at once with any other error.
 */
export async function askPatiently<Answer>(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  { signal, onWait }: ClaimOptions,
  deed: (ask: Ask) => Promise<Answer | undefined>,
): Promise<Answer> {
  const until = clock.monotonic() + patience;
  let isReported = false;
  const timer = clock.setTimeout(() => {
    isReported = true;
    onWait?.('engine-away');
  }, sentenceAfter);
  const ask: Ask = (statement, values) =>
    engine.ask(statement, values, { signal, within: left(until - clock.monotonic()) });
  try {
    for (;;) {
      try {
        const answer = await deed(ask);
        if (answer !== undefined) return answer;
      } catch (error) {
        const isOver = clock.monotonic() >= until || signal.aborted;
        if (isOver || !isProblem(error, 'fleet-engine-away')) throw error;
      }
      await clock.sleep(shortRest, { signal });
    }
  } finally {
    clock.clearTimeout(timer);
    if (isReported) onWait?.(undefined);
  }
}
