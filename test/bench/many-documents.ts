/**
 * All documents of a person who has many: from the badge to the last page, the last deletion and the last record in the
 * history. Beside it a shell that does the same by curl and ipptool on the same cloud and printer, turn about.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud-state.ts';
import { startVirtualPrinter } from '../../src/simulator/printer.ts';
import { sampleData } from '../../src/simulator/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample-pdf.ts';
import type { Stage } from '../flows/stage.ts';
import { aliceCard, setStage } from '../flows/stage.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import { enrol } from '../simulator/hand-client.ts';
import { startAgentProcess } from './agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio } from './figures.ts';

const documents = 100;
const documentSize = 1024 * 1024;
const rounds = 2;
/** The usual 50 calls a second would be what is measured: a release makes four. */
const limits = { requestsPerSecond: 1000 };
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
  const goal = ({ shell, platen }: Spans, what: string) => ({
    what: `times as fast as the shell, ${what}`,
    figure: percentile(shell, 0.5) / percentile(platen, 0.5),
    atLeast: 1.5,
    unit: '×' as const,
  });
  return {
    title: `${documents} documents of 1 MB, let out by one badge`,
    how:
      `The better of ${rounds} rounds each, turn about, no network in between. Beside it curl and ipptool, which look ` +
      'for the end of a job every 10 ms and remember nothing. Platen may make ' +
      `${limits.requestsPerSecond} calls a second instead of 50.`,
    rows: [
      ['', 'all', 'each', 'times as fast'],
      row('shell, ippeveprinter', atEve.shell, atEve.shell),
      row('platen, ippeveprinter', atEve.platen, atEve.shell),
      row('shell, virtual printer', atVirtual.shell, atVirtual.shell),
      row('platen, virtual printer', atVirtual.platen, atVirtual.shell),
    ],
    goals: [goal(atEve, 'ippeveprinter'), goal(atVirtual, 'virtual printer')],
  };
}

/** Milliseconds, a round each. */
interface Spans {
  readonly shell: readonly number[];
  readonly platen: readonly number[];
}

async function atPrinter(peer: { readonly uri: string } & AsyncDisposable): Promise<Spans> {
  await using printer = peer;
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    config: { cloud: { limits } },
    terminal: { printer: { uri: printer.uri }, session: { autoRelease: true } },
  });
  const { device } = await enrol(stage.cloud);
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  const spans = { shell: [] as number[], platen: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    spans.shell.push(await allGone(stage, () => releaseByHand({ stage, device, uri: printer.uri })));
    spans.platen.push(await allGone(stage, async () => stage.reader.tap(aliceCard)));
    await new Promise((resolve) => setTimeout(resolve, cardGone));
  }
  if (stage.cloud.deviations.length > 0) throw new Error(stage.cloud.deviations.join('; '));
  return spans;
}

/** Milliseconds until fresh documents, as many as there are to be, are printed, deleted and recorded. */
async function allGone({ cloud }: Stage, release: () => Promise<void>): Promise<number> {
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
  await release();
  await cloud.waitFor(
    () =>
      cloud.state.history.length === recorded &&
      fresh.every(({ info }) => info.status === documentStatus.DELETED),
    { timeout: longest },
  );
  return performance.now() - since;
}

async function releaseByHand(where: { stage: Stage; device: string; uri: string }): Promise<void> {
  const { stage, device, uri } = where;
  const room = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const { baseUrl, apiKey } = stage.cloud;
  const env = { API: `${baseUrl}/api/v1`, KEY: apiKey, DEVICE: device, CARD: aliceCard, PRINTER: uri };
  try {
    await promisify(execFile)(byHand, [], { env: { ...process.env, ...env, ROOM: room } });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
