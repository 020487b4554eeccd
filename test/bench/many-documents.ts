/**
 * All documents of a person who has many: from the badge to the last page, for which that person waits, and to the last
 * call, which brings the deletions and the records in the history. Beside it a shell that makes the same calls by curl
 * and ipptool on the same cloud and printer, turn about.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import { enrol } from '../support/cloud/hand-client.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio, timesOf } from './figures.ts';

const documents = 100;
const documentSize = 1024 * 1024;
const rounds = 2;
const longest = seconds(60);
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;
const byHand = fileURLToPath(new URL('release-by-hand.sh', import.meta.url));

export async function measureManyDocuments(): Promise<Measurement> {
  const atEve = await atPrinter(await startIppEvePrinter());
  const atVirtual = await atPrinter(await startVirtualPrinter());
  const row = (what: string, spans: readonly number[], beside: readonly number[]) => [
    what,
    inMilliseconds(percentile(spans, 0.5)),
    inMilliseconds(percentile(spans, 0.5) / documents),
    ratio(percentile(beside, 0.5), percentile(spans, 0.5)),
  ];
  const rowsAt = (printer: string, { shell, platen }: Sides) => [
    row(`shell, ${printer}: last page`, shell.lastPage, shell.lastPage),
    row(`platen, ${printer}: last page`, platen.lastPage, shell.lastPage),
    row(`shell, ${printer}: last call`, shell.lastCall, shell.lastCall),
    row(`platen, ${printer}: last call`, platen.lastCall, shell.lastCall),
  ];
  const goal = (printer: string, { shell, platen }: Sides) => ({
    what: `times as fast as the shell to the last page, ${printer}`,
    figure: percentile(shell.lastPage, 0.5) / percentile(platen.lastPage, 0.5),
    atLeast: 1.5,
    unit: '×' as const,
  });
  return {
    title: `${documents} documents of 1 MB, let out by one badge`,
    how:
      `The better of ${rounds} rounds each, turn about, no network in between. Beside it curl and ipptool, which look ` +
      'for the end of a job every 10 ms and remember nothing. Platen keeps to its usual 50 calls a second.',
    rows: [
      ['', 'all', 'each', 'times as fast'],
      ...rowsAt('ippeveprinter', atEve),
      ...rowsAt('virtual printer', atVirtual),
    ],
    goals: [goal('ippeveprinter', atEve), goal('virtual printer', atVirtual)],
    samples: [
      timesOf('last page, ippeveprinter', atEve.platen.lastPage),
      timesOf('last page, virtual printer', atVirtual.platen.lastPage),
    ],
  };
}

/** Milliseconds from the badge, a round each. */
interface Spans {
  readonly lastPage: number[];
  readonly lastCall: number[];
}

interface Sides {
  readonly shell: Spans;
  readonly platen: Spans;
}

async function atPrinter(peer: { readonly uri: string } & AsyncDisposable): Promise<Sides> {
  await using printer = peer;
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    terminal: { printer: { uri: printer.uri }, session: { autoRelease: true } },
  });
  const { device } = await enrol(stage.cloud);
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  const releaseByBadge = () => {
    stage.reader.tap(aliceCard);
    return agent.told(...Array.from({ length: documents }, () => 'release ended'));
  };
  const sides: Sides = { shell: { lastPage: [], lastCall: [] }, platen: { lastPage: [], lastCall: [] } };
  for (let round = 0; round < rounds; round += 1) {
    await letOut(stage, sides.shell, () => releaseByHand({ stage, device, uri: printer.uri }));
    await letOut(stage, sides.platen, releaseByBadge);
    await new Promise((resolve) => setTimeout(resolve, cardGone));
  }
  if (stage.cloud.deviations.length > 0) throw new Error(stage.cloud.deviations.join('; '));
  return sides;
}

/** Fresh documents, until all are printed, deleted and recorded. `release` gives the moment of the last page. */
async function letOut({ cloud }: Stage, spans: Spans, release: () => Promise<number>): Promise<void> {
  const recorded = cloud.state.history.length + documents;
  const fresh = Array.from({ length: documents }, (_, number) => {
    const title = `Plan ${recorded + number}`;
    return cloud.addDocument({
      owner: 'alice',
      name: `${title}.pdf`,
      bytes: samplePdf({ title, pages: 1, minimumBytes: documentSize }),
    });
  });
  const since = performance.now();
  const printedAt = release();
  const allGone = cloud
    .waitFor(
      () =>
        cloud.state.history.length === recorded &&
        fresh.every(({ info }) => info.status === documentStatus.DELETED),
      { timeout: longest },
    )
    .then(() => performance.now());
  spans.lastPage.push((await printedAt) - since);
  spans.lastCall.push((await allGone) - since);
}

async function releaseByHand(where: { stage: Stage; device: string; uri: string }): Promise<number> {
  const { stage, device, uri } = where;
  const room = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const { baseUrl, apiKey } = stage.cloud;
  const env = { API: `${baseUrl}/api/v1`, KEY: apiKey, DEVICE: device, CARD: aliceCard, PRINTER: uri };
  try {
    await promisify(execFile)(byHand, [], { env: { ...process.env, ...env, ROOM: room } });
    return (await stat(join(room, 'printed'))).mtimeMs - performance.timeOrigin;
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
