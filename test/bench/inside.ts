/**
 * A look into an agent from within, by a program that is loaded before it: nothing of it is in the product. It counts what
 * V8 gives out on the heap of the main thread, and tells what is held and what was loaded.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Insight {
  /** Bytes that were given out since the start, garbage by now or not. */
  readonly allocated: number;
  /** Bytes on the heap and in buffers. */
  readonly held: number;
  /** Addresses of programs, and names of Node's own modules. */
  readonly loaded: readonly string[];
}

interface Looks {
  /** Where the words go. */
  readonly folder: string;
  /** At each look all that nobody holds is collected before: what is left hardly depends on chance. */
  readonly collects: boolean;
}

/** The environment of an agent that can be looked into. A worker of its threads inherits the program, and leaves it be. */
export function openToLooks(looks: Looks): Readonly<Record<string, string>> {
  const program = Buffer.from(preload(looks)).toString('base64');
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${program}` };
}

export async function lookInto(pid: number, { folder }: Pick<Looks, 'folder'>): Promise<Insight> {
  const words = join(folder, String(pid));
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(words)) await sleep(10);
  const insight: Insight = JSON.parse(readFileSync(words, 'utf8'));
  rmSync(words);
  return insight;
}

const preload = ({ folder, collects }: Looks): string => `
import { renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
const loaded = [];
let [allocated, level] = [0, getHeapStatistics().used_heap_size];
let profiler = new GCProfiler();
const rise = (before, after) => { allocated += before - level; level = after; };
function count() {
  for (const { beforeGC, afterGC } of profiler.stop().statistics)
    rise(beforeGC.heapStatistics.usedHeapSize, afterGC.heapStatistics.usedHeapSize);
  const { used_heap_size: used } = getHeapStatistics();
  rise(used, used);
  profiler = new GCProfiler();
  profiler.start();
}
async function collect() {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let turn = 0; turn < 3; turn += 1) {
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(100);
  }
}
async function tell() {
  count();
  if (${collects}) await collect();
  const { heapUsed, external } = process.memoryUsage();
  const builtins = process.moduleLoadList.filter((one) => one.startsWith('NativeModule '));
  const words = { allocated, held: heapUsed + external, loaded: [...loaded, ...builtins] };
  const file = ${JSON.stringify(folder)} + '/' + process.pid;
  writeFileSync(file + '.part', JSON.stringify(words));
  renameSync(file + '.part', file);
}
if (process.env.NODE_OPTIONS !== undefined) {
  // The agent refuses to start with them.
  delete process.env.NODE_OPTIONS;
  profiler.start();
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on('SIGUSR2', tell);
}`;
