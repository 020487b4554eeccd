/**
 * A way to a server of this machine that may be slow and lossy: each segment takes its time, none overtakes another, and
 * one that is lost is sent again later and later, as TCP does (RFC 6298). For machines whose kernel has no netem.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';

export interface Weather {
  /** Milliseconds of a segment, one way. */
  readonly delay: number;
  /** Segments that are lost, in per cent. */
  readonly loss: number;
}

export interface SlowLine extends AsyncDisposable {
  readonly port: number;
  /** From now on, also for what is connected; `undefined`: it is as quick as the machine. */
  become(weather: Weather | undefined): void;
}

/** Milliseconds after which a lost segment is sent again; twice as many each further time. */
const sentAgain = 200;

export async function laySlowLine(to: number, dice: Dice): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let now: Weather | undefined;

  function spanOf({ delay, loss }: Weather): number {
    let span = delay;
    for (let wait = sentAgain; dice.happens(loss); wait *= 2) span += wait;
    return span;
  }
  function carry(from: Socket, other: Socket): void {
    let before = Promise.resolve();
    const inTurn = (deed: () => void): void => {
      const due = performance.now() + (now ? spanOf(now) : 0);
      const waited = before;
      before = (async () => {
        await waited;
        const left = due - performance.now();
        if (left > 0) await sleep(left);
        deed();
      })();
    };
    sockets.add(from);
    from
      .on('error', () => {})
      .on('data', (segment) => inTurn(() => void (other.writable && other.write(segment))))
      .on('close', (hadError) => {
        sockets.delete(from);
        inTurn(() => (hadError ? other.destroy() : other.end()));
      });
  }
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: to });
    carry(near, far);
    carry(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    become: (weather) => void (now = weather),
    async [Symbol.asyncDispose]() {
      now = undefined;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
