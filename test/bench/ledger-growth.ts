/**
 * What a ledger that has grown costs: the start, which examines it, and `platen releases list`. Once with every event still
 * there, and once as compaction leaves it: at most 70,000 events, and of each older release that its document was printed.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dirname, join } from 'node:path';
import { quarantineFolders } from '../../src/store/ledger/quarantine.ts';
import { setStage } from '../support/agent/stage.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { percentile } from './figures.ts';
import type { Growth, Point } from './growth.ts';
import { grouped, growthRows, slopeGoals } from './growth.ts';
import { eventsOfRelease, growLedger, growPast } from './grown-books.ts';

const platen = fileURLToPath(new URL('../../tools/platen.js', import.meta.url));
const sizes = [10_000, 100_000, 1_000_000];
/** `usualLimits` of the compaction. */
const mostEvents = 70_000;
const rounds = 3;

interface Spans {
  readonly start: number;
  readonly list: number;
}

export async function measureLedgerGrowth(): Promise<Measurement> {
  const empty = await spansOf(async () => {});
  const whole: Spans[] = [];
  const compacted: Spans[] = [];
  for (const events of sizes) {
    whole.push(await spansOf((stateDir) => growLedger(stateDir, events)));
    compacted.push(await spansOf((stateDir) => growAsCompacted(stateDir, events)));
  }
  const line = (name: string, spans: readonly Spans[], what: keyof Spans) => ({
    name,
    points: spans.map((one, index): Point => ({ work: sizes[index] ?? 0, figure: one[what] })),
  });
  const growth: Growth = {
    title: 'Start and list of releases, by the events of the ledger',
    work: 'events written',
    unit: 'ms',
    lines: [
      line('start, all events kept', whole, 'start'),
      line('start, as compacted', compacted, 'start'),
      line('releases list, as compacted', compacted, 'list'),
    ],
  };
  const more = (what: keyof Spans, spans: readonly Spans[]) => (spans.at(-1)?.[what] ?? 0) - empty[what];
  return {
    title: 'Ledger of up to a million events',
    how:
      `p50 of ${rounds}, as processes; an empty one: start ${Math.round(empty.start)} ms, list ${Math.round(empty.list)} ms. ` +
      `As compacted: ${grouped(mostEvents)} events, and the documents of the other releases.`,
    rows: growthRows(growth),
    goals: [
      ...slopeGoals(growth),
      {
        what: 'start over that of an empty one, as compacted',
        figure: more('start', compacted),
        limit: 50,
        unit: 'ms',
      },
      {
        what: 'releases list over that of an empty one, all kept',
        figure: more('list', whole),
        limit: 100,
        unit: 'ms',
      },
    ],
    charts: [growth],
  };
}

async function growAsCompacted(stateDir: string, events: number): Promise<void> {
  await growLedger(stateDir, Math.min(events, mostEvents));
  growPast(stateDir, Math.max(0, Math.floor((events - mostEvents) / eventsOfRelease)));
}

async function spansOf(grow: (stateDir: string) => Promise<void>): Promise<Spans> {
  await using stage = await setStage();
  const stateDir = join(dirname(stage.configFile), 'state');
  await startOnce(stage.configFile);
  await grow(stateDir);
  const starts: number[] = [];
  const lists: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await startOnce(stage.configFile));
    const since = performance.now();
    await promisify(execFile)(platen, ['releases', 'list', '-c', stage.configFile]);
    lists.push(performance.now() - since);
  }
  if (quarantineFolders(stateDir).length > 0) throw new Error('the ledger was not found whole');
  return { start: percentile(starts, 0.5), list: percentile(lists, 0.5) };
}

async function startOnce(configFile: string): Promise<number> {
  await using agent = startAgentProcess(configFile);
  return (await agent.told('terminal ready')) - agent.startedAt;
}
