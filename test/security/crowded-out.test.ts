/** Whoever may connect cannot keep the page's own commands out, nor hide how the agent is (INVARIANTS.md T28, I8). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startOperations } from '../../src/operations/operations-server.ts';
import { commandTime, drip } from '../kiosk/crowd.ts';
import type { KioskStage } from '../kiosk/kiosk-stage.ts';
import { openKiosk } from '../kiosk/open-kiosk.ts';
import { listen } from '../kiosk/open-stream.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { recordLog } from '../support/recorded-log.ts';

const choosing = { generation: 2, state: 'choosing', sentence: '', waiting: 0 };

/** Connections that send this, as far as it goes, and stay. */
async function hold(port: number, count: number, text: string): Promise<readonly Socket[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(text);
      return socket.resume();
    }),
  );
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return sockets;
}

/** Reads along at four terminals, eight times each, without a cookie. */
async function readAlong({ kiosk, lobby, port }: KioskStage): Promise<void> {
  for (const id of ['one', 'two', 'three', 'four']) {
    const { current } = lobby.terminal.view;
    kiosk.serve({
      ...lobby,
      id,
      terminal: { ...lobby.terminal, view: { current, onChange: () => () => {} } },
    });
    const sockets = await hold(port, 8, `GET /t/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    // Begun, or gone for a later one.
    const open = sockets.filter((socket) => !socket.closed);
    await Promise.all(open.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])));
  }
}

it('thirty-two streams without a cookie do not lock the page out: they are the first to go', async () => {
  const stage = await openKiosk();
  await readAlong(stage);
  const cookie = await stage.launch();
  stage.show(choosing);
  const page = await listen(stage, cookie);
  for (let count = 0; count < 10; count += 1) await commandTime(stage, cookie);
  await readAlong(stage);
  await commandTime(stage, cookie);
  expect(page.ended()).toBe(false);
});

it('thirty-two commands whose bodies never come do not either', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  stage.show(choosing);
  const page = await listen(stage, cookie);
  for (const path of ['/t/lobby/commands', '/nothing']) {
    const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${stage.port}`, 'Content-Type: application/json'];
    await hold(stage.port, 64, [...head, 'Content-Length: 4000', '', '{'].join('\r\n'));
    await commandTime(stage, cookie);
  }
  expect(page.ended()).toBe(false);
});

it('callers that ask on top of each other and would read nothing of it are ended, and fill neither room nor memory', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  stage.show(choosing);
  const page = await listen(stage, cookie);
  const one = `GET /kiosk.css HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\n\r\n`;
  const sent = await Promise.all(
    (await hold(stage.port, 16, one.repeat(400))).map(async (socket) => {
      let octets = 0;
      socket.on('data', (part) => (octets += part.length));
      await once(socket, 'close');
      return octets;
    }),
  );
  expect(Math.max(...sent)).toBeLessThan(200_000);
  await commandTime(stage, cookie);
  expect(page.ended()).toBe(false);
});

it('forty callers of whole requests without a cookie cut neither who has one nor who has only just come', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  stage.show(choosing);
  const page = await listen(stage, cookie);
  const whole = ['GET /t/lobby HTTP/1.1', `Host: 127.0.0.1:${stage.port}`];
  const text = (...more: readonly string[]) => [...whole, ...more, '', ''].join('\r\n');
  const [known, fresh] = [
    await hold(stage.port, 1, text(`Cookie: ${cookie}`)),
    await hold(stage.port, 1, ''),
  ];
  const crowd = await hold(stage.port, 40, text());
  const open = crowd.filter((socket) => !socket.closed);
  await Promise.all(open.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])));
  await hold(stage.port, 8, text());
  await commandTime(stage, cookie);
  expect([...known, ...fresh].map(({ closed }) => closed)).toEqual([false, false]);
  expect(page.ended()).toBe(false);
});

it('sixty-four dripping callers do not silence /healthz', async () => {
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages(),
    log: recordLog().log,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  const { port } = operations.address;
  const sockets = await Promise.all(Array.from({ length: 64 }, () => drip(port)));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 20; count += 1) {
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  }
});
