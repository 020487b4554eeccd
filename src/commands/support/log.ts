/**
 * The log for a support bundle: the newest records of the running agent, systemd's journal, or a named file. Only lines
 * of the agent or systemd are taken, because a file may have other text.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { Io } from '../io.ts';
import { callControl, notRunning } from '../control-call.ts';

const answer = z.object({ lines: z.array(z.string()) });

/** Rejects if no agent runs. `file`: its configuration. */
export async function agentsLog(
  { stateDir, file }: { stateDir: string; file: string },
  io: Io,
): Promise<string> {
  const said = await callControl({ stateDir }, io, { method: 'GET', path: '/log' });
  if (said === undefined) throw new Error(notRunning(file));
  return answer.parse(said).lines.join('');
}

/** Throws if the journal has no entry, or if this user may not read it. */
export function journalsLog(said: string | undefined): string {
  if (said === undefined)
    throw new Error('the journal has nothing of platen.service, or this user may not read it');
  return ours(said);
}

/** Octets from the end of the file. */
const longestTail = 1024 * 1024;

/** Throws the system's error. */
export function filesLog(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, longestTail));
    const read = readSync(file, tail, 0, tail.length, size - tail.length);
    return ours(tail.toString('utf8', 0, read));
  } finally {
    closeSync(file);
  }
}

const record = z.looseObject({ time: z.string(), level: z.string(), msg: z.string() });
/** Lines of `platen` on standard error, and of systemd about the unit. */
const ownLine = /^(platen: |platen[a-z@-]*\.(service|socket): |(Start|Stopp)(ed|ing) |Scheduled )/;

function ours(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const kept = lines.filter((line) => ownLine.test(line) || isRecord(line));
  const others = lines.length - kept.length;
  return [
    ...kept,
    ...(others > 0 ? [`(left out, because they are not records of Platen: ${others} lines)`] : []),
    '',
  ].join('\n');
}

function isRecord(line: string): boolean {
  try {
    return record.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}
