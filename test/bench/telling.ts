/**
 * What it costs a process to tell others: the first trace by OpenTelemetry's own packages and by ours, and the first
 * message by mail, both as they are in the bundle. Each in a process of its own that has posted before, as an agent has.
 */
import { execFile } from 'node:child_process';
import { globSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { answerJson, startServer } from '../support/cloud/scripted-server.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes, percentile } from './figures.ts';

const rounds = 5;
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

export async function measureTelling(): Promise<Measurement> {
  await using server = await startServer(answerJson({}));
  const grown = async (probe: string): Promise<number> => {
    const figures: number[] = [];
    for (let round = 0; round < rounds; round += 1) figures.push(await growthOf(probe, server.url));
    return percentile(figures, 0.5);
  };
  const [nothing, official, own] = [await grown(''), await grown(byTheSdk), await grown(byTheBundle())];
  const mail = await grown(byMail());
  const scope = join(modules, '@opentelemetry');
  const onDisk = (folder: string): string => inMegabytes(sizeOf(folder));
  return {
    title: 'What it takes to tell others',
    how: `Resident memory that is more after the first trace, or the first message, than before; p50 of ${rounds} processes. The agent loads this only where it is configured.`,
    rows: [
      ['', 'resident', 'packages', 'on the disk'],
      ['another post by what is there', inMegabytes(nothing), '', ''],
      ['a trace, @opentelemetry', inMegabytes(official), String(readdirSync(scope).length), onDisk(scope)],
      ['a trace, platen', inMegabytes(own), '0', ''],
      ['a mail, nodemailer', inMegabytes(mail), '1', onDisk(join(modules, 'nodemailer'))],
    ],
    goals: [
      { what: 'memory of the first trace', figure: megabytes(own), limit: 4, unit: 'MB' },
      { what: 'memory of the first mail', figure: megabytes(mail), limit: 6, unit: 'MB' },
    ],
  };
}

/** Node's own client, warm; then the probe between two looks. */
async function growthOf(probe: string, url: string): Promise<number> {
  const script = `
    const { request } = await import('node:http');
    // The agent has them.
    for (const part of ['tls', 'https', 'dns', 'zlib', 'crypto', 'child_process']) await import('node:' + part);
    const post = (to, body) => new Promise((resolve, reject) => {
      const asked = request(to, { method: 'POST' }, (answer) => answer.resume().on('end', resolve));
      asked.on('error', reject).end(body);
    });
    const url = ${JSON.stringify(url)};
    for (let count = 0; count < 20; count += 1) await post(url, '{}');
    const resident = () => { gc(); return process.memoryUsage().rss; };
    const before = resident();
    ${probe}
    await post(url, '{}');
    process.stdout.write(String(resident() - before));
    process.exit();
  `;
  const args = ['--expose-gc', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: modules });
  return Number(stdout);
}

const byTheSdk = `
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({ url: url + '/v1/traces' });
  const resource = resourceFromAttributes({ 'service.name': 'platen' });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  for (const name of ['release', 'badge', 'login', 'printed']) provider.getTracer('platen').startSpan(name).end();
  await provider.forceFlush();
`;

/** On a clock that waits for nothing and stops it when it has sent. */
function byTheBundle(): string {
  return `
    const { createTraceExporter } = await import(${JSON.stringify(chunkOf('exporter'))});
    const stop = new AbortController();
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    const exporter = createTraceExporter({
      url: new URL(url), headers: {}, sender: { version: '0', host: 'bench' },
      posting: { post: async ({ url, body }) => { await post(url, body); stop.abort(); return body; } },
      clock: { now: Date.now, monotonic: () => performance.now(), sleep: pause, deadline: () => stop.signal },
      chance: { jitter: (span) => span }, log: { info() {}, warn: (text, { error }) => { throw error; } },
    });
    const steps = ['badge', 'login', 'printed'].map((stage) => ({ stage, at: 0, took: 1 }));
    const trace = { since: new Date().toISOString(), steps };
    exporter.add({ releaseId: '0'.repeat(32), terminal: 'lobby', outcome: 'completed', protocol: 'ipp', trace });
    await exporter.run(stop.signal);
    if (exporter.counts().sent !== 1) throw new Error('nothing was sent');
  `;
}

const byMail = (): string => `
  const { createTransport } = await import(${JSON.stringify(chunkOf('nodemailer'))});
  const transport = createTransport({ streamTransport: true, buffer: true });
  await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'bench', text: 'bench' });
`;

/** Of `npm run build`. */
function chunkOf(name: string): string {
  const [chunk = ''] = globSync(`dist/assets/${name}-*.js`);
  return resolve(chunk);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(folder, path)))
    .filter((file) => file.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}
