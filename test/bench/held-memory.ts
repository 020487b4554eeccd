/** What holds the memory of an idle `platen run`: the kernel's pages by what they are of, and V8's heap by what is in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { getHeapCodeStatistics } from 'node:v8';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes } from './figures.ts';

const idleTime = 15_000;
const platen = fileURLToPath(new URL('../../tools/platen.js', import.meta.url));

/** Loaded before the agent, as it is: what strips types from a program is heavier than the agent. */
const preload = `data:text/javascript,
import { writeFileSync } from 'node:fs';
import { getHeapCodeStatistics, writeHeapSnapshot } from 'node:v8';
const { PLATEN_BENCH_FOLDER: folder } = process.env;
process.on('SIGUSR2', () => {
  const told = { memory: process.memoryUsage(), code: getHeapCodeStatistics() };
  writeHeapSnapshot(folder + '/heap');
  writeFileSync(folder + '/told', JSON.stringify(told));
});`;

interface Told {
  readonly memory: NodeJS.MemoryUsage;
  readonly code: ReturnType<typeof getHeapCodeStatistics>;
}

type Sizes = ReadonlyMap<string, number>;

export async function measureHeldMemory(): Promise<Measurement> {
  await using stage = await setStage();
  const { folder } = stage;
  const child = spawn(process.execPath, ['--import', preload, platen, 'run', '-c', stage.configFile], {
    env: { ...process.env, PLATEN_BENCH_FOLDER: folder },
    stdio: 'ignore',
  });
  await using _ = { [Symbol.asyncDispose]: () => ended(child) };
  await sleep(idleTime);
  const pages = pagesOf(child.pid ?? 0);
  child.kill('SIGUSR2');
  while (!existsSync(join(folder, 'told'))) await sleep(100);
  const told: Told = JSON.parse(readFileSync(join(folder, 'told'), 'utf8'));
  const heap = heapBy(JSON.parse(readFileSync(join(folder, 'heap'), 'utf8')));
  return {
    title: 'What holds the memory of an idle agent',
    how: `From the bundle, one terminal, ${idleTime / 1000} s after its start: its pages in /proc/PID/smaps; of what is V8's, a heap snapshot by the kind of its nodes, of which those of Node itself are about 5 MB; and what V8 and Node say of themselves.`,
    rows: [
      ['', 'resident'],
      ...rowsOf('pages', pages),
      ...rowsOf("V8's heap", heap),
      ['said by Node: heap used', inMegabytes(told.memory.heapUsed)],
      ['said by Node: outside of the heap', inMegabytes(told.memory.external)],
      ['said by V8: byte code', inMegabytes(told.code.bytecode_and_metadata_size)],
      ['said by V8: machine code', inMegabytes(told.code.code_and_metadata_size)],
      ['said by V8: text outside of the heap', inMegabytes(told.code.external_script_source_size)],
    ],
    goals: [],
  };
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode === null) child.kill('SIGKILL');
  await once(child, 'exit');
}

const rowsOf = (of: string, sizes: Sizes): readonly (readonly string[])[] =>
  [...sizes]
    .filter(([, size]) => size >= 100 * 1024)
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, size]) => [`${of}: ${what}`, inMegabytes(size)]);

const add = (sizes: Map<string, number>, what: string, size: number): unknown =>
  sizes.set(what, (sizes.get(what) ?? 0) + size);

/** Bytes resident, by what they are of (proc(5), smaps). */
function pagesOf(pid: number): Sizes {
  const sizes = new Map<string, number>();
  for (const part of readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[\da-f]+-[\da-f]+ )/m)) {
    const [, access = '', name = ''] = /^\S+ (\S+) \S+ \S+ \S+ *(.*)$/m.exec(part) ?? [];
    const kibibytes = /^Rss:\s+(\d+) kB$/m.exec(part)?.[1] ?? 0;
    add(sizes, pagesCalled(access, name), Number(kibibytes) * 1024);
  }
  return sizes;
}

function pagesCalled(access: string, name: string): string {
  if (name.endsWith('/node'))
    return access.includes('x') ? "node's program" : "node's constants, and its own snapshot";
  if (/\.so/.test(name)) return 'libraries';
  if (name === '[heap]') return "malloc's";
  if (name === '' && access.includes('x')) return 'machine code that V8 made';
  return name === '' ? "V8's heap, and what malloc has asked for apart" : 'others';
}

/** V8's own form of a heap snapshot: flat lists, and what their places mean. */
interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: string[]; readonly node_types: string[][] } };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

function heapBy({ snapshot: { meta }, nodes, strings }: Snapshot): Sizes {
  const { node_fields: fields, node_types: types } = meta;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  const sizes = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const field = (place = 0): number => nodes[at + place] ?? 0;
    const kind = types[0]?.[field(type)] ?? '';
    const bytes = field(size);
    add(sizes, called(kind, strings[field(name)] ?? '', bytes), bytes);
  }
  return sizes;
}

const text = 10_000;

function called(kind: string, name: string, bytes: number): string {
  if (kind === 'string' && bytes > text) return 'texts of programs';
  if (kind === 'string') return 'names and other short texts';
  if (kind === 'object shape') return 'shapes of objects';
  if (kind === 'native') return `native: ${name}`;
  if (kind === 'code')
    return name.startsWith('system / ') ? `code: ${name.slice('system / '.length)}` : 'code: others';
  return kind === 'object' && bytes < text ? 'objects' : kind;
}
