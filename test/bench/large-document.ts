/**
 * One very large document: from the badge to the printer's word that it is out, and the memory that it takes. Beside it
 * the two hops alone: the download to nowhere by curl, and the upload of a file by ipptool.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CloudDocument } from '../../src/simulator/cloud-state.ts';
import { sampleData } from '../../src/simulator/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample-pdf.ts';
import type { Stage } from '../flows/stage.ts';
import { aliceCard, setStage } from '../flows/stage.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import { enrol, login } from '../simulator/hand-client.ts';
import { startAgentProcess } from './agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, perSecond, ratio } from './figures.ts';
import { forgetPeak, memoryOf } from './process-memory.ts';

const documentSize = 500 * 1024 * 1024;
const rounds = 3;
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;
const printAndWait = fileURLToPath(new URL('print-and-wait.test', import.meta.url));
const run = promisify(execFile);

/** Milliseconds, a round each. */
interface Spans {
  readonly download: number[];
  readonly upload: number[];
  readonly platen: number[];
}

export async function measureLargeDocument(): Promise<Measurement> {
  const bytes = samplePdf({ title: 'Atlas', pages: 1, minimumBytes: documentSize });
  await using printer = await startIppEvePrinter();
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    terminal: { printer: { uri: printer.uri }, session: { autoRelease: true } },
  });
  await using room = await folder();
  const file = join(room.path, 'atlas.pdf');
  await writeFile(file, bytes);
  const { device } = await enrol(stage.cloud);
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  await sleep(cardGone);
  const idle = memoryOf(agent.pid).resident;
  forgetPeak(agent.pid);

  const spans: Spans = { download: [], upload: [], platen: [] };
  for (let round = 0; round < rounds; round += 1) {
    const document = stage.cloud.addDocument({ owner: 'alice', name: `Atlas ${round}.pdf`, bytes });
    spans.download.push(await spanOf(() => fetchAlone(stage, device, document)));
    spans.upload.push(
      await spanOf(() => run('ipptool', ['-q', '-f', file, ...pdf, printer.uri, printAndWait])),
    );
    const since = performance.now();
    stage.reader.tap(aliceCard);
    spans.platen.push((await agent.told('release ended')) - since);
    await agent.told('session closed');
    await sleep(cardGone);
  }
  if (stage.cloud.state.history.length !== rounds) throw new Error('not every document came out');
  return report(spans, memoryOf(agent.pid).peak - idle);
}

const pdf = ['-d', 'filetype=application/pdf'];

async function fetchAlone({ cloud }: Stage, device: string, { info }: CloudDocument): Promise<void> {
  const token = await login(cloud, device);
  await run('curl', [
    ...['--silent', '--fail', '-o', '/dev/null', '-H', `x-api-key: ${cloud.apiKey}`],
    ...['-H', `authorization: Bearer ${token}`],
    `${cloud.baseUrl}/api/v1/documents/${info.uuid}.content?retain=true`,
  ]);
}

async function spanOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

function report(spans: Spans, memory: number): Measurement {
  const download = percentile(spans.download, 0.5);
  const upload = percentile(spans.upload, 0.5);
  const platen = percentile(spans.platen, 0.5);
  const slower = Math.max(download, upload);
  const row = (what: string, span: number) => [
    what,
    inMilliseconds(span),
    perSecond((megabytes(documentSize) * 1000) / span, 'MB'),
    ratio(slower, span),
  ];
  return {
    title: `One document of ${inMegabytes(documentSize)}`,
    how:
      `p50 of ${rounds} rounds, turn about, no network in between, ippeveprinter. Memory of platen at its peak: ` +
      `${inMegabytes(memory)} above idle.`,
    rows: [
      ['', 'span', 'pace', 'to the slower hop'],
      row('download alone, curl', download),
      row('upload alone, ipptool', upload),
      row('platen, both', platen),
    ],
    goals: [
      { what: 'pace to the slower hop', figure: slower / platen, atLeast: 0.9, unit: '×' },
      { what: 'memory above idle', figure: megabytes(memory), limit: 64, unit: 'MB' },
    ],
  };
}

async function folder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
