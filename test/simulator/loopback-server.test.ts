import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startLoopbackServer } from '../../src/simulator/loopback-server.ts';

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
