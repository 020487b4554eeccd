/**
 * Overwrites the room in which undici takes answers apart: memory of its WebAssembly, one for all connections, in which
 * the last answer stands – a document, a token – until another one as long comes. So one comes, from nobody, longer than
 * any that a socket gives at a time: the first makes the room as large as it will ever be.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Agent } from 'undici';

/** A socket is read in one go, however many reads of 64 KiB lie there: so many are never let in. */
const octets = 256 * 1024;

/** Nothing goes out, and no name is looked up. */
export async function rinseParser(): Promise<void> {
  const agent = new Agent({
    connect: (_options, done) => process.nextTick(() => done(null, nobody())),
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  agent.dispatch(
    { origin: 'http://nobody.invalid', method: 'GET', path: '/' },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    },
  );
  await promise;
  await agent.destroy();
}

/** A connection that answers whatever is asked with nothing but zeros. */
function nobody(): Socket {
  const answer = Buffer.alloc(octets);
  const length = answer.write(`HTTP/1.1 200 OK\r\ncontent-length: ${octets}\r\n\r\n`);
  const connection = new Duplex({
    readableHighWaterMark: 2 * octets,
    read() {},
    write(_asked, _encoding, done) {
      done();
      this.push(answer);
      this.push(Buffer.alloc(length));
    },
  });
  // Of a socket undici uses what any stream has.
  return connection as Socket;
}
