/**
 * `platen logs`: the log in the words of a person, one line for each record. It tells only facts from the log, and the
 * log has no secret (INVARIANTS.md T20). Control characters in the text of others are escaped (T21).
 */
import { StringDecoder } from 'node:string_decoder';
import { loadConfigWithoutSecrets } from '../../config/load.ts';
import { isoInstant, isoWithOffset, parseInstant } from '../../core/clock.ts';
import { printable } from '../../core/text/printable.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { noSuchTerminal } from '../named-terminal.ts';
import type { Color } from '../terminal-text/screen.ts';
import { paintFor } from '../terminal-text/screen.ts';
import type { LogsOptions } from './opened-log.ts';
import { isTelling, sentenceOf } from './sentences.ts';
import { octetsOf } from './source.ts';
import type { LogRecord } from './sentences.ts';
import type { Facts } from './sentence.ts';
import { isFacts } from './sentence.ts';

export async function logsCommand(options: LogsOptions, io: Io): Promise<number> {
  const { terminal, source, follow } = options;
  const known = terminal === undefined ? undefined : terminalsIn(options.config, io);
  const isKnown = known?.some(({ id }) => id === terminal);
  // No record will come for an unknown terminal. But an old log may still have records of it.
  if (terminal !== undefined && isKnown === false && follow) {
    if (source.kind === 'journal') source.journal.end();
    throw noSuchTerminal(terminal, known);
  }
  const tell = createTeller(io);
  let lines = 0;
  let wasSeen = false;
  for await (const text of linesOf(octetsOf(source, io))) {
    const line = readLogLine(text);
    if (!line) continue;
    lines += 1;
    if (terminal !== undefined && terminalOf(line) !== terminal) continue;
    wasSeen = true;
    if (isAskedFor(line, options)) tell(line);
  }
  if (source.kind === 'journal') await complainOf(source.journal, { lines, since: options.since }, io);
  if (terminal !== undefined && !isKnown && !wasSeen) throw noSuchTerminal(terminal, known);
  return exitCode.ok;
}

/** A line without a time is never too old. */
const isAskedFor = ({ at = Infinity, record }: LogLine, { since = 0, all }: LogsOptions): boolean =>
  at >= since && (all === true || !record || isTelling(record));

/** `undefined` if the configuration cannot be read. Then only the log knows the terminals. */
function terminalsIn(config: string, io: Io): readonly { readonly id: string }[] | undefined {
  try {
    return loadConfigWithoutSecrets(config, io.env).terminals;
  } catch {
    return undefined;
  }
}

async function complainOf(
  journal: { failure(): Promise<string | undefined> },
  { lines, since }: { readonly lines: number; readonly since: number | undefined },
  io: Io,
): Promise<void> {
  const failure = io.stop.aborted ? undefined : await journal.failure();
  if (failure !== undefined) {
    throw new CommandFailed(
      `the journal cannot be read (${printable(failure)}). Give the log: platen logs FILE, or … | platen logs`,
    );
  }
  if (lines > 0 || io.stop.aborted) return;
  const from = since === undefined ? '' : ` since ${isoInstant(since)}`;
  io.error(
    `platen: the journal has nothing about platen.service${from}, or this user may not read it. Run it with sudo, or give --since`,
  );
}

/** Makes lines from octets as they arrive from a file, a pipe or a program, even if they never end. */

/** In characters. No record is nearly as long, because each text in it is cut at 512. */
const longest = 64 * 1024;

/** Longer lines are cut, so that input without a line end cannot fill the memory. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  let isCut = false;
  const take = (part: string) => {
    isCut ||= begun.length + part.length > longest;
    begun += part.slice(0, longest - begun.length);
  };
  const whole = () => {
    const line = isCut ? `${begun}…` : begun;
    [begun, isCut] = ['', false];
    return line.replace(/\r$/, '');
  };
  for await (const octets of source) {
    const parts = decoder.write(Buffer.from(octets)).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      take(part);
      yield whole();
    }
    take(last);
  }
  take(decoder.end());
  if (begun !== '') yield whole();
}

/** A line for a person has the time of this machine, the terminal, a mark for its level, and a sentence. */
const marks: ReadonlyMap<string, readonly [string, Color]> = new Map([
  ['warn', ['Warning: ', 'yellow']],
  ['error', ['Error: ', 'red']],
  ['fatal', ['Error: ', 'red']],
]);

/** `2026-11-22 10:15:03` */
const stampWidth = 19;
const longestId = 32;

/** The column for terminals grows when a longer id comes, and never shrinks, because later ids are not known. */
function createTeller(io: Pick<Io, 'out' | 'screen'>): (line: LogLine) => void {
  const paint = paintFor(io.screen);
  let width = 0;
  return (line) => {
    const { at, record, text } = line;
    const terminal = printable(terminalOf(line) ?? '').slice(0, longestId);
    width = Math.max(width, terminal.length);
    const when = at === undefined ? '' : isoWithOffset(at).slice(0, stampWidth).replace('T', ' ');
    const where = width === 0 ? '' : `${terminal.padEnd(width)}  `;
    const sentence = record ? sentenceOf(record) : printable(text);
    const [word, color] = (record && marks.get(record.level)) ?? ['', undefined];
    const words = color ? paint(`${word}${sentence}`, color) : sentence;
    io.out(`${when.padEnd(stampWidth)}  ${where}${words}`);
  };
}

/**
 * One line of the log: a record of the agent (JSON Lines), an entry of the journal around a record (`journalctl -o
 * json`), or a line of another program between them, such as systemd.
 */
interface LogLine {
  /** Milliseconds since 1970, if the line has a time. */
  readonly at: number | undefined;
  /** The line is a record, or else a text. */
  readonly record?: LogRecord;
  readonly text: string;
}

/** `undefined` for an empty line. */
function readLogLine(line: string): LogLine | undefined {
  if (line.trim() === '') return undefined;
  const value = parsed(line);
  if (isRecord(value)) return { at: instantOf(value['time']), record: value, text: line };
  const entry = isFacts(value) ? entryOf(value) : undefined;
  if (!entry) return { at: undefined, text: line };
  const inner = readLogLine(entry.message);
  return inner && { ...inner, at: inner.at ?? entry.at };
}

/** The terminal of the record. A condition has it as its scope. */
function terminalOf({ record }: LogLine): string | undefined {
  const { terminal, scope }: Facts = record ?? {};
  if (typeof terminal === 'string') return terminal;
  return typeof scope === 'string' && scope !== 'agent' ? scope : undefined;
}

const isRecord = (value: unknown): value is LogRecord =>
  isFacts(value) && typeof value['msg'] === 'string' && typeof value['level'] === 'string';

/** systemd.journal-fields(7): microseconds as text. A message that is not UTF-8 is a list of octets. */
function entryOf(entry: Facts): { readonly at: number | undefined; readonly message: string } | undefined {
  const { MESSAGE: message, __REALTIME_TIMESTAMP: stamp } = entry;
  const text = Array.isArray(message) ? Buffer.from(message as number[]).toString() : message;
  if (typeof text !== 'string') return undefined;
  // An entry within an entry is ignored.
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
  // Times beyond the four-digit years of ISO 8601 are no real times.
  return at !== undefined && at >= 0 && isoInstant(at).length === 24 ? at : undefined;
}
