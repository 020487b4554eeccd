/**
 * The number of gateways on the roll, of all sites, to spread the start of all gateways at once (F13). It is counted
 * whenever the engine is back, when a gateway may be new, and every hour, and kept for a start without the engine.
 * Their names are kept, too: if the engine is lost, they know the prints (`acceptance.ts`).
 */
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { hours, milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Service } from '../../core/service.ts';
import type { Allegiance, RollEntry } from '../engine/allegiance.ts';
import type { Engine } from '../engine/engine.ts';
import type { Statement } from '../engine/line.ts';
import { holdChannel } from '../hold-table.ts';

/** A gateway that was away for so long does not come back with the others. */
const count: Statement = {
  name: 'members counted',
  text: `SELECT id, name, site, beat_at > clock_timestamp() - interval '30 days' AS counts
    FROM platen.member ORDER BY id`,
};
const shape = z.object({ id: z.uuid(), name: z.string(), site: z.string(), counts: z.boolean() });
const within = seconds(5);
/** In a larger fleet one member after another comes, and all hear each of them: they do not count at once. */
const newsWithin = (size: number) => seconds(10 * Math.ceil(size / 16));
const retry = { first: minutes(1), factor: 2, longest: hours(1) };

export interface Headcount extends Service {
  /** Includes this gateway. */
  size(): number;
}

export function createHeadcount(world: {
  readonly engine: Pick<Engine, 'ask' | 'onState' | 'onNotice'>;
  /** The number from before the start. */
  readonly kept: { read(): number; keep(gateways: number): void };
  readonly allegiance: Allegiance;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}): Headcount {
  const { engine, kept, allegiance, clock, chance, log } = world;
  const wake = new Wake();
  let size = kept.read();

  async function look(signal: AbortSignal): Promise<void> {
    const rows = (await engine.ask(count, [], { signal, within })).map((row) => shape.parse(row));
    keepRoll(rows.map(({ id, name, site }) => ({ id, name, site })));
    const gateways = Math.max(1, rows.filter(({ counts }) => counts).length);
    if (gateways === size) return;
    size = gateways;
    kept.keep(gateways);
  }

  function keepRoll(members: readonly RollEntry[]): void {
    const before = allegiance.read();
    if (!before || JSON.stringify(before.members) === JSON.stringify(members)) return;
    allegiance.keep({ ...before, members });
  }

  return {
    name: 'fleet headcount',
    size: () => size,
    async run(signal, progress) {
      using _ = engine.onState(({ is }) => {
        if (is === 'up') wake.ring();
      });
      let soon: unknown;
      using _news = engine.onNotice(holdChannel, () => {
        soon ??= clock.setTimeout(
          () => {
            soon = undefined;
            wake.ring();
          },
          chance.jitter(milliseconds((newsWithin(size) * 2) / 3), 0.5),
        );
      });
      using ending = new DisposableStack();
      ending.defer(() => clock.clearTimeout(soon));
      const onFailure = (error: unknown): undefined => {
        log.debug('members not counted', { error: error instanceof Error ? error : undefined });
      };
      await runPeriodically(
        { attempt: look, interval: hours(1), retry, wake, onFailure },
        { clock, chance },
        signal,
        progress,
      );
    },
  };
}
