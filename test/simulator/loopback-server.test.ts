import { createServer } from 'node:net';
import { once } from 'node:events';
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
