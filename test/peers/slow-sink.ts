/**
 * A raw printer that takes its time: it prints the connections it was given one after the other, as most do, or all
 * at once, so many octets at a time, and keeps count of what came out of each.
 */
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { systemClock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';

export interface SlowSink extends AsyncDisposable {
  /** As CUPS writes it; without questions by SNMP, which would keep the second copy waiting. */
  readonly device: string;
  /** Octets that came out of each connection that had any, oldest first. */
  readonly outputs: readonly number[];
  /** No connection is open any more. */
  isIdle(): boolean;
  forget(): void;
}

export interface SinkOptions {
  readonly takes: 'one by one' | 'all at once';
  /** After each piece of 64 kB at most. */
  readonly pause: Duration;
}

export async function startSlowSink({ takes, pause }: SinkOptions): Promise<SlowSink> {
  let outputs: number[] = [];
  let turn = Promise.resolve();
  const open = new Set<Socket>();

  async function print(socket: Socket): Promise<void> {
    let slot: number | undefined;
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        slot ??= outputs.push(0) - 1;
        outputs[slot] = (outputs[slot] ?? 0) + chunk.length;
        await systemClock.sleep(pause);
      }
    } catch {
      // Broken off: what came out stays counted.
    }
  }

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    if (takes === 'one by one') turn = turn.then(() => print(socket));
    else void print(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    device: `socket://127.0.0.1:${port}/?snmp=false`,
    get outputs() {
      return outputs;
    },
    isIdle: () => open.size === 0,
    forget() {
      outputs = [];
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
