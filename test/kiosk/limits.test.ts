/** reliability.md T28 for both local listeners, over real sockets. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startOperations } from '../../src/operations/server.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openKiosk } from './kiosk-stage.ts';

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
  await allClosed(sockets.slice(32));
  expect(sockets.slice(0, 32).filter(({ closed }) => closed)).toEqual([]);
  await allClosed(sockets);
  expect(performance.now() - started).toBeLessThan(8000);
  expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
}

it('32 dripping callers of a hundred are let in, and out after 5 s; then others are served again (T28)', async () => {
  await Promise.all(
    [openKiosk().then(({ port }) => port), openOperations()].map(async (port) => withstands(await port)),
  );
});
