/**
 * Overwrites the memory in which undici parses answers: memory of its WebAssembly, the same for all connections. The
 * last answer – a document, a token – stays there until another one of the same length comes.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Agent } from 'undici';

/** A socket is read in one go, even if many reads of 64 KiB are waiting: more than this never comes. */
const octets = 256 * 1024;

/**
 * Parses an answer without a server, longer than any that a socket gives at a time. The first one makes the memory as
 * large as it will ever be. Nothing is sent, and no name is looked up.
 */
export async function rinseParser(): Promise<void> {
  const agent = new Agent({
    connect: (_options, done) => process.nextTick(() => done(null, deadSocket())),
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

/** A connection that answers any request with zeros. */
function deadSocket(): Socket {
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
  // undici uses only the parts of a socket that every stream has.
  return connection as Socket;
}
