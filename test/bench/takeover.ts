/** How soon 250 terminals are served by the other gateway: its holds in a real PostgreSQL, without what a station then opens. */
import type { Servable } from '../../src/domain/ports/holds.ts';
import type { FleetMember } from '../fleet/member.ts';
import { openMember } from '../fleet/member.ts';
import { startPostgres } from '../support/postgres.ts';
import { inMilliseconds, percentile } from './figures.ts';
import type { Measurement } from './figures.ts';

const count = 250;
const rounds = 12;
const terminals: readonly Servable[] = Array.from({ length: count }, (_, place) => ({
  terminal: `t${place}`,
  group: `ipp://10.0.${place >> 8}.${place & 255}:631/ipp/print`,
}));

/** With the moment at which each terminal was taken. */
async function member(name: string, url: string) {
  const takenAt = new Map<string, number>();
  const whole = Promise.withResolvers<void>();
  const one: FleetMember = await openMember({
    ...{ name, url },
    user: {
      isIdle: () => true,
      async changed(terminal) {
        if (one.holds.standing(terminal).is === 'held') takenAt.set(terminal, performance.now());
        else takenAt.delete(terminal);
        if (takenAt.size === count) whole.resolve();
      },
    },
  });
  one.holds.serve(terminals);
  return { one, takenAt, whole: whole.promise };
}

const sleep = (span: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, span));

export async function measureTakeover(): Promise<Measurement> {
  await using postgres = await startPostgres();
  const spans = { killed: [] as number[], 'stopped in order': [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const how of Object.keys(spans) as (keyof typeof spans)[]) {
      await using opened = new AsyncDisposableStack();
      const url = await postgres.newDatabase();
      const first = await member('gateway-a', url);
      opened.use(first.one);
      await first.whole;
      const second = await member('gateway-b', url);
      opened.use(second.one);
      // It has beaten for longer than a hold lives, and the end comes at another phase of the beats each round.
      await sleep(6000 + (round * 1000) / rounds);
      const end = performance.now();
      await (how === 'killed' ? first.one.kill() : first.one.holds.leave());
      await second.whole;
      spans[how].push(...[...second.takenAt.values()].map((at) => at - end));
    }
  }
  const figures = (of: readonly number[]) => [0.5, 0.99, 1].map((share) => percentile(of, share));
  return {
    title: `Takeover of ${count} terminals`,
    how: `${rounds} times each, ${count} printers; from the last sign of one gateway until the other holds each terminal.`,
    rows: [
      ['', 'p50', 'p99', 'max'],
      ...Object.entries(spans).map(([how, of]) => [how, ...figures(of).map(inMilliseconds)]),
    ],
    goals: [
      { what: 'killed, p99', figure: percentile(spans.killed, 0.99), limit: 8000, unit: 'ms' },
      {
        what: 'stopped in order, max',
        figure: percentile(spans['stopped in order'], 1),
        limit: 1000,
        unit: 'ms',
      },
    ],
  };
}
