/** The agent's addresses as systemd keeps them: it answers there at once, and nobody was there in between (D11, T03). */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startProgram } from '../support/program.ts';
import { setStage } from '../support/agent/stage.ts';

/** A listening socket that this process does not serve. */
async function listening(): Promise<{ server: Server; port: number; fd: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { _handle } = server as unknown as { _handle: { fd: number } };
  return { server, port: (server.address() as AddressInfo).port, fd: _handle.fd };
}

it('answers at the sockets that are handed down, whose addresses nobody could take', async () => {
  const [kiosk, operations] = [await listening(), await listening()];
  await using stage = await setStage({
    config: {
      kiosk: { listen: `127.0.0.1:${kiosk.port}` },
      operations: { listen: `localhost:${operations.port}` },
    },
  });
  // Without them it could not be there: they are taken.
  await using platen = startProgram(['run', '-c', stage.configFile], {
    sockets: { kiosk: kiosk.fd, operations: operations.fd },
  });
  for (const { server } of [kiosk, operations]) server.close();
  expect(await platen.logged('agent started')).toMatchObject({
    kiosk: `127.0.0.1:${kiosk.port}`,
    operations: `127.0.0.1:${operations.port}`,
  });
  expect((await fetch(`http://127.0.0.1:${kiosk.port}/t/lobby`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${operations.port}/healthz`)).status).toBe(200);
  platen.child.kill('SIGTERM');
  expect(await platen.exited).toEqual({ code: 0, signal: null });
});

it('says so, and listens where the configuration says, where another address is kept, or no socket is', async () => {
  const [kept, port] = [await listening(), await freePort()];
  await using stage = await setStage({ config: { kiosk: { listen: `127.0.0.1:${port}` } } });
  await using platen = startProgram(['run', '-c', stage.configFile], {
    sockets: { kiosk: kept.fd, operations: 1 },
  });
  kept.server.close();
  expect(await platen.logged('agent started')).toMatchObject({ kiosk: `127.0.0.1:${port}` });
  expect((await fetch(`http://127.0.0.1:${port}/t/lobby`)).status).toBe(200);
  const warned = platen
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"socket of systemd not used"'))
    .map((line) => JSON.parse(line) as object);
  expect(warned).toMatchObject([
    { level: 'warn', key: 'kiosk.listen', configured: `127.0.0.1:${port}`, kept: `127.0.0.1:${kept.port}` },
    { level: 'warn', key: 'operations.listen' },
  ]);
});
