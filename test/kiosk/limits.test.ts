/** reliability.md T28 for both local listeners, over real sockets. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { startOperations } from '../../src/operations/server.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openKiosk } from './kiosk-stage.ts';
import { listen } from './open-stream.ts';

async function openOperations(): Promise<number> {
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    health: { overdue: () => [] },
    ready: () => ({ ready: true, terminals: {} }),
    metrics: { contentType: 'text/plain', text: async () => '' },
    status: () => ({}),
    log: recordLog().log,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  return operations.address.port;
}

/** A caller that sends a header line every half second and never comes to an end. */
async function drip(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  const timer = setInterval(() => socket.write('X: y\r\n'), 500);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => void socket.destroy());
  return socket.resume();
}

const allClosed = (sockets: readonly Socket[]): Promise<unknown> =>
  Promise.all(
    sockets.map((socket) =>
      socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve)),
    ),
  );

async function withstands(port: number): Promise<void> {
  const started = performance.now();
  const sockets = await Promise.all(Array.from({ length: 100 }, () => drip(port)));
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed)).toHaveLength(68));
  await allClosed(sockets);
  expect(performance.now() - started).toBeLessThan(8000);
  expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
}

it('32 dripping callers of a hundred are let in, and out after 5 s; then others are served again (T28)', async () => {
  await Promise.all(
    [openKiosk().then(({ port }) => port), openOperations()].map(async (port) => withstands(await port)),
  );
});

/** On a connection of its own, as after a pause. Milliseconds; rejects where it is not done. */
async function commandTime(port: number, cookie: string): Promise<number> {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
  const path = '/t/lobby/commands';
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
  asked.end(JSON.stringify({ command: 'still-there', generation: 2 }));
  const [answer] = await once(asked, 'response');
  expect(answer.statusCode).toBe(204);
  await once(answer.resume(), 'end');
  return performance.now() - started;
}

it('five hundred dripping callers keep no command waiting for 200 ms (T28, G14)', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  stage.show({ generation: 2, state: 'choosing', sentence: '', waiting: 0 });
  const page = await listen(stage, cookie);
  await Promise.all(Array.from({ length: 500 }, () => drip(stage.port)));
  const times: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    times.push(await commandTime(stage.port, cookie));
    await stage.clock.advance(seconds(1));
  }
  expect(times.toSorted((a, b) => a - b)[98]).toBeLessThan(200);
  expect(page.ended()).toBe(false);
});
