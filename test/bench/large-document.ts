/**
 * One very large document: from the badge to the printer's word that it is out, and what it takes of memory and
 * processor. Beside it the two hops alone, the download to nowhere by curl and the upload of a file by ipptool, and
 * Platen without cut-through. Once straight over loopback, where all programs burn the same processors, and once over
 * a line of 1 Gbit/s to each side, where the slower hop is the limit.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import { enrol, login } from '../support/cloud/hand-client.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Goal, Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, perSecond, ratio } from './figures.ts';
import { openPacedLine } from './paced-line.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';
import { processorTimeOf } from './process-time.ts';

const documentSize = 500 * 1024 * 1024;
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;
const printAndWait = fileURLToPath(new URL('print-and-wait.test', import.meta.url));
const run = promisify(execFile);

interface Way {
  readonly over: 'loopback' | 'line';
  readonly cutThrough: 'auto' | 'off';
  readonly rounds: number;
}

/** Milliseconds, a round each. The hops alone are measured once on each way, beside cut-through. */
interface Spans {
  readonly download: number[];
  readonly upload: number[];
  readonly platen: number[];
}

/** Of Platen's rounds. */
interface Costs {
  /** Bytes above idle, at the peak. */
  readonly memory: number;
  /** Seconds of the processor for one document. */
  readonly processor: { readonly agent: number; readonly cloud: number; readonly printer: number };
}

export async function measureLargeDocument(): Promise<Measurement> {
  const bytes = samplePdf({ title: 'Atlas', pages: 1, minimumBytes: documentSize });
  await using room = await folder();
  const file = join(room.path, 'atlas.pdf');
  await writeFile(file, bytes);
  const onWay = (way: Way) => measureWay(way, { bytes, file });
  return report({
    loopback: await onWay({ over: 'loopback', cutThrough: 'auto', rounds: 3 }),
    loopbackWhole: await onWay({ over: 'loopback', cutThrough: 'off', rounds: 1 }),
    line: await onWay({ over: 'line', cutThrough: 'auto', rounds: 1 }),
    lineWhole: await onWay({ over: 'line', cutThrough: 'off', rounds: 1 }),
  });
}

async function measureWay(
  { over, cutThrough, rounds }: Way,
  { bytes, file }: { bytes: Buffer; file: string },
): Promise<Spans & Costs> {
  await using opened = new AsyncDisposableStack();
  const printer = opened.use(await startIppEvePrinter());
  const printerPort = Number(new URL(printer.uri).port);
  const portTo = async (port: number) =>
    over === 'line' ? opened.use(await openPacedLine(port)).port : port;
  const uri = `ipp://localhost:${await portTo(printerPort)}/ipp/print`;
  const stage = opened.use(
    await setStage({
      cloud: { seed: { ...sampleData, documents: [] } },
      terminal: { printer: { uri, cutThrough }, session: { autoRelease: true } },
    }),
  );
  const { cloud } = stage;
  const base = new URL(cloud.baseUrl);
  base.port = String(await portTo(Number(base.port)));
  const url = base.href.replace(/\/$/, '');
  const config = await readFile(stage.configFile, 'utf8');
  await writeFile(stage.configFile, config.replaceAll(cloud.baseUrl, url));
  const { device } = await enrol(cloud);
  const agent = opened.use(startAgentProcess(stage.configFile));
  await agent.told('terminal ready', 'reader up');
  await sleep(cardGone);
  const idle = memoryOf(agent.pid).resident;
  forgetPeak(agent.pid);

  const programs = { agent: agent.pid, cloud: process.pid, printer: await eveAt(printerPort) };
  const spans: Spans = { download: [], upload: [], platen: [] };
  const processor = { agent: 0, cloud: 0, printer: 0 };
  const names = ['agent', 'cloud', 'printer'] as const;
  for (let round = 0; round < rounds; round += 1) {
    const { info } = cloud.addDocument({ owner: 'alice', name: `Atlas ${round}.pdf`, bytes });
    if (cutThrough === 'auto') {
      spans.download.push(await spanOf(() => fetchAlone(stage, { device, url, uuid: info.uuid })));
      spans.upload.push(await spanOf(() => run('ipptool', ['-q', '-f', file, ...pdf, uri, printAndWait])));
    }
    for (const name of names) processor[name] -= processorTimeOf(programs[name]) / rounds;
    const since = performance.now();
    stage.reader.tap(aliceCard);
    spans.platen.push((await agent.told('release ended')) - since);
    for (const name of names) processor[name] += processorTimeOf(programs[name]) / rounds;
    await agent.told('session closed');
    await sleep(cardGone);
  }
  if (cloud.state.history.length !== rounds) throw new Error('not every document came out');
  return {
    ...spans,
    memory: memoryOf(agent.pid).peak - idle,
    processor,
  };
}

