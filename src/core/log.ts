/**
 * JSON Lines, one record an event: `time`, `level`, `msg` (constant text), then facts as fields (contract, section 4).
 * Facts are numbers, booleans, short strings, and errors; a `Secret` or `CardNumber` prints itself as `[secret]`.
 * Control, bidirectional and line-separator characters are escaped, and long texts cut, so that nothing a printer
 * or a document is called can forge or hide a line (INVARIANTS.md T21). No record of any level names a person, a document
 * or a card: who raises the level sees more of what the agent does, and nothing more of whom it does it for (T20).
 */
import { pino } from 'pino';
import type { Clock } from './clock.ts';
import { isoInstant, systemClock } from './clock.ts';
import type { LogLevel, LogLevels } from './log-levels.ts';
import { createLogLevels } from './log-levels.ts';
import { printable } from './text/printable.ts';

export type Fact = string | number | boolean | null | undefined | Error | readonly string[] | object;

export interface Log {
  debug(msg: string, facts?: Record<string, Fact>): void;
  info(msg: string, facts?: Record<string, Fact>): void;
  warn(msg: string, facts?: Record<string, Fact>): void;
  error(msg: string, facts?: Record<string, Fact>): void;
  /** A log that adds these facts to every record. */
  with(facts: Record<string, Fact>): Log;
}

/** The log that all others of the process come from. */
export interface RootLog extends Log {
  /** What is told, by this one and all that come from it; may change at any time. */
  readonly levels: LogLevels;
  /** The newest records, as the lines they are. */
  recent(): readonly string[];
  /** How many records of level error had this `code`, told or not. */
  errors(code: string): number;
  /** Hears every record from info up, told or not; until it is disposed. */
  listen(listener: (record: HeardRecord) => void): Disposable;
}

/** As it was said: facts are neither escaped nor cut, and those of its log are among them. */
export interface HeardRecord {
  readonly msg: string;
  readonly facts: Readonly<Record<string, Fact>>;
}

export interface LogDestination {
  write(line: string): void;
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

/** Writes where it is told to, and keeps the last lines; what is told is settled by whoever calls it. */
const lineWriter = (destination: LogDestination, recent: RecentLines, clock: Clock): pino.Logger =>
  pino(
    {
      // Not there: a child of pino's keeps the level it was born with.
      level: 'trace',
      base: null,
      timestamp: () => `,"time":"${isoInstant(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'msg',
    },
    {
      write(line: string) {
        recent.add(line);
        destination.write(line);
      },
    },
  );

export function createLog(options: {
  readonly level: LogLevel;
  readonly destination?: LogDestination;
  readonly clock?: Clock;
}): RootLog {
  const { level, destination = standardOutput(), clock = systemClock } = options;
  const recent = createRecentLines();
  const errors = new Map<Fact, number>();
  const listeners = new Set<(record: HeardRecord) => void>();

  const clean = (facts: Record<string, Fact>, terminal: Fact): Record<string, unknown> => {
    const withStack = levels.tells('debug', terminal);
    return Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, cleanFact(fact, withStack)]));
  };
  const wrap = (inner: pino.Logger, bound: Readonly<Record<string, Fact>>): Log => {
    const at =
      (rank: 'debug' | 'info' | 'warn' | 'error') =>
      (msg: string, facts: Record<string, Fact> = {}): void => {
        const terminal = facts['terminal'] ?? bound['terminal'];
        if (rank === 'error') errors.set(facts['code'], (errors.get(facts['code']) ?? 0) + 1);
        if (levels.tells(rank, terminal)) inner[rank](clean({ ...bound, ...facts }, terminal), msg);
        if (rank === 'debug') return;
        for (const listener of listeners) listener({ msg, facts: { ...bound, ...facts } });
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with(facts) {
        // No child of pino's: it would write a fact twice that a record has too.
        return wrap(inner, { ...bound, ...facts });
      },
    };
  };
  const log = wrap(lineWriter(destination, recent, clock), {});
  const levels = createLogLevels({ configured: level, clock, tell: log.info });
  return {
    ...log,
    levels,
    recent: recent.all,
    errors: (code) => errors.get(code) ?? 0,
    listen(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

/** Half an hour of a busy terminal, or days of a quiet one. */
const mostOctets = 256 * 1024;

/** The newest lines of a log, kept in memory up to so many octets: what a support bundle shows where no journal is. */
interface RecentLines {
  add(line: string): void;
  /** The oldest first. */
  all(): readonly string[];
}

export function createRecentLines(most = mostOctets): RecentLines {
  const lines: string[] = [];
  let octets = 0;
  return {
    add(line) {
      lines.push(line);
      octets += Buffer.byteLength(line);
      while (octets > most) octets -= Buffer.byteLength(lines.shift() ?? '');
    },
    all: () => [...lines],
  };
}
