/** INVARIANTS.md T28 for both local listeners, over real sockets. */
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { recordLog } from '../support/recorded-log.ts';
import { commandTime, drip } from './crowd.ts';
import { openKiosk } from './open-kiosk.ts';
import { listen } from './open-stream.ts';
import { eventually } from '../support/patience.ts';

async function openOperations(): Promise<number> {
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages(),
    log: recordLog().log,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  return operations.address.port;
}

async function dripping(count: number, port: number): Promise<readonly Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => drip(port)));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return sockets;
}

const allClosed = (sockets: readonly Socket[]): Promise<unknown> =>
  Promise.all(
    sockets.map((socket) =>
      socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve)),
    ),
  );

async function withstands(port: number): Promise<void> {
  const sockets = await dripping(100, port);
  await eventually(() => expect(sockets.filter(({ closed }) => closed)).toHaveLength(68));
  await allClosed(sockets);
  expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
}

it('32 dripping callers of a hundred are let in, and out after 5 s; then others are served again (T28)', async () => {
  await Promise.all(
    [openKiosk().then(({ port }) => port), openOperations()].map(async (port) => withstands(await port)),
  );
});

it('five hundred dripping callers keep no command waiting (T28, G14)', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  stage.show({ generation: 2, state: 'choosing', sentence: '', waiting: 0 });
  const page = await listen(stage, cookie);
  await dripping(500, stage.port);
  for (let count = 0; count < 100; count += 1) {
    await commandTime(stage, cookie);
    await stage.clock.advance(seconds(1));
  }
  expect(page.ended()).toBe(false);
});
