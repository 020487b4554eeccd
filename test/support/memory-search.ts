/**
 * All that a process has in memory, as root sees it: /proc/PID/mem, region by region, V8's heap and everything beside it.
 * `memory-search.ts PID {"name":"text",…} {"name":"octets in hex",…}` prints the names of what it finds, as JSON.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

type Words = Readonly<Record<string, string>>;

/** The names of those that stand there in any form a program keeps a text in: octets, or V8's two per letter. */
function foundIn(pid: number, canaries: Words, inHex: Words): readonly string[] {
  const asTheyAre = Object.entries(inHex).map(([what, hex]) => ({ what, octets: Buffer.from(hex, 'hex') }));
  const texts = Object.entries(canaries).flatMap(([what, text]) =>
    [...new Set([text, encodeURIComponent(text)])].flatMap((form) => [
      { what, octets: Buffer.from(form) },
      { what, octets: Buffer.from(form, 'utf16le') },
    ]),
  );
  const forms = [...asTheyAre, ...texts];
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const part of residentParts(pid, memory)) {
      for (const { what, octets } of forms) if (part.includes(octets)) found.add(what);
    }
  } finally {
    closeSync(memory);
  }
  return [...found].toSorted();
}

const partBytes = 16 * 1024 * 1024;
/** Longer than anything that is looked for. */
const overlap = 1024;

function* residentParts(pid: number, memory: number): Generator<Buffer> {
  const part = Buffer.alloc(partBytes);
  for (const [start, end] of residentRegions(pid)) {
    for (let at = start; at < end; at += partBytes - overlap) {
      yield part.subarray(0, readAt(memory, part, at, Math.min(partBytes, end - at)));
    }
  }
}

function* residentRegions(pid: number): Generator<[start: number, end: number]> {
  const regions = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  for (const region of regions) {
    const [, start = '', end = ''] = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(region) ?? [];
    const resident = Number(/^Rss: +(\d+)/m.exec(region)?.[1]) > 0;
    if (start !== '' && resident) yield [Number.parseInt(start, 16), Number.parseInt(end, 16)];
  }
}

/** A page that went away meanwhile ends what can be read. */
function readAt(memory: number, into: Buffer, at: number, length: number): number {
  let read = 0;
  try {
    while (read < length) {
      const more = readSync(memory, into, read, length - read, at + read);
      if (more === 0) break;
      read += more;
    }
  } catch {
    // What was read before counts.
  }
  return read;
}

const [, , pid, canaries = '{}', inHex = '{}'] = process.argv;
process.stdout.write(
  JSON.stringify(foundIn(Number(pid), JSON.parse(canaries) as Words, JSON.parse(inHex) as Words)),
);
