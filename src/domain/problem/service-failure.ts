/**
 * The problem of a failed call to the service. Each port rejects with a `Problem`. Any other error is a bug of ours,
 * `internal`, and never an answer of the service. A deadline that ran out is neither.
 */
import type { Fact, Log } from '../../core/log.ts';
import { Problem } from './problem.ts';

/** After a bug it is not known how far the call had come. */
export function serviceFailure(error: unknown, message = 'the call failed'): Problem {
  if (error instanceof Problem) return error;
  const isOver = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  return new Problem(isOver ? 'cloud-unreachable' : 'internal', message, {
    cause: error,
    delivery: 'perhaps',
  });
}

/**
 * Logged as a warning. A bug of ours is logged as an error with its stack, and counted by its code
 * (`platen_internal_faults_total`).
 */
export function logFailure(log: Log, msg: string, problem: Problem, facts: Record<string, Fact> = {}): void {
  const { code, message: detail, advice, cause } = problem;
  const record = { ...facts, code, detail, advice };
  if (code !== 'internal') return log.warn(msg, record);
  const error = cause instanceof Error ? { error: cause } : {};
  log.error(msg, { ...record, ...error, stack: framesOf(cause) });
}

/** The place of the error, without the error's own text. */
const framesOf = (cause: unknown): readonly string[] => {
  const lines = cause instanceof Error ? (cause.stack?.split('\n') ?? []) : [];
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
};
