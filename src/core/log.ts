/**
 * Writes the log as JSON Lines, one record for each event: `time`, `level`, `msg` (constant text), then facts as fields
 * (contract, section 4). A `Secret` or `CardNumber` prints itself as `[secret]`. Special characters are escaped and
 * long texts are cut, so that no name from outside can forge or hide a line (INVARIANTS.md T21). No record of any level
 * names a person, a document or a card (T20): a higher level shows more of the agent's actions only.
 */
import { Channel } from './channel.ts';
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
  with(facts: Record<string, Fact>): Log;
}

/** The log that all other logs of the process come from. */
export interface RootLog extends Log {
  /** What is written by this log and all logs that come from it. It may change at any time. */
  readonly levels: LogLevels;
  /** The newest records, as lines. */
  recent(): readonly string[];
  /** The number of error records with this `code`, written or not. */
  errors(code: string): number;
  /** Hears every record from info up, written or not, until it is disposed. */
  listen(listener: (record: HeardRecord) => void): Disposable;
}

/** The record as the caller gave it: facts are not escaped and not cut, and the facts of its log are included. */
export interface HeardRecord {
  readonly msg: string;
  readonly facts: Readonly<Record<string, Fact>>;
}

export interface LogDestination {
  write(line: string): void;
}

/**
 * The parts of an error that a log may contain: name, code, message, and the same of its causes; the stack at debug
 * only.
 */
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

/** If the log cannot be written (a full disk, a reader that closed), the record is dropped and the agent goes on. */
function standardOutput(): LogDestination {
  const destination = pino.destination({ dest: 1, sync: true });
  destination.on('error', () => {});
  return destination;
}

/** Writes to the destination and keeps the last lines. The caller decides which records are written. */
const lineWriter = (destination: LogDestination, recent: RecentLines, clock: Clock): pino.Logger =>
  pino(
    {
      // The levels are not checked here, because a child of a pino logger keeps the level it was made with.
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
  const records = new Channel<HeardRecord>();

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
        records.tell({ msg, facts: { ...bound, ...facts } });
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with(facts) {
        // This is not a child of the pino logger: a child would write a fact twice if the record has it too.
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
    listen: (listener) => ({ [Symbol.dispose]: records.hear(listener) }),
  };
}

/** Half an hour of a busy terminal, or days of a quiet terminal. */
const mostOctets = 256 * 1024;

/**
 * The newest lines of a log, kept in memory up to a number of octets. A support bundle shows them if there is no
 * journal.
 */
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
