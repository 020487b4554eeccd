/** A way to a server of this machine that can be cut: what was connected is lost, and nobody is let through any more. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface CutLine extends AsyncDisposable {
  readonly port: number;
  cut(): void;
  mend(): void;
}

export async function layLine(to: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port: to });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
