/** A reader that is dialled, as `platen check` sees it: whether it answers, and in a fleet whether it takes two (F11). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { examineDialled } from '../../../src/commands/check/reader/dialled.ts';
import { freePort } from '../../support/ports.ts';

/** `most`: connections at a time; further ones are ended as soon as they come, as small readers do. */
async function reader({ most }: { readonly most: number }) {
  const open = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.on('error', () => {});
    if (open.size >= most) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as { port: number };
  return { config: dialled(port), calls: () => calls };
}

const dialled = (port: number) => {
  const address = { host: '127.0.0.1', port };
  return { type: 'tcp-connect', address, framing: { kind: 'line' }, silentAfterHours: 'off' } as never;
};

it('F11: in a fleet it says that the reader takes a second connection', async () => {
  const { config, calls } = await reader({ most: 2 });
  expect(await examineDialled(config, true)).toMatch(
    /accepts connections\. It also accepts a second connection during the first$/,
  );
  expect(calls()).toBe(2);
});

it('F11: in a fleet it says that the reader takes one alone, and what to do', async () => {
  const { config } = await reader({ most: 1 });
  expect(await examineDialled(config, true)).toMatch(
    /but only one at a time\. .* Set the reader to close silent connections$/,
  );
});

it('F11: in a fleet it says that the reader gives its connection to whoever came last', async () => {
  let last: Socket | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    last?.destroy();
    last = socket;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    last?.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  expect(await examineDialled(dialled(port), true)).toMatch(
    /closes the first connection for a second one, so another gateway can take over at once$/,
  );
});

it('dials once where there is no fleet', async () => {
  const { config, calls } = await reader({ most: 1 });
  expect(await examineDialled(config, false)).toMatch(/accepts connections$/);
  expect(calls()).toBe(1);
});

it('says what to look at where nobody answers', async () => {
  const config = dialled(await freePort());
  await expect(examineDialled(config, true)).rejects.toThrow(
    'does not answer. Check the reader, its network',
  );
});
