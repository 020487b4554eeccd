/**
 * `platen simulate cloud` as somebody else's tests have it: how soon it answers, how many calls one core carries, and what
 * it weighs after them; beside a bare `node:http` server that answers the same calls with the same bytes.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { apiKeyHeader, arrivedAt, formType } from '../simulator/walk-by-hand.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, perSecond, ratio } from './figures.ts';
import { memoryOf } from '../support/process-memory.ts';
import { processorTimeOf } from './process-time.ts';

const starts = 10;
const rounds = 4000;
/** In which a call is asked alone, of both servers. */
const turns = 5;
const connections = 16;

/** What the bare server answers to one call. */
export interface KnownAnswer {
  /** `GET /path?query` */
  readonly call: string;
  readonly status: number;
  readonly type: string;
  /** Base64. */
  readonly body: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly readyAfter: number;
}

interface Run {
  readonly wall: number;
  readonly perCore: number;
  readonly memory: number;
}

export async function measureSimulatedCloud(): Promise<Measurement> {
  const ready: number[] = [];
  const bareReady: number[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-cloud-'));
  const answersFile = join(folder, 'answers.json');
  try {
    for (let start = 0; start < starts; start += 1) {
      await using bare = await started(process.execPath, ['-e', leastServer], bareIsReady);
      await using cloud = await startCloud();
      bareReady.push(bare.readyAfter);
      ready.push(cloud.readyAfter);
    }
    await using cloud = await startCloud();
    const calls = await callsOf(cloud.port);
    await writeFile(
      answersFile,
      JSON.stringify(await Promise.all(calls.map((one) => known(cloud.port, one)))),
    );
    await using bare = await started(process.execPath, [peer, answersFile], bareIsReady);
    const real = await under(cloud, calls);
    const beside = await under(bare, calls);
    const alone = await oneByOne(cloud, bare, calls);
    await using keeping = await startCloud('--state', join(folder, 'state.json'));
    const kept = await under(keeping, await callsOf(keeping.port));
    return measured({ ready, bareReady, real, kept, beside, alone, calls });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function measured(found: {
  readonly ready: readonly number[];
  readonly bareReady: readonly number[];
  readonly real: Run;
  readonly kept: Run;
  readonly beside: Run;
  readonly alone: readonly Alone[];
  readonly calls: readonly Asked[];
}): Measurement {
  const { ready, bareReady, real, kept, beside, alone, calls } = found;
  const [p50, max, bareP50] = [percentile(ready, 0.5), percentile(ready, 1), percentile(bareReady, 0.5)];
  const row = (what: string, own: string, bare: string, beyond: string) => [what, own, bare, beyond];
  return {
    title: 'platen simulate cloud',
    how: `Ready: ${starts} starts of the bundle, from making the process to the line with its address. Calls: ${rounds * calls.length} over ${connections} connections (${calls.map(({ method, path }) => `${method} ${path.replace(/^\/api\/v1|\?.*$|[\da-f-]{36}/g, '')}`).join(', ')}), counted by the processor time of the server alone. Beside it: a bare node:http server, same calls, same bytes, same run.`,
    rows: [
      ['', 'platen simulate cloud', 'bare node:http', ''],
      row('ready, p50', inMilliseconds(p50), inMilliseconds(bareP50), ratio(p50, bareP50)),
      row('ready, slowest', inMilliseconds(max), inMilliseconds(percentile(bareReady, 1)), ''),
      row(
        'calls a second of one core',
        perSecond(real.perCore),
        perSecond(beside.perCore),
        ratio(real.perCore, beside.perCore),
      ),
      ...alone.map(({ what, own, bare }) =>
        row(`${what} alone`, perSecond(own), perSecond(bare), ratio(own, bare)),
      ),
      row('the same with --state', perSecond(kept.perCore), '', ratio(kept.perCore, beside.perCore)),
      row(
        'calls a second as they came',
        perSecond(real.wall),
        perSecond(beside.wall),
        ratio(real.wall, beside.wall),
      ),
      row(
        'memory after them',
        inMegabytes(real.memory),
        inMegabytes(beside.memory),
        ratio(real.memory, beside.memory),
      ),
    ],
    goals: [
      { what: 'ready, p50', figure: p50, limit: 150, unit: 'ms' },
      { what: 'calls of one core', figure: real.perCore, atLeast: 2000, unit: '/s' },
      ...alone.map(
        ({ what, own, bare }) =>
          ({ what: `${what} alone`, figure: own / bare, atLeast: 0.5, unit: '×' }) as const,
      ),
      { what: 'the same with --state', figure: kept.perCore, atLeast: 2000, unit: '/s' },
      { what: 'memory after them', figure: megabytes(real.memory), limit: 100, unit: 'MB' },
    ],
  };
}

const platen = fileURLToPath(new URL('../../tools/platen.js', import.meta.url));
const peer = fileURLToPath(new URL('./simulated-cloud-peer.ts', import.meta.url));

const bareIsReady = /^(\d+)$/m;
const leastServer =
  "require('node:http').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); })";

const startCloud = (...options: readonly string[]) =>
  started(
    platen,
    ['simulate', 'cloud', '--port', '0', '--approve', 'at-once', ...options],
    /baseUrl: http:\S+:(\d+)/,
  );

/** Ready where it has said its port. */
async function started(program: string, args: readonly string[], said: RegExp): Promise<Server> {
  const since = performance.now();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  while (!said.test(text)) await once(child.stdout, 'data');
  const readyAfter = performance.now() - since;
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);
  return {
    pid,
    readyAfter,
    port: Number(said.exec(text)?.[1]),
    [Symbol.asyncDispose]: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A person's walk at a terminal, over and over. */
async function callsOf(port: number): Promise<readonly Asked[]> {
  const { device, user, uuid } = await arrivedAt(`http://127.0.0.1:${port}`);
  const asDevice = { ...apiKeyHeader, authorization: `Bearer ${device}` };
  const asUser = { ...apiKeyHeader, authorization: `Bearer ${user}` };
  return [
    { method: 'GET', path: '/api/v1/version', headers: apiKeyHeader },
    { method: 'GET', path: '/api/v1/documents?status=0&maxRecords=500', headers: asUser },
    { method: 'GET', path: `/api/v1/documents/${uuid}.content?retain=true`, headers: asUser },
    { method: 'GET', path: '/api/v1/outputports', headers: asDevice },
    {
      method: 'POST',
      path: '/api/v1/documents/history',
      headers: { ...asUser, ...formType },
      body: 'jobtype=PRINT&title=Report&totalpages=3&colorpages=0&papersize=A4&duplex=false',
    },
    {
      method: 'POST',
      path: '/api/v1/login',
      headers: { ...asDevice, ...formType },
      body: 'authtype=1&userid=04A1B2C3D4',
    },
  ];
}

interface Alone {
  readonly what: string;
  /** Calls a second of one core. */
  readonly own: number;
  readonly bare: number;
}

/** What a test asks most, each for itself and in turns, so that both meet the same moment of the machine. */
async function oneByOne(cloud: Server, bare: Server, calls: readonly Asked[]): Promise<readonly Alone[]> {
  const alone: Alone[] = [];
  for (const what of ['GET /documents', 'POST /login']) {
    const [method, path] = what.split(' ');
    const call = calls.find(
      (one) => one.method === method && /^[^?]*/.exec(one.path)?.[0] === `/api/v1${path}`,
    );
    if (!call) throw new Error(`${what} is none of the calls`);
    const runs: { own: number; bare: number }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      runs.push({ own: (await under(cloud, [call])).perCore, bare: (await under(bare, [call])).perCore });
    }
    const middle = (which: 'own' | 'bare') =>
      percentile(
        runs.map((one) => one[which]),
        0.5,
      );
    alone.push({ what, own: middle('own'), bare: middle('bare') });
  }
  return alone;
}

async function known(port: number, call: Asked): Promise<KnownAnswer> {
  const { status, type, body } = await send(port, call);
  return { call: `${call.method} ${call.path}`, status, type, body: body.toString('base64') };
}

async function under({ pid, port }: Server, calls: readonly Asked[]): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const [since, used] = [performance.now(), processorTimeOf(pid)];
  let left = rounds;
  const person = async () => {
    while (left > 0) {
      left -= 1;
      for (const call of calls) {
        const { status } = await send(port, call, agent);
        if (status !== 200) throw new Error(`${call.method} ${call.path} is answered ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, person));
  agent.destroy();
  const total = rounds * calls.length;
  return {
    wall: total / ((performance.now() - since) / 1000),
    perCore: total / (processorTimeOf(pid) - used),
    memory: memoryOf(pid).resident,
  };
}

async function send(
  port: number,
  { method, path, headers, body }: Asked,
  agent?: Agent,
): Promise<{ status: number; type: string; body: Buffer }> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, ...(agent ? { agent } : {}) });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return {
    status: answer.statusCode,
    type: answer.headers['content-type'] ?? '',
    body: await buffer(answer),
  };
}
