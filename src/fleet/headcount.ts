/**
 * How many gateways are on the roll, of all sites: by that each knows how long to wait when all begin at once (F13). Asked
 * for whenever the engine is there again, and now and then; kept for a start without it.
 */
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { hours, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Engine } from './engine/engine.ts';
import type { Statement } from './engine/line.ts';

/** A gateway that has not been there for so long does not come back with the others. */
const count: Statement = {
  name: 'members counted',
  text: `SELECT count(*)::int AS gateways FROM platen.member
    WHERE beat_at > clock_timestamp() - interval '30 days'`,
};
const shape = z.object({ gateways: z.int() });
const within = seconds(5);
const retry = { first: minutes(1), factor: 2, longest: hours(1) };

export interface Headcount extends Service {
  /** This one included. */
  size(): number;
}

export function createHeadcount(world: {
  readonly engine: Pick<Engine, 'ask' | 'onState'>;
  /** Of the time before. */
  readonly kept: { read(): number; keep(gateways: number): void };
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}): Headcount {
  const { engine, kept, clock, chance, log } = world;
  const wake = new Wake();
  let size = kept.read();

  async function look(signal: AbortSignal): Promise<void> {
    const [row] = await engine.ask(count, [], { signal, within });
    const gateways = Math.max(1, shape.parse(row).gateways);
    if (gateways === size) return;
    size = gateways;
    kept.keep(gateways);
  }

  return {
    name: 'fleet headcount',
    size: () => size,
    async run(signal, progress) {
      using _ = engine.onState(({ is }) => {
        if (is === 'up') wake.ring();
      });
      const onFailure = (error: unknown): undefined =>
        void log.debug('members not counted', { error: error instanceof Error ? error : undefined });
      await runPeriodically(
        { attempt: look, interval: hours(1), retry, wake, onFailure },
        { clock, chance },
        signal,
        progress,
      );
    },
  };
}
