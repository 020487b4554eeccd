import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, test } from 'vitest';
import { hours, milliseconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { limitsBeyondLoopback, startLoopbackServer } from '../../src/simulator/loopback-server.ts';

test('a server comes back on its port also when somebody else has that for a moment', async () => {
  await using server = await startLoopbackServer({
    port: 0,
    handle: async (_, response) => void response.end('well'),
  });
  await server.close();
  const other = createServer().listen(server.port, '127.0.0.1');
  await once(other, 'listening');
  const back = server.reopen();
  other.close();
  await back;
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(await answer.text()).toBe('well');
});

test('nobody else is given its port while it is away, and who calls there is refused', async () => {
  await using server = await startLoopbackServer({ port: 0, handle: async () => {} });
  await server.close();
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
    cause: { code: 'ECONNREFUSED' },
  });
  const sockets = await readFile('/proc/net/tcp', 'utf8');
  const local = `0100007F:${server.port.toString(16).toUpperCase().padStart(4, '0')}`;
  const [, state] = new RegExp(`: ${local} \\S+ (\\S+)`).exec(sockets) ?? [];
  expect(state).toBe('01');
});

/** How long a client of another machine may take: each limit by a client that is slow in its own way. */
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
