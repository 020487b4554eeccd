/**
 * What it costs a process to tell others: the first trace by OpenTelemetry's own packages and by ours, and the first
 * message by mail. Each in a process of its own, which has posted many things before, as an agent has.
 */
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPosting } from '../../src/cloud/http/posting.ts';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import { answerJson, startServer } from '../cloud/scripted-server.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes, percentile } from './figures.ts';

type Probe = 'nothing' | 'official' | 'own' | 'mail';

const rounds = 5;
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

export async function measureTelling(): Promise<Measurement> {
  await using server = await startServer(answerJson({}));
  const grown = async (probe: Probe): Promise<number> => {
    const figures: number[] = [];
    for (let round = 0; round < rounds; round += 1) figures.push(await growthOf(probe, server.url));
    return percentile(figures, 0.5);
  };
  const [nothing, official, own, mail] = [
    await grown('nothing'),
    await grown('official'),
    await grown('own'),
    await grown('mail'),
  ];
  const scope = join(modules, '@opentelemetry');
  const weight = (folder: string) => inMegabytes(sizeOf(folder));
  return {
    title: 'What it takes to tell others',
    how: `Resident memory that is more after the first trace, or the first message, than before; p50 of ${rounds} processes. The agent loads this only where it is configured.`,
    rows: [
      ['', 'resident', 'packages', 'on the disk'],
      ['another post by what is there', inMegabytes(nothing), '', ''],
      ['a trace, @opentelemetry', inMegabytes(official), String(readdirSync(scope).length), weight(scope)],
      ['a trace, platen', inMegabytes(own), '0', ''],
      ['a mail, nodemailer', inMegabytes(mail), '1', weight(join(modules, 'nodemailer'))],
    ],
    goals: [
      { what: 'memory of the first trace', figure: megabytes(own), limit: 2, unit: 'MB' },
      { what: 'memory of the first mail', figure: megabytes(mail), limit: 16, unit: 'MB' },
    ],
  };
}

async function growthOf(probe: Probe, url: string): Promise<number> {
  const args = ['--expose-gc', fileURLToPath(import.meta.url), probe, url];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(folder, path)))
    .filter((file) => file.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}

const probes: Readonly<Record<Probe, (url: string) => Promise<void>>> = {
  nothing: (url) => postOnce(url),
  async official(url) {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
    const { resourceFromAttributes } = await import('@opentelemetry/resources');
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'platen' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer('platen');
    for (const name of ['release', 'badge', 'login', 'download', 'printed']) tracer.startSpan(name).end();
    await provider.forceFlush();
  },
  async own(url) {
    const { createTraceExporter } = await import('../../src/telemetry/exporter.ts');
    await using posting = postingHere();
    const exporter = createTraceExporter({
      ...{ url: new URL(url), headers: {}, sender: { version: '0', host: 'bench' }, posting },
      ...{ clock: systemClock, chance: systemChance, log: silent },
    });
    const stop = new AbortController();
    exporter.add({
      ...{ releaseId: '0'.repeat(32), terminal: 'lobby', outcome: 'completed', protocol: 'ipp' },
      trace: { since: '2026-11-21T12:00:00.000Z', steps: [{ stage: 'badge', at: 0, took: 0 }] },
    });
    const running = exporter.run(stop.signal);
    while (exporter.counts().sent === 0) await systemClock.sleep(seconds(0.01));
    stop.abort();
    await running;
  },
  async mail() {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true });
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'bench', text: 'bench' });
  },
};

const silent = createLog({ level: 'fatal', destination: { write: () => {} } });
const postingHere = () => createPosting({ section: 'notify', version: '0', clock: systemClock });

async function postOnce(url: string): Promise<void> {
  await using posting = postingHere();
  const signal = systemClock.deadline(seconds(5));
  await posting.post({ url: new URL(url), headers: {}, body: Buffer.from('{}') }, { signal });
}

if (import.meta.main) {
  const [, , probe = 'nothing', url = ''] = process.argv;
  const resident = (): number => {
    for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.();
    return process.memoryUsage().rss;
  };
  // Heap and code have their size by then.
  for (let post = 0; post < 50; post += 1) await postOnce(url);
  const before = resident();
  await probes[probe as Probe](url);
  process.stdout.write(String(resident() - before));
}
