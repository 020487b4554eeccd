/** The line by which a reader says which one it is, before its first badge. It is not a secret, and proves nothing. */
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';

const longestHello = 256;
const patience = seconds(5);
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `head` is what came after the line, and belongs to the reader. */
export interface Greeting {
  readonly hello: string;
  readonly head: Uint8Array;
}

/** The first line that is not empty; `undefined` when none comes within 5 s, or 256 bytes, or the caller goes. */
export function readGreeting(socket: Socket, clock: Clock): Promise<Greeting | undefined> {
  const { promise, resolve } = Promise.withResolvers<Greeting | undefined>();
  let heard = Buffer.alloc(0);

  const hear = (bytes: Buffer): void => {
    heard = Buffer.concat([heard, bytes]);
    heard = heard.subarray(Math.max(0, heard.findIndex(isNoLineEnd)));
    const end = isNoLineEnd(heard[0]) ? heard.findIndex(isLineEnd) : -1;
    if (end >= 0) settle({ hello: heard.toString('latin1', 0, end), head: heard.subarray(end + 1) });
    else if (heard.length > longestHello) settle(undefined);
  };
  const gone = (): void => settle(undefined);
  const timer = clock.setTimeout(gone, patience);

  function settle(greeting: Greeting | undefined): void {
    clock.clearTimeout(timer);
    socket.off('data', hear).off('close', gone).off('end', gone);
    socket.pause();
    resolve(greeting);
  }

  socket.on('data', hear).once('close', gone).once('end', gone);
  return promise;
}

const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isNoLineEnd = (byte: number | undefined): boolean => byte !== undefined && !isLineEnd(byte);
