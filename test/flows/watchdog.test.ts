/**
 * The agent as systemd's watchdog knows it: a service that hangs is a reason to start again, a cloud that is away is
 * none.
 */
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { ServiceManager } from '../../src/operations/service-manager.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { prepareOutage } from './outage.ts';
import { setStage } from '../support/agent/stage.ts';
import { eventually } from '../support/patience.ts';

interface HeardManager extends ServiceManager {
  readonly heard: string[];
  pings(): number;
}

function hearingManager(): HeardManager {
  const heard: string[] = [];
  return {
    heard,
    pings: () => heard.filter((word) => word === 'ping').length,
    ready: async () => void heard.push('ready'),
    reloading: () => heard.push('reloading'),
    stopping: () => heard.push('stopping'),
    status: (text) => heard.push(text),
    ping: async () => void heard.push('ping'),
    pingEvery: seconds(10),
  };
}

/** Takes connections and says nothing, ever. */
async function mutePrinter(): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.resume().on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

it('a service that hangs is named by /healthz, and the watchdog is not fed any longer (E, B.4 11)', async () => {
  const forward = forwardClock();
  // How a service would hang: what limits its calls does not.
  const clock: ForwardClock = { ...forward, deadline: (_, parent) => parent ?? new AbortController().signal };
  const printer = await mutePrinter();
  const { port } = printer.address() as { port: number };
  const manager = hearingManager();
  await using stage = await setStage({
    clock,
    manager,
    terminal: { printer: { uri: `ipp://127.0.0.1:${port}/ipp/print` } },
  });
  const connected = once(printer, 'connection');
  await using agent = await stage.start();
  expect(manager.heard[0]).toBe('ready');
  const healthz = () => fetch(`${agent.operations}/healthz`);
  await connected;
  await forward.hurry(eventually(() => expect(manager.pings()).toBeGreaterThan(1)));
  expect((await healthz()).status).toBe(200);

  forward.forward(minutes(16));
  // All others were only asleep, and take up their work.
  await eventually(async () => {
    const answer = await healthz();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual([
      {
        service: 'printer of lobby',
        reason: expect.stringMatching(/^no progress for \d+ s, promised within 900 s$/),
      },
    ]);
  });
  const fed = manager.pings();
  await forward.hurry(clock.sleep(minutes(1)));
  expect(manager.pings()).toBe(fed);
  expect(agent.records.find(({ msg }) => msg === 'service overdue')).toMatchObject({
    services: 'printer of lobby',
  });
  await agent.stop();
  expect(manager.heard).toContain('stopping');
});

it('a cloud that is away for an hour, and a printer that is, leave the watchdog fed (E)', async () => {
  const manager = hearingManager();
  await using outage = await prepareOutage({
    manager,
    terminal: { printer: { uri: 'ipp://127.0.0.1:9/ipp/print' } },
  });
  await using agent = await outage.start();
  const { clock } = outage;
  await outage.begin();
  await clock.hurry(clock.sleep(hours(1)));
  expect((await fetch(`${agent.operations}/healthz`)).status).toBe(200);
  expect(agent.records.filter(({ msg }) => msg === 'service overdue')).toEqual([]);
  // Such leaps of the clock look like a loop that is held up; with smaller ones there is a ping in 10 s.
  const before = manager.pings();
  await clock.hurry(clock.sleep(minutes(5)));
  expect(manager.pings() - before).toBeGreaterThan(20);
  expect(manager.heard.findLast((word) => word.startsWith('Not ready: 0 of 1 terminals. '))).toBeDefined();
});

it('an agent that crashed four times in a moment starts in safe mode; once stopped in order, it does not (E)', async () => {
  await using stage = await setStage();
  const state = join(stage.folder, 'state');
  await mkdir(state, { mode: 0o700 });
  const now = systemClock.now();
  await writeFile(join(state, 'starts.json'), JSON.stringify([1, 2, 3, 4].map((ago) => now - 1000 * ago)));
  const conditions = async () => {
    await using agent = await stage.start();
    const { conditions: raised } = (await (await fetch(`${agent.operations}/status`)).json()) as {
      conditions: readonly { code: string }[];
    };
    await agent.stop();
    return raised.map(({ code }) => code);
  };
  expect(await conditions()).toContain('safe-mode');
  expect(await conditions()).not.toContain('safe-mode');
});
