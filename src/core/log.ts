/**
 * JSON Lines, one record an event: `time`, `level`, `msg` (constant text), then facts as fields (contract, section 4).
 * Facts are numbers, booleans, short strings, and errors; a `Secret` or `CardNumber` prints itself as `[secret]`.
 * Control, bidirectional and line-separator characters are escaped, and long texts cut, so that nothing a printer
 * or a document is called can forge or hide a line (reliability.md T21).
 */
import { pino } from 'pino';
import { isoInstant, systemClock } from './clock.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
export type Fact = string | number | boolean | null | undefined | Error | readonly string[] | object;

export interface Log {
  debug(msg: string, facts?: Record<string, Fact>): void;
  info(msg: string, facts?: Record<string, Fact>): void;
  warn(msg: string, facts?: Record<string, Fact>): void;
  error(msg: string, facts?: Record<string, Fact>): void;
  /** A log that adds these facts to every record. */
  with(facts: Record<string, Fact>): Log;
}

export interface LogDestination {
  write(line: string): void;
}

const longestText = 512;
// C0, DEL, C1, line and paragraph separator, bidirectional embeddings, overrides and isolates.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text as it may stand in a log or on a terminal: unprintable characters escaped, cut at 512. */
export function printable(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return cut.replace(unprintable, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What a log may know of an error: name, code, message, and the same of its causes; a stack at debug only. */
function describeError(error: Error, withStack: boolean): Record<string, unknown> {
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: printable(error.message),
    ...(withStack && error.stack
      ? {
          stack: error.stack
            .split('\n')
            .slice(1, 6)
            .map((l) => l.trim()),
        }
      : {}),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause, withStack) } : {}),
  };
}

function cleanFact(fact: Fact, withStack: boolean): unknown {
  if (typeof fact === 'string') return printable(fact);
  if (fact instanceof Error) return describeError(fact, withStack);
  if (Array.isArray(fact)) return fact.map((one: Fact) => cleanFact(one, withStack));
  return fact;
}

/** A log that nobody can take any more (a full disk, a reader that went) is dropped; the agent lives. */
function standardOutput(): LogDestination {
  const destination = pino.destination({ dest: 1, sync: true });
  destination.on('error', () => {});
  return destination;
}

export function createLog(options: { level: LogLevel; destination?: LogDestination }): Log {
  const destination = options.destination ?? standardOutput();
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${isoInstant(systemClock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'msg',
    },
    destination,
  );
  const withStack = options.level === 'debug' || options.level === 'trace';
  const clean = (facts: Record<string, Fact> = {}): Record<string, unknown> =>
    Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, cleanFact(fact, withStack)]));
  const wrap = (inner: pino.Logger): Log => ({
    debug: (msg, facts) => inner.debug(clean(facts), msg),
    info: (msg, facts) => inner.info(clean(facts), msg),
    warn: (msg, facts) => inner.warn(clean(facts), msg),
    error: (msg, facts) => inner.error(clean(facts), msg),
    with: (facts) => wrap(inner.child(clean(facts))),
  });
  return wrap(root);
}
