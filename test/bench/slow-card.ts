/**
 * A memory card that is old, or full, or at its own housekeeping, takes 20 ms and more for each sync. How long the page's
 * server answers meanwhile, while ten documents are released: strace(1) holds up every fsync and fdatasync of the agent.
 */
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import { holdUpSyncs } from './sync-calls.ts';

const documents = 10;
const bytes = 1_000_000;
/** Milliseconds. */
const syncTakes = 20;

interface Answers {
  readonly median: number;
  readonly p95: number;
  readonly slowest: number;
  /** Of the whole batch, to the last record. */
  readonly took: number;
}

export async function measureSlowCard(): Promise<Measurement> {
  const usual = await answersWhilePrinting(0);
  const slow = await answersWhilePrinting(syncTakes);
  const row = (name: string, { median, p95, slowest, took }: Answers) => [
    name,
    ...[median, p95, slowest, took].map(inMilliseconds),
  ];
  return {
    title: `The page while ${documents} documents print, on a card that takes ${syncTakes} ms for a sync`,
    how: 'The page is asked for again and again, 3 ms after its answer. strace(1) delays each fsync and fdatasync.',
    rows: [
      ['', 'median', 'p95', 'slowest', 'the batch'],
      row('this disk', usual),
      row(`each sync ${syncTakes} ms later`, slow),
    ],
    goals: [{ what: 'the page on the slow card, p95', figure: slow.p95, limit: syncTakes, unit: 'ms' }],
  };
}

async function answersWhilePrinting(delay: number): Promise<Answers> {
  const kiosk = `127.0.0.1:${await freePort()}`;
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    config: { kiosk: { listen: kiosk } },
    terminal: { session: { autoRelease: true } },
  });
  for (let number = 1; number <= documents; number += 1) {
    const name = `Document ${number}.pdf`;
    stage.cloud.addDocument({
      owner: 'alice',
      name,
      bytes: samplePdf({ title: name, pages: 1, minimumBytes: bytes }),
    });
  }
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  await using _ = await holdUpSyncs(agent.pid, delay);

  const times: number[] = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const since = performance.now();
      await (await fetch(`http://${kiosk}/t/lobby`)).arrayBuffer();
      times.push(performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  })();
  const since = performance.now();
  stage.reader.tap(aliceCard);
  const moments = await agent.moments('history accepted', documents);
  over.abort();
  await asking;
  const [median, p95, slowest] = [0.5, 0.95, 1].map((share) => percentile(times, share));
  return { median: median ?? 0, p95: p95 ?? 0, slowest: slowest ?? 0, took: (moments.at(-1) ?? 0) - since };
}
