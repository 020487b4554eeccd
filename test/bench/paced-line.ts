/**
 * A TCP line to a server that carries so many bytes a second each way, whole and in order, as a network card does: all its
 * connections share them.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes a millisecond: 1 Gbit/s. */
const usualPace = 125_000;
/** Milliseconds: a timer is late by so much, and the line makes good for it. */
const late = 5;

export interface PacedLine extends AsyncDisposable {
  readonly port: number;
}

/** One way of the line. */
interface Way {
  readonly pace: number;
  freeAt: number;
}

/** To a port of this computer; `pace`: bytes a millisecond. */
export async function openPacedLine(target: number, pace: number = usualPace): Promise<PacedLine> {
  const [out, back]: readonly [Way, Way] = [
    { pace, freeAt: 0 },
    { pace, freeAt: 0 },
  ];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      // One end that breaks off is passed on to the other.
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    for (const way of [carry(near, far, out), carry(far, near, back)]) way.catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function carry(from: Socket, to: Socket, way: Way): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    way.freeAt = Math.max(way.freeAt, performance.now() - late) + chunk.length / way.pace;
    const { freeAt } = way;
    if (!to.write(chunk)) await once(to, 'drain');
    const wait = freeAt - performance.now();
    if (wait > 1) await sleep(wait);
  }
  to.end();
}
