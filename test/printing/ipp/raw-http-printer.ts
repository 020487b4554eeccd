/**
 * A printer of the bare connection: what it says in HTTP is the test's, to the octet, and when it says it. It takes
 * requests by their content-length, and keeps what it was sent.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { encodeMessage } from '../../../src/ipp/encode.ts';
import type { Message } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import type { Operation } from '../../../src/ipp/registry.ts';
import { statusCodes } from '../../../src/ipp/registry.ts';
import { enumValue } from '../../../src/ipp/values.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { idlePrinter, jobAnswer, operationOf } from '../../support/printer/scripted-printer.ts';

export interface RawExchange {
  readonly socket: Socket;
  /** The head of the request, as it came. */
  readonly head: string;
  readonly message: Message;
  readonly operation: Operation | undefined;
  readonly document: Buffer;
}

export interface RawHabits {
  /** At each connection, before anything was said on it. */
  readonly connected?: (socket: Socket) => unknown;
  /** When the head of a request is there, and its body may not be. */
  readonly headed?: (socket: Socket, head: string) => unknown;
  /** In place of the decent answer. */
  readonly asked?: (exchange: RawExchange) => unknown;
}

export interface RawPrinter {
  readonly uri: string;
  readonly port: number;
  readonly exchanges: readonly RawExchange[];
  /** Connections that stand now, and the most that stood at once. */
  readonly connections: { now: number; most: number };
  readonly sockets: readonly Socket[];
}

export async function startRawPrinter(habits: RawHabits): Promise<RawPrinter> {
  const exchanges: RawExchange[] = [];
  const sockets: Socket[] = [];
  const connections = { now: 0, most: 0 };

  function converse(socket: Socket): void {
    sockets.push(socket);
    connections.now += 1;
    connections.most = Math.max(connections.most, connections.now);
    socket.on('close', () => (connections.now -= 1));
    socket.on('error', () => {});
    habits.connected?.(socket);
    let pending = Buffer.alloc(0);
    let isHeaded = false;
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = pending.toString('latin1', 0, end);
      if (!isHeaded) habits.headed?.(socket, head);
      isHeaded = true;
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      const body = pending.subarray(end + 4);
      if (body.length < length) return;
      pending = Buffer.from(body.subarray(length));
      isHeaded = false;
      const { message, rest } = decodeMessage(body.subarray(0, length));
      const exchange = {
        socket,
        head,
        message,
        operation: operationOf(message),
        document: Buffer.from(rest),
      };
      exchanges.push(exchange);
      if (habits.asked) habits.asked(exchange);
      else socket.write(decentAnswer(exchange));
    });
  }

  const server = createServer(converse);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { uri: `ipp://127.0.0.1:${port}/ipp/print`, port, exchanges, connections, sockets };
}

/** What a decent printer says, as octets of HTTP; with other headers in place of content-type where they are given. */
export function decentAnswer(
  { message, operation }: Pick<RawExchange, 'message' | 'operation'>,
  changed: Partial<Message> = {},
  headers: readonly string[] = ['content-type: application/ipp'],
): Buffer {
  const said: ScriptedAnswer =
    operation === 'Get-Printer-Attributes' ? idlePrinter() : jobAnswer(attribute('job-state', enumValue(9)));
  const { version, requestId } = message;
  const answer = { version, requestId, code: statusCodes['successful-ok'], groups: said.groups ?? [] };
  const body = encodeMessage({ ...answer, ...changed });
  const head = ['HTTP/1.1 200 OK', ...headers, `content-length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
