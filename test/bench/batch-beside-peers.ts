/**
 * A batch let out by one badge, from the badge to the last page, beside what a person would take in its place and who has
 * no pity: a shell with curl and ipptool that hands each document on and looks for no end, `lp` into a CUPS of its own,
 * and a bare program with `fetch()`. With no network in between and over a line to the cloud; and one long document.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seconds } from '../../src/core/duration.ts';
import { groups } from '../../src/ipp/message.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { queueName, startCupsd } from '../peers/cupsd.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import { api, enrol, login, waiting } from '../support/cloud/hand-client.ts';
import { ask } from '../support/printer/ipp-by-hand.ts';
import type { AgentProcess } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Goal, Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio } from './figures.ts';
import { openLatencyLine } from './latency-line.ts';
import { openPacedLine } from './paced-line.ts';
import { processorTimeOf } from './process-time.ts';
import { syncCallsOf } from './sync-calls.ts';

const mebibyte = 1024 * 1024;
const manyDocuments = { documents: 24, size: mebibyte } as const;
const longDocument = { documents: 1, size: 40 * mebibyte } as const;
/** Milliseconds, and bytes a millisecond. */
const roundTrip = 20;
const linePace = 12_000;
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;
/** Milliseconds: half of what a release took while one document was got ready at a time, and each step was synced. */
const processorGoal = 13;

const byHand = fileURLToPath(new URL('batch-by-hand.sh', import.meta.url));
const bareClient = fileURLToPath(new URL('bare-client.ts', import.meta.url));

interface Batch {
  readonly documents: number;
  readonly size: number;
  readonly over: 'loopback' | 'line';
  readonly rounds: number;
  /** CUPS takes seconds for a batch. */
  readonly withLp: boolean;
  readonly withSyncCalls: boolean;
}

type Side = 'shell' | 'lp' | 'bare' | 'platen';

/** Milliseconds from the badge to the last page, a round each, and Platen's processor for a release. */
interface Spans extends Readonly<Record<Side, number[]>> {
  readonly processor: number[];
  syncCalls: number;
}

export async function measureBatchBesidePeers(): Promise<Measurement> {
  const near = await measureBatch({
    ...manyDocuments,
    over: 'loopback',
    rounds: 4,
    withLp: true,
    withSyncCalls: true,
  });
  const far = await measureBatch({
    ...manyDocuments,
    over: 'line',
    rounds: 2,
    withLp: false,
    withSyncCalls: false,
  });
  const long = await measureBatch({
    ...longDocument,
    over: 'loopback',
    rounds: 4,
    withLp: false,
    withSyncCalls: false,
  });
  return report({ near, far, long });
}

/** What all sides have: one cloud, seen over one line, and one printer. */
interface Scene {
  readonly stage: Stage;
  readonly batch: Batch;
  /** Of the cloud, as they reach it. */
  readonly url: string;
  readonly device: string;
  readonly printer: string;
}

async function measureBatch(batch: Batch): Promise<Spans> {
  await using opened = new AsyncDisposableStack();
  const { uri: printer } = opened.use(await startIppEvePrinter());
  const stage = opened.use(
    await setStage({
      cloud: { seed: { ...sampleData, documents: [] } },
      terminal: { printer: { uri: printer }, session: { autoRelease: true } },
    }),
  );
  const url = batch.over === 'line' ? await overLine(stage.cloud.baseUrl, opened) : stage.cloud.baseUrl;
  const config = await readFile(stage.configFile, 'utf8');
  await writeFile(stage.configFile, config.replaceAll(stage.cloud.baseUrl, url));
  const { device } = await enrol(stage.cloud);
  const scene = { stage, batch, url, device, printer };
  const agent = opened.use(startAgentProcess(stage.configFile));
  await agent.told('terminal ready', 'reader up');
  const bare = opened.use(await startBareClient(scene));
  const cups = batch.withLp
    ? opened.use(await startCupsd({ device: printer, model: 'everywhere' }))
    : undefined;

  const spans: Spans = { shell: [], lp: [], bare: [], platen: [], processor: [], syncCalls: 0 };
  for (let round = 0; round < batch.rounds; round += 1) {
    spans.shell.push(await handedOn(scene, () => byShell(scene, { PRINTER: printer })));
    spans.bare.push(await handedOn(scene, bare.letOut));
    const used = processorTimeOf(agent.pid);
    spans.platen.push(await released(scene, agent));
    spans.processor.push(((processorTimeOf(agent.pid) - used) * 1000) / batch.documents);
    await sleep(cardGone);
  }
  if (cups) {
    const queue = { QUEUE: queueName, CUPS_SERVER: new URL(cups.uri).host };
    spans.lp.push(await handedOn({ ...scene, printer: ippUri(cups.uri) }, () => byShell(scene, queue)));
  }
  if (batch.withSyncCalls) {
    spans.syncCalls = (await syncCallsOf(agent.pid, () => released(scene, agent))) / batch.documents;
  }
  if (stage.cloud.deviations.length > 0) throw new Error(stage.cloud.deviations.join('; '));
  return spans;
}

const ippUri = (cups: string): string => `ipp://${new URL(cups).host}/printers/${queueName}`;

