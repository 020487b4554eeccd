/** A TCP line to a server on which every byte is half a round trip late, each way. Order and contents are kept. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

export interface LatencyLine extends AsyncDisposable {
  readonly url: string;
  readonly connections: () => number;
}

export async function openLatencyLine(target: string, roundTrip: number): Promise<LatencyLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  const late = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        setTimeout(() => this.push(chunk), roundTrip / 2);
        done();
      },
      // Its end is late too, behind what is on its way.
      flush: (done) => void setTimeout(done, roundTrip / 2),
    });
  const server = createServer((near) => {
    connections += 1;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    near.pipe(late()).pipe(far);
    far.pipe(late()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
