/** What 1,000 gateways of ten terminals ask of the service in a second: at rest, and when all begin at once (F13). */
import type { CrowdOptions, Load } from '../storm/crowd.ts';
import { powerCut, rest, rollingUpdate, serviceReturns } from '../storm/crowd.ts';
import { kinds } from '../storm/service.ts';
import type { Measurement } from './figures.ts';

/** They report as a fleet does unless it is told otherwise. */
const crowd: CrowdOptions = { gateways: 1000, terminals: 10, intervalSeconds: 900 };
const perSecond = (figure: number): string => `${figure.toFixed(1)} /s`;

const rowOf = (what: string, { mean, busiest }: Load, pace: Load): readonly string[] => [
  what,
  perSecond(mean),
  `${busiest.total} /s`,
  `${(busiest.total / pace.mean).toFixed(2)} ×`,
  kinds
    .filter((kind) => busiest.second[kind] > 0)
    .map((kind) => `${kind} ${busiest.second[kind]}`)
    .join(', '),
];

export async function measureStorm(): Promise<Measurement> {
  const rows: (readonly string[])[] = [['', 'mean', 'busiest second', 'to the mean of rest', 'of which']];
  const goals: Measurement['goals'][number][] = [];
  const quiet = await rest(crowd);
  rows.push(rowOf('at rest', quiet, quiet));
  for (const [what, scene] of Object.entries({
    'power cut': powerCut,
    'a tenth updated each minute': rollingUpdate,
    'service away for an hour': serviceReturns,
  })) {
    const outcome = await scene(crowd);
    rows.push(rowOf(what, outcome, quiet));
    goals.push({ what, figure: outcome.busiest.total / quiet.mean, limit: 2, unit: '×' });
    goals.push({ what: `${what}: a badge waits`, figure: outcome.badge * 1000, limit: 0, unit: 'ms' });
  }
  rows.push(rowOf('power cut, none knows of the others', await powerCut({ ...crowd, known: 1 }), quiet));
  return {
    title: `${crowd.gateways} gateways of ${crowd.terminals} terminals that begin at once`,
    how: 'The agent’s own enrollment, link, readings and reports on a clock that leaps, over a dispatcher that counts.',
    rows,
    goals,
  };
}