const pdf = ['-d', 'filetype=application/pdf'];

async function eveAt(port: number): Promise<number> {
  return Number((await run('pgrep', ['-f', `^ippeveprinter .*-p ${port} `])).stdout);
}

async function fetchAlone(
  { cloud }: Stage,
  from: { device: string; url: string; uuid: string },
): Promise<void> {
  const token = await login(cloud, from.device);
  await run('curl', [
    '--silent',
    '--fail',
    '-o',
    '/dev/null',
    '-H',
    `x-api-key: ${cloud.apiKey}`,
    '-H',
    `authorization: Bearer ${token}`,
    `${from.url}/api/v1/documents/${from.uuid}.content?retain=true`,
  ]);
}

async function spanOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

type Measured = Readonly<Record<'loopback' | 'loopbackWhole' | 'line' | 'lineWhole', Spans & Costs>>;

function report({ loopback, loopbackWhole, line, lineWhole }: Measured): Measurement {
  const usual = (rounds: readonly number[]) => percentile(rounds, 0.5);
  const slower = ({ download, upload }: Spans) => Math.max(usual(download), usual(upload));
  const row = (what: string, rounds: readonly number[], beside: Spans) => {
    const span = usual(rounds);
    return [
      what,
      inMilliseconds(span),
      perSecond((megabytes(documentSize) * 1000) / span, 'MB'),
      ratio(slower(beside), span),
    ];
  };
  const rows = (where: string, flowing: Spans, whole: Spans) => [
    row(`${where}: download alone, curl`, flowing.download, flowing),
    row(`${where}: upload alone, ipptool`, flowing.upload, flowing),
    row(`${where}: platen`, flowing.platen, flowing),
    row(`${where}: platen, cutThrough: off`, whole.platen, flowing),
  ];
  const pace = (where: string, spans: Spans, atLeast: number): Goal => ({
    what: `pace to the slower hop, ${where}`,
    figure: slower(spans) / usual(spans.platen),
    atLeast,
    unit: '×',
  });
  const { agent, cloud, printer } = loopback.processor;
  const inSeconds = (span: number) => `${span.toFixed(1)} s`;
  const memory = Math.max(loopback.memory, line.memory);
  return {
    title: `One document of ${inMegabytes(documentSize)}`,
    how:
      `ippeveprinter; over loopback p50 of 3 rounds, over lines of 1 Gbit/s to each side one. Of the processors a ` +
      `document takes, over loopback, ${inSeconds(agent)} in platen, ${inSeconds(printer)} in the printer, ` +
      `${inSeconds(cloud)} in the cloud: there the pace is theirs, not a network's. Memory of platen at its peak: ` +
      `${inMegabytes(memory)} above idle.`,
    rows: [
      ['', 'span', 'pace', 'to the slower hop'],
      ...rows('loopback', loopback, loopbackWhole),
      ...rows('1 Gbit/s', line, lineWhole),
    ],
    goals: [
      pace('loopback', loopback, 0.5),
      pace('1 Gbit/s', line, 0.95),
      { what: 'processor of platen, loopback', figure: agent, limit: 3, unit: 's' },
      { what: 'memory above idle', figure: megabytes(memory), limit: 64, unit: 'MB' },
    ],
  };
}

async function folder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
