import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperationsDeps } from '../../src/operations/operations-server.ts';
import type { OperationsPages } from '../../src/operations/pages.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import { recordLog } from '../support/recorded-log.ts';
import { samplePages } from '../support/operations/sample-pages.ts';

async function start(
  changes: Partial<OperationsPages> = {},
  options: Partial<Omit<OperationsDeps, 'pages'>> = {},
) {
  const recorded = recordLog();
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages(changes),
    log: recorded.log,
    ...options,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  const { port } = operations.address;
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { operations, port, recorded, get, open };
}

describe('the operations listener', () => {
  it('answers /healthz with 200 while every service makes progress', async () => {
    const { get } = await start();
    const answer = await get('/healthz');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('answers /healthz with 503 and the reasons when one does not', async () => {
    const overdue = [{ service: 'courier', reason: 'no progress for 41 s, promised within 30 s' }];
    const { get } = await start({ health: { overdue: () => overdue } });
    const answer = await get('/healthz');
    expect([answer.status, await answer.json()]).toEqual([503, overdue]);
  });

  it.each([
    [true, 200],
    [false, 503],
  ])('answers /readyz for ready %s with %i', async (ready, status) => {
    const { get } = await start({
      ready: () => ({ ready, terminals: { lobby: ready }, reasons: { lobby: 'why' } }),
    });
    const answer = await get('/readyz');
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { ready, terminals: { lobby: ready }, reasons: { lobby: 'why' } },
    ]);
  });

  it('serves the metrics as Prometheus text', async () => {
    const { get } = await start();
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toBe('platen_cloud_up 1\n');
  });

  it('serves the status for `platen status`', async () => {
    const { get } = await start();
    expect(await (await get('/status')).json()).toEqual({ version: '0.1.0' });
  });

  it.each([
    ['GET', '/'],
    ['GET', '/healthz/'],
    ['GET', '/%'],
    ['GET', '/../etc/passwd'],
    ['POST', '/healthz'],
    ['DELETE', '/status'],
  ])('answers %s %s with 404', async (method, path) => {
    const { get } = await start();
    expect((await get(path, { method })).status).toBe(404);
  });

  it.each([
    ['that is too long', 'application/json', `"${'x'.repeat(5000)}"`],
    ['that is not JSON', 'application/json', '{'],
    ['of another type', 'image/png', 'x'],
  ])('answers a body %s with 404', async (_, type, body) => {
    const { get, recorded } = await start();
    const answer = await get('/commands', { method: 'POST', headers: { 'content-type': type }, body });
    expect(answer.status).toBe(404);
    expect(recorded.text()).toBe('');
  });

  it('answers 500 without a word when a part of the agent fails, and logs it', async () => {
    const { get, recorded } = await start({
      status: () => {
        throw new Error('secret details');
      },
    });
    const answer = await get('/status');
    expect([answer.status, await answer.text()]).toEqual([500, '']);
    expect(recorded.records('operations request failed')).toMatchObject([
      { url: '/status', error: { message: 'secret details' } },
    ]);
  });

  it('says that the address is taken, and by which key to change it', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    onTestFinished(() => void squatter.close());
    const address = squatter.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(start({}, { listen: { host: '127.0.0.1', port } })).rejects.toMatchObject({
      code: 'port-taken',
      message: `operations.listen: 127.0.0.1:${port} is taken by another program`,
      cause: { code: 'EADDRINUSE' },
    });
  });

  it('says that an address is not of this machine', async () => {
    await expect(start({}, { listen: { host: '192.0.2.1', port: 0 } })).rejects.toMatchObject({
      code: 'config-invalid',
      message: 'operations.listen: 192.0.2.1:0 cannot be listened on',
    });
  });

  it('ends open connections at once when it is disposed', async () => {
    const { operations, open } = await start();
    const [idle, halfway] = [await open(), await open()];
    halfway.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const closed = [idle, halfway].map((socket) => new Promise((resolve) => socket.on('close', resolve)));
    await operations[Symbol.asyncDispose]();
    await Promise.all(closed);
    await expect(fetch(`http://127.0.0.1:${operations.address.port}/healthz`)).rejects.toThrow(
      'fetch failed',
    );
  });
});
