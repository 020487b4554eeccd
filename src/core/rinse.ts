/**
 * Overwrites the memory into which Node reads from every socket before it hands on a copy. Parts of the longest recent
 * message stay there. The agent sends itself zeros, as many as one read takes.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Chance } from './chance.ts';

/** libuv reads at most 64 KiB at a time. */
const octets = 256 * 1024;

/**
 * Uses an abstract socket (unix(7), "abstract") with a name that no other process can know before. On other systems it
 * does nothing.
 */
export async function rinseSockets(chance: Chance): Promise<void> {
  if (process.platform !== 'linux') return;
  const path = `\0platen-${chance.uuid()}`;
  const server = createServer((connection) => connection.end(Buffer.alloc(octets)));
  try {
    server.listen(path);
    await once(server, 'listening');
    const connection = connect(path);
    connection.resume();
    await once(connection, 'close');
  } finally {
    server.close();
  }
}
