/**
 * One line of the log, wherever it was kept: a record of the agent's (JSON Lines), an entry of the journal around one
 * (`journalctl -o json`), or what somebody else wrote between them, systemd for one.
 */
import { isoInstant, parseInstant } from '../../core/clock.ts';
import type { LogRecord } from './sentences.ts';
import type { Facts } from './sentence.ts';
import { isFacts } from './sentence.ts';

export interface LogLine {
  /** Milliseconds since 1970, where it says so. */
  readonly at: number | undefined;
  /** What it is: a record, or a text that is none. */
  readonly record?: LogRecord;
  readonly text: string;
}

/** `undefined` for a line that says nothing. */
export function readLogLine(line: string): LogLine | undefined {
  if (line.trim() === '') return undefined;
  const value = parsed(line);
  if (isRecord(value)) return { at: instantOf(value['time']), record: value, text: line };
  const entry = isFacts(value) ? entryOf(value) : undefined;
  if (!entry) return { at: undefined, text: line };
  const inner = readLogLine(entry.message);
  return inner && { ...inner, at: inner.at ?? entry.at };
}

/** The terminal it is about; a condition names it as its scope. */
export function terminalOf({ record }: LogLine): string | undefined {
  const { terminal, scope }: Facts = record ?? {};
  if (typeof terminal === 'string') return terminal;
  return typeof scope === 'string' && scope !== 'agent' ? scope : undefined;
}

const isRecord = (value: unknown): value is LogRecord =>
  isFacts(value) && typeof value['msg'] === 'string' && typeof value['level'] === 'string';

/** systemd.journal-fields(7): microseconds as text; a message that is no UTF-8 is a list of octets. */
function entryOf(entry: Facts): { readonly at: number | undefined; readonly message: string } | undefined {
  const { MESSAGE: message, __REALTIME_TIMESTAMP: stamp } = entry;
  const text = Array.isArray(message) ? Buffer.from(message as number[]).toString() : message;
  if (typeof text !== 'string') return undefined;
  // An entry within an entry is nobody's.
  const at = typeof stamp === 'string' && /^\d{1,18}$/.test(stamp) ? Number(stamp) / 1000 : undefined;
  return { at, message: isEntry(text) ? '' : text };
}

const isEntry = (text: string): boolean => {
  const value = parsed(text);
  return isFacts(value) && !isRecord(value) && value['MESSAGE'] !== undefined;
};

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function instantOf(time: unknown): number | undefined {
  const at = typeof time === 'string' ? parseInstant(time) : undefined;
  // Beyond what ISO 8601 writes in four digits no clock of ours has ever been.
  return at !== undefined && at >= 0 && isoInstant(at).length === 24 ? at : undefined;
}