async function overLine(baseUrl: string, opened: AsyncDisposableStack): Promise<string> {
  const { port } = opened.use(await openPacedLine(Number(new URL(baseUrl).port), linePace));
  return opened.use(await openLatencyLine(`http://127.0.0.1:${port}`, roundTrip)).url;
}

/** Another file each time, so that nothing can be kept from the last. */
function addDocuments({ stage: { cloud }, batch: { documents, size } }: Scene) {
  return Array.from({ length: documents }, () => {
    const title = `Plan ${performance.now()}`;
    const bytes = samplePdf({ title, pages: 1, minimumBytes: size });
    return cloud.addDocument({ owner: 'alice', name: `${title}.pdf`, bytes });
  });
}

/** Until the printer has no job any more; then what the peer has left in the cloud is deleted. */
async function handedOn(scene: Scene, handOn: () => Promise<void>): Promise<number> {
  const { stage, device, printer } = scene;
  addDocuments(scene);
  const since = performance.now();
  await handOn();
  while (await isPrinting(printer)) await sleep(2);
  const span = performance.now() - since;
  const token = await login(stage.cloud, device);
  for (const { uuid } of await waiting(stage.cloud, token)) {
    await api(stage.cloud, `/documents/${uuid}`, { method: 'DELETE', token });
  }
  return span;
}

async function isPrinting(uri: string): Promise<boolean> {
  const { message } = await ask({ uri }, { operation: 'Get-Jobs' });
  return groups(message, 'job-attributes').length > 0;
}

async function byShell(scene: Scene, hand: Readonly<Record<string, string>>): Promise<void> {
  const { stage, url, device } = scene;
  const room = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const cloud = { API: `${url}/api/v1`, KEY: stage.cloud.apiKey, DEVICE: device, CARD: aliceCard };
  try {
    await promisify(execFile)(byHand, [], { env: { ...process.env, ...cloud, ...hand, ROOM: room } });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function startBareClient({ stage, url, device, printer }: Scene) {
  const child = spawn(process.execPath, [bareClient, `${url}/api/v1`, stage.cloud.apiKey, device, printer], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    async letOut(): Promise<void> {
      child.stdin.write(`${aliceCard}\n`);
      await once(lines, 'line');
    },
    async [Symbol.asyncDispose](): Promise<void> {
      child.stdin.end();
      await exited;
    },
  };
}

/** To the last page; what comes after it is waited for, so that the next side finds nobody at work. */
async function released(scene: Scene, agent: AgentProcess): Promise<number> {
  const { stage, batch } = scene;
  const recorded = stage.cloud.state.history.length + batch.documents;
  const fresh = addDocuments(scene);
  const since = performance.now();
  stage.reader.tap(aliceCard);
  const printedAt = await agent.told(...Array.from({ length: batch.documents }, () => 'release ended'));
  await stage.cloud.waitFor(
    () =>
      stage.cloud.state.history.length === recorded &&
      fresh.every(({ info }) => info.status === documentStatus.DELETED),
    { timeout: seconds(60) },
  );
  return printedAt - since;
}

const usual = (spans: readonly number[]): number => percentile(spans, 0.5);

function report({ near, far, long }: Readonly<Record<'near' | 'far' | 'long', Spans>>): Measurement {
  const row = (what: string, where: Spans, side: Side) => {
    const span = usual(where[side]);
    const processor = side === 'platen' ? inMilliseconds(usual(where.processor)) : '';
    return [what, inMilliseconds(span), ratio(usual(where.shell), span), processor];
  };
  const rows = (where: string, spans: Spans) => [
    row(`${where}: shell`, spans, 'shell'),
    row(`${where}: bare program`, spans, 'bare'),
    ...(spans.lp.length > 0 ? [row(`${where}: lp`, spans, 'lp')] : []),
    row(`${where}: platen`, spans, 'platen'),
  ];
  const faster = (what: string, spans: Spans, beside: Side, atLeast: number): Goal => ({
    what: `times as fast as ${what}`,
    figure: usual(spans[beside]) / usual(spans.platen),
    atLeast,
    unit: '×',
  });
  return {
    title: 'A batch beside a shell without pity, lp, and a bare program',
    how:
      `${manyDocuments.documents} documents of 1 MB, and one of 40 MB, from the badge to the last page at ` +
      `ippeveprinter; p50 of rounds turn about. The line to the cloud has a round trip of ${roundTrip} ms and 12 MB/s. ` +
      'The peers look for no job’s end, delete and record nothing; Platen does, and makes ' +
      `${near.syncCalls.toFixed(1)} fsync and fdatasync a release. Processor: of the agent, user and system.`,
    rows: [
      ['', 'last page', 'times as fast', 'processor a release'],
      ...rows('24 × 1 MB, no network', near),
      ...rows('24 × 1 MB, line', far),
      ...rows('40 MB, no network', long),
    ],
    goals: [
      faster('the shell, 24 × 1 MB, no network', near, 'shell', 1),
      faster('the shell, 24 × 1 MB, line', far, 'shell', 1.5),
      faster('the shell, 40 MB', long, 'shell', 0.8),
      faster('lp, 24 × 1 MB', near, 'lp', 3),
      {
        what: 'processor a release of 1 MB',
        figure: usual(near.processor),
        limit: processorGoal,
        unit: 'ms',
      },
    ],
  };
}
