/**
 * The timeline in the state directory: JSON Lines in files of one day, or of a quarter of a megabyte; full files are
 * compressed. It keeps 30 days and 8 MB; the oldest files go first. A line is not synced, because no print depends on
 * it, and a terminal without events writes nothing. A failure to write is one line in the log.
 */
import {
  closeSync,
  constants,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { errnoOf } from '../../core/errno.ts';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import type { TimelineEntry, TimelineEvent } from '../../domain/terminal/timeline.ts';
import { isTimelineEvent } from '../../domain/terminal/timeline.ts';
import { fileProblem, openRegular, readIfPresent } from './durable-file.ts';

export interface TimelineLimits {
  readonly keepFor: Duration;
  readonly mostOctets: number;
  /** A file of this size is full. */
  readonly fileOctets: number;
}

const usualLimits: TimelineLimits = {
  keepFor: hours(30 * 24),
  mostOctets: 8 * 1024 * 1024,
  fileOctets: 256 * 1024,
};

const timelineFolder = 'timeline';
/** The name begins with the day, UTC. A later file of the same day has a higher number. */
const timelineFile = /^(\d{4}-\d\d-\d\d)-(\d{4})\.jsonl(\.gz)?$/;

export interface Timeline {
  /** Never throws. */
  add(entry: TimelineEntry): void;
}

interface Begun {
  readonly name: string;
  readonly octets: number;
  /** A new line first ends a line that a crash or a full disk has cut off. */
  readonly before: '' | '\n';
}

/** The caller owns the state directory. */
export function openTimeline(options: {
  readonly stateDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly limits?: TimelineLimits;
}): Timeline {
  const { stateDir, clock, log, limits = usualLimits } = options;
  const folder = join(stateDir, timelineFolder);
  let file: Begun | undefined;
  let isFailing = false;

  function add(entry: TimelineEntry): void {
    const day = entry.time.slice(0, 10);
    if (!file?.name.startsWith(day) || file.octets >= limits.fileOctets) file = turnTo(day);
    const line = `${file.before}${lineOf(entry)}`;
    append(join(folder, file.name), line);
    file = { name: file.name, octets: file.octets + Buffer.byteLength(line), before: '' };
  }

  function turnTo(day: string): Begun {
    ensurePrivateFolder(folder);
    const names = filesIn(folder);
    const newest = names.findLast((name) => name.startsWith(day));
    const octets = newest === undefined ? 0 : statSync(join(folder, newest)).size;
    if (newest?.endsWith('.jsonl') && octets < limits.fileOctets) {
      return { name: newest, octets, before: '\n' };
    }
    for (const name of names) compress(join(folder, name));
    prune();
    const number = newest === undefined ? 0 : Number(timelineFile.exec(newest)?.[2]) + 1;
    return { name: `${day}-${String(number).padStart(4, '0')}.jsonl`, octets: 0, before: '' };
  }

  function prune(): void {
    const oldest = isoInstant(clock.now() - limits.keepFor).slice(0, 10);
    // The file that is begun now needs room too.
    let octets = limits.fileOctets;
    for (const name of filesIn(folder).toReversed()) {
      const path = join(folder, name);
      octets += statSync(path).size;
      if (octets > limits.mostOctets || name.slice(0, 10) < oldest) rmSync(path);
    }
  }

  return {
    add(entry) {
      try {
        add(entry);
        isFailing = false;
      } catch (error) {
        file = undefined;
        if (!isFailing) log.warn('timeline not kept', { error: error as Error });
        isFailing = true;
      }
    },
  };
}

/** The oldest first. Throws `store-refused` or `store-failed` if the folder exists and cannot be read. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => timelineFile.test(name))
      .sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw fileProblem(folder, error);
  }
}

const lineOf = ({ time, what, terminal, facts }: TimelineEntry): string =>
  `${JSON.stringify({ time, what, ...(terminal === undefined ? {} : { terminal }), ...facts })}\n`;

function append(path: string, text: string): void {
  const file = openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** If the process is killed in between, both files exist, and the next call removes the uncompressed one. */
function compress(path: string): void {
  if (!path.endsWith('.jsonl')) return;
  const packed = `${path}.gz`;
  if (!existsSync(packed)) {
    rmSync(`${packed}.new`, { force: true });
    writeFileSync(`${packed}.new`, gzipSync(readIfPresent(path) ?? ''), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(`${packed}.new`, packed);
  }
  rmSync(path);
}

const fact = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const lineShape = z
  .object({ time: z.string(), what: z.string(), terminal: z.exactOptional(z.string()) })
  .catchall(fact);

/**
 * The timeline for reading, beside a running agent or without one. The oldest first: for one terminal, together with
 * entries that concern all terminals, or everything. Lines that were cut off are left out, and entries of a later
 * version that this version does not know.
 */
export function* timelineOf(options: {
  readonly stateDir: string;
  readonly terminal?: string | undefined;
  /** Only this event; all events if absent. */
  readonly what?: TimelineEvent;
  /** ISO 8601, UTC; files of earlier days are not opened. */
  readonly from?: string;
}): Generator<TimelineEntry> {
  const folder = join(options.stateDir, timelineFolder);
  const own = options.terminal === undefined ? undefined : `"terminal":${JSON.stringify(options.terminal)}`;
  const wanted = options.what === undefined ? '' : `"what":${JSON.stringify(options.what)}`;
  const concerns = (line: string) =>
    line !== '' &&
    line.includes(wanted) &&
    (own === undefined || line.includes(own) || !line.includes('"terminal":'));
  const firstDay = options.from?.slice(0, 10) ?? '';
  const names = filesIn(folder).filter((name) => name.slice(0, 10) >= firstDay);
  for (const name of names) {
    if (names.includes(`${name}.gz`)) continue;
    for (const line of textOf(join(folder, name)).split('\n')) {
      const entry = concerns(line) ? entryIn(line) : undefined;
      if (entry) yield entry;
    }
  }
}

/** The time of the last entry, ISO 8601; `undefined` if there is none. */
export function lastEntryAt(stateDir: string): string | undefined {
  const folder = join(stateDir, timelineFolder);
  const newest = filesIn(folder).at(-1);
  if (newest === undefined) return undefined;
  for (const line of textOf(join(folder, newest)).split('\n').toReversed()) {
    const entry = entryIn(line);
    if (entry) return entry.time;
  }
  return undefined;
}

/** The agent may have compressed or removed the file since it was listed. */
function textOf(path: string): string {
  const isPacked = path.endsWith('.gz');
  const octets = readIfPresent(path);
  if (octets === undefined) return isPacked ? '' : textOf(`${path}.gz`);
  return (isPacked ? gunzipSync(octets) : octets).toString();
}

function entryIn(line: string): TimelineEntry | undefined {
  const { data } = lineShape.safeParse(jsonIn(line));
  if (!data || !isTimelineEvent(data.what)) return undefined;
  const { time, what, terminal, ...facts } = data;
  return {
    time,
    what,
    ...(terminal === undefined ? {} : { terminal }),
    facts,
  };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
