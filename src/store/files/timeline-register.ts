/** The timeline for reading, beside a running agent or without one. Lines that were cut off are left out. */
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { TimelineEntry, TimelineEvent } from '../../domain/terminal/timeline.ts';
import { isTimelineEvent } from '../../domain/terminal/timeline.ts';
import { readIfPresent } from './durable-file.ts';
import { filesIn, timelineFolder } from './timeline.ts';

const fact = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const lineShape = z
  .object({ time: z.string(), what: z.string(), terminal: z.exactOptional(z.string()) })
  .catchall(fact);

/**
 * The oldest first: for one terminal, together with entries that concern all terminals, or everything. Entries of a
 * later version that this version does not know are left out.
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
