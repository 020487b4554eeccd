/**
 * What readers cost: from the last byte of a badge to the login request, from the plug back in its socket to a reader that
 * reads, and what 250 of them take of memory and time while nobody badges.
 */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { openSerialReader } from '../../src/readers/serial.ts';
import { startWaitingReader } from '../../src/simulator/network-reader.ts';
import { setStage } from '../flows/stage.ts';
import { createSocatPair } from '../peers/socat.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile } from './figures.ts';
import { memoryOf } from './process-memory.ts';

const badges = 200;
const replugs = 10;
const crowd = { serial: 125, network: 125 };
const idleTime = 10_000;

export async function measureReaders(): Promise<Measurement> {
  const login = await loginSpans();
  const back = await replugSpans();
  const [none, many] = [await idleCrowd({ serial: 0, network: 0 }), await idleCrowd(crowd)];
  const over = many.resident - none.resident;
  return {
    title: 'Card readers',
    how:
      `${badges} unknown badges at a TCP reader, to the moment the login request is put on its connection; ${replugs} times ` +
      `a pty of socat away for 6 s; ${crowd.serial} serial and ${crowd.network} TCP readers in a process of their own, ` +
      `${idleTime / 1000} s idle, beside the same process without them.`,
    rows: [
      ['', 'p50', 'p99', 'max'],
      [
        'badge complete to login request',
        ...[0.5, 0.99, 1].map((share) => inMilliseconds(percentile(login, share))),
      ],
      ['plugged in again to up', ...[0.5, 0.99, 1].map((share) => inMilliseconds(percentile(back, share)))],
      ['250 readers, memory over none', inMegabytes(over), '', ''],
      ['250 readers, of one core', `${(many.share * 100).toFixed(2)} %`, '', ''],
    ],
    goals: [
      { what: 'badge complete to login request, p99', figure: percentile(login, 0.99), limit: 5, unit: 'ms' },
      { what: 'reader back after replug', figure: percentile(back, 1), limit: 3000, unit: 'ms' },
      { what: '250 readers over none', figure: megabytes(over), limit: 60, unit: 'MB' },
      { what: '250 readers, idle, of one core', figure: many.share * 100, limit: 3, unit: '%' },
    ],
  };
}

/** Every badge is another one, and unknown: the terminal is free again at once. */
async function loginSpans(): Promise<number[]> {
  await using virtual = await startWaitingReader();
  await using stage = await setStage({
    terminal: { readers: [{ type: 'tcp-connect', address: `127.0.0.1:${virtual.port}` }] },
  });
  const agent = await stage.start();
  await agent.told('terminal ready');
  const spans: number[] = [];
  for (let badge = 0; badge < badges + 5; badge += 1) {
    const sent = loginSent();
    const since = performance.now();
    await virtual.tap(`04${String(badge).padStart(8, '0')}`);
    spans.push((await sent) - since);
    // A second badge within 300 ms would be the neighbour of the first.
    await sleep(350);
  }
  await agent.stop();
  return spans.slice(5);
}

/** The moment undici has put the next login request on its connection. */
const loginSent = (): Promise<number> =>
  new Promise((resolve) => {
    const look = (message: unknown): void => {
      const { request } = message as { request: { path: string } };
      if (request.path !== '/api/v1/login') return;
      unsubscribe('undici:client:sendHeaders', look);
      resolve(performance.now());
    };
    subscribe('undici:client:sendHeaders', look);
  });

async function replugSpans(): Promise<number[]> {
  await using pair = await createSocatPair();
  let up = Promise.withResolvers<void>();
  const events = { onCard() {}, onFrame() {}, onDown() {}, onUp: () => up.resolve() };
  const reader = openSerialReader({
    ...{ path: pair.path, name: 'front', baudRate: 9600, framing: { kind: 'line' }, events },
    ...{ clock: systemClock, log: createLog({ level: 'fatal' }) },
  });
  const end = new AbortController();
  const running = reader.run(end.signal);
  const spans: number[] = [];
  for (let round = 0; round < replugs; round += 1) {
    // Long enough away for the longest wait between two tries.
    await sleep(6000);
    up = Promise.withResolvers();
    await pair.plugIn();
    const since = performance.now();
    await up.promise;
    spans.push(performance.now() - since);
    await pair.unplug('SIGTERM');
  }
  end.abort();
  await running;
  return spans;
}

async function idleCrowd({ serial, network }: typeof crowd): Promise<{ resident: number; share: number }> {
  await using opened = new AsyncDisposableStack();
  const paths: string[] = [];
  for (let count = 0; count < serial; count += 1) {
    const pair = opened.use(await createSocatPair());
    await pair.plugIn();
    paths.push(pair.path);
  }
  const ports: number[] = [];
  for (let count = 0; count < network; count += 1) ports.push(opened.use(await startWaitingReader()).port);

  const script = fileURLToPath(new URL('reader-crowd.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify({ paths, ports })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await Promise.race([once(child.stdout, 'data'), exited]);
  const pid = child.pid ?? 0;
  await sleep(2000);
  const [before, since] = [processorTime(pid), performance.now()];
  await sleep(idleTime);
  const share = (processorTime(pid) - before) / (performance.now() - since);
  return { resident: memoryOf(pid).resident, share };
}

/** utime and stime of proc_pid_stat(5), whose ticks are hundredths of a second on Linux. Milliseconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
