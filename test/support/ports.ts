/**
 * TCP ports for programs that cannot choose one themselves, and for what goes away and comes back at the same place.
 * They lie below the system's ephemeral range, where no connection of anybody's begins, in a block that belongs to this
 * worker: it holds the block's first port for as long as it lives, so that no other worker, of this run or of another
 * one, takes the block.
 */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';

/** Linux gives connections 32768 and above, ip_local_port_range; services of a machine keep below 10000. */
const lowest = 12_000;
const highest = 32_000;
const blockSize = 100;

let block: Promise<number> | undefined;
let turn = 0;

/** Nobody listens on it. Each call gives another one, until the block begins anew. */
export async function freePort(): Promise<number> {
  const first = await (block ??= ownBlock());
  for (let tried = 1; tried < blockSize; tried += 1) {
    turn += 1;
    const port = first + 1 + (turn % (blockSize - 1));
    const server = await listening(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`no port is free from ${first + 1} on: EADDRINUSE`);
}

async function ownBlock(): Promise<number> {
  for (let first = lowest; first < highest; first += blockSize) {
    const holder = await listening(first);
    if (!holder) continue;
    holder.unref();
    return first;
  }
  throw new Error('no block of ports is free: EADDRINUSE');
}

/** `undefined` where somebody listens there already. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
