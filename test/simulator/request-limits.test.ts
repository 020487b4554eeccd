/** How long a client of another machine may take: each limit by a client that is slow in its own way. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { hours, milliseconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { limitsBeyondLoopback } from '../../src/simulator/loopback-server.ts';

const [soon, never] = [milliseconds(50), hours(1)];
const unlimited = { headers: never, request: never, idle: never };
const start = 'POST /api/v1/login HTTP/1.1\r\nHost: cloud\r\n';
const whole = 'GET /api/v1/version HTTP/1.1\r\nHost: cloud\r\n\r\n';

it.each([
  ['says nothing', '', { headers: soon }],
  ['stops within the headers', start, { headers: soon }],
  ['stops within the body', `${start}Content-Length: 100\r\n\r\nauth`, { headers: soon, request: soon }],
])('a client that %s gets 408, and its connection ends', async (_, sent, limits) => {
  await using cloud = await startCloud({ limits: { ...unlimited, ...limits } });
  using socket = connected(cloud.baseUrl);
  socket.write(sent);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

it('a client that keeps its connection and asks no more loses it', async () => {
  await using cloud = await startCloud({ limits: { ...unlimited, idle: soon } });
  using socket = connected(cloud.baseUrl);
  socket.write(whole);
  // Its answer came whole before.
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 [^]*"errorCode"/);
});

it('a client in time is not disturbed by the limits of a server beyond loopback', async () => {
  await using cloud = await startCloud({ limits: limitsBeyondLoopback });
  using socket = connected(cloud.baseUrl);
  for (let call = 0; call < 2; call += 1) {
    socket.write(whole);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /);
  }
});

interface Held extends Socket, Disposable {}

function connected(baseUrl: string): Held {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}
