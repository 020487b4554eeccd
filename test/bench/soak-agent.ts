/**
 * The agent of the soak, as a process of its own: composed as `platen run` composes it, on a clock that its parent puts
 * forward. It tells its parent what its log tells of sessions and records, and what it holds when it is asked.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startAgent } from '../../src/agent/agent.ts';
import { loadConfig } from '../../src/config/load.ts';
import { systemChance } from '../../src/core/chance.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import { forwardClock } from '../support/forward-clock.ts';

export interface Holding {
  /** Bytes, after two collections. */
  readonly resident: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly timers: number;
  /** Milliseconds: of a thousand looks at the event loop, one came later than that; since the start. */
  readonly pause: number;
}

export type SoakOrder = { readonly forward: number } | 'look';
export type SoakWord =
  | { readonly told: string; readonly operations?: string | undefined }
  | { readonly holding: Holding };

const interesting =
  /"msg":"(agent started|reader up|terminal ready|session closed|login failed|card ignored|history accepted)"/;
const listener = /"operations":"([^"]+)"/;
const say = (word: SoakWord) => process.send?.(word);

/** Milliseconds between two looks at the event loop. */
const resolution = 2;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

const clock = forwardClock();
const log = createLog({
  level: 'info',
  destination: {
    write(line) {
      const [, told] = interesting.exec(line) ?? [];
      if (told !== undefined) say({ told, operations: listener.exec(line)?.[1] });
    },
  },
});
const config = loadConfig(process.argv[2] ?? '', {});
const agent = await startAgent({ config, clock, chance: systemChance, log });
const stop = new AbortController();

process.on('message', (order: SoakOrder) => {
  if (order !== 'look') return clock.forward(milliseconds(order.forward));
  // The looks of the soak itself do not count.
  delay.disable();
  // Twice: what a finaliser lets go of is collected by the second one.
  globalThis.gc?.();
  globalThis.gc?.();
  delay.enable();
  const { rss: resident, heapUsed: heap } = process.memoryUsage();
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const pause = delay.percentile(99.9) / 1e6 - resolution;
  say({ holding: { resident, heap, descriptors: readdirSync('/proc/self/fd').length, timers, pause } });
});
process.on('disconnect', () => stop.abort());
await agent.run(stop.signal);
