/** A long answer whose reader is slower than the service: it is paused, and goes on. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '../../src/cloud/http/exchange.ts';
import { withoutLimit } from '../support/patience.ts';

it('comes whole, and in chunks that are never empty', async () => {
  const sent = Buffer.from(Array.from({ length: 2_000_000 }, (_, index) => index % 251));
  const first = 1_000_000;
  const sendRest = Promise.withResolvers<void>();
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-length': sent.length }).write(sent.subarray(0, first));
    void sendRest.promise.then(() => answer.end(sent.subarray(first)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent();
  onTestFinished(async () => {
    await agent.destroy();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = withoutLimit();
  const { body } = await exchange(
    agent,
    { call: 'GET /', origin, method: 'GET', path: '/', headers: {}, connection: 'close' },
    { whole: signal, beginning: signal },
  );
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    received += chunk.length;
    // The reader waits for more, with nothing left on the connection.
    if (received === first) setImmediate(sendRest.resolve);
    // The others arrive meanwhile.
    else await new Promise(setImmediate);
    if (chunk.length === 0) break;
  }
  expect(Math.min(...chunks.map(({ length }) => length))).toBeGreaterThan(0);
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
});
