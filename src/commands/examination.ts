/** One thing that `platen check` looks at, and what it found: a line each, with what to do about it. */
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { isProblem } from '../domain/problem.ts';

export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'waiting' | 'failed';
  readonly detail: string;
  /** The same for programs, where there is more to tell. */
  readonly facts?: object;
  readonly milliseconds: number;
}

/** What was found; a thrown error is a failure. `waiting`: nothing is wrong, but something is still to come. */
export type Examination = () => Promise<
  string | { readonly waiting: string } | Required<Pick<Finding, 'state' | 'detail' | 'facts'>>
>;

/** For one thing as a whole. */
export const examinationLimit = seconds(15);

export async function examined(what: string, examine: Examination): Promise<Finding> {
  const since = systemClock.monotonic();
  const took = () => Math.round(systemClock.monotonic() - since);
  try {
    const found = await examine();
    if (typeof found === 'string') return { what, state: 'ok', detail: found, milliseconds: took() };
    return 'waiting' in found
      ? { what, state: 'waiting', detail: found.waiting, milliseconds: took() }
      : { what, ...found, milliseconds: took() };
  } catch (error) {
    const detail = isProblem(error) ? `${error.message}. ${error.advice}` : (error as Error).message;
    return { what, state: 'failed', detail, milliseconds: took() };
  }
}

/** Several lines tell of one call. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}
