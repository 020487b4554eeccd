/**
 * Overwrites the room that Node reads into from every socket before it hands a copy on, where the longest message of
 * late stands but for what came after it: zeros come, from ourselves, as many as it takes at a time.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Chance } from './chance.ts';

/** libuv reads 64 KiB at a time at most. */
const octets = 256 * 1024;

/** By a name that nobody else can know before it is used (unix(7), "abstract"); elsewhere nothing is done. */
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
