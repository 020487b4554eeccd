/** What 1,000 gateways of ten terminals ask of the service in a second: at rest, and when all begin at once (F13). */
import type { CrowdOptions, Load } from '../storm/crowd.ts';
import { powerCut, rest, rollingUpdate, serviceReturns } from '../storm/crowd.ts';
import { kinds } from '../storm/service.ts';
import type { Measurement } from './figures.ts';

const crowd = { gateways: 1000, terminals: 10 };
const perSecond = (figure: number): string => `${figure.toFixed(1)} /s`;

const rowOf = (what: string, { mean, busiest }: Load, pace: Load): readonly string[] => [
  what,
  ...[perSecond(mean), `${busiest.total} /s`, `${(busiest.total / pace.mean).toFixed(2)} ×`],
  kinds
    .filter((kind) => busiest.second[kind] > 0)
    .map((kind) => `${kind} ${busiest.second[kind]}`)
    .join(', '),
];

export async function measureStorm(): Promise<Measurement> {
  const rows: (readonly string[])[] = [['', 'mean', 'busiest second', 'to the mean of rest', 'of which']];
  const goals: Measurement['goals'][number][] = [];
  for (const intervalSeconds of [60, 900]) {
    const options: CrowdOptions = { ...crowd, intervalSeconds };
    const quiet = await rest(options);
    rows.push(rowOf(`reports every ${intervalSeconds} s: at rest`, quiet, quiet));
    for (const [what, scene] of Object.entries({
      'power cut': powerCut,
      'a tenth updated each minute': rollingUpdate,
      'service away for an hour': serviceReturns,
    })) {
      const outcome = await scene(options);
      rows.push(rowOf(what, outcome, quiet));
      const figure = outcome.busiest.total / quiet.mean;
      goals.push({ what: `every ${intervalSeconds} s, ${what}`, figure, limit: 2, unit: '×' });
      goals.push({ what: `${what}: a badge waits`, figure: outcome.badge * 1000, limit: 0, unit: 'ms' });
    }
  }
  const before = await powerCut({ ...crowd, intervalSeconds: 60, known: 1 });
  rows.push([
    'none knows of the others: power cut',
    perSecond(before.mean),
    `${before.busiest.total} /s`,
    '',
    '',
  ]);
  return {
    title: `${crowd.gateways} gateways of ${crowd.terminals} terminals that begin at once`,
    how: 'The agent’s own enrollment, link, readings and reports on a clock that leaps, over a dispatcher that counts.',
    rows,
    goals,
  };
}
