/**
 * A spooler that dies and comes back at the same address, where the real one cannot be made to come back as the test
 * wants it: one function answers what is asked of its jobs, and everything it was asked is kept in order.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { decodeMessage } from '../../src/ipp/decode.ts';
import type { Message } from '../../src/ipp/message.ts';
import { boolean, group } from '../../src/ipp/message.ts';
import type { Operation } from '../../src/ipp/registry.ts';
import type { ScriptedAnswer } from '../support/printer/scripted-printer.ts';
import { answer, idlePrinter, operationOf } from '../support/printer/scripted-printer.ts';

export interface MortalSpooler {
  readonly uri: string;
  /** `Cancel-Job and purge` where the document is to go with the job. */
  readonly asked: readonly string[];
  /** From now on; what is asked of the queue itself is answered as an idle one does. */
  jobIs(said: ScriptedAnswer | ((operation: Operation | undefined) => ScriptedAnswer)): void;
  /** Connections that are open. */
  connections(): Promise<number>;
  /** Ends all connections, and is there all the same. */
  hangUp(): void;
  die(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startMortalSpooler(): Promise<MortalSpooler> {
  const asked: string[] = [];
  let script: (operation: Operation | undefined) => ScriptedAnswer = () => ({});
  let server = await listening(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => die());

  function said(request: Message): ScriptedAnswer {
    const operation = operationOf(request);
    const purges = boolean(group(request, 'operation-attributes'), 'purge-job') === true;
    asked.push(`${operation}${purges ? ' and purge' : ''}`);
    return operation === 'Get-Printer-Attributes' ? idlePrinter() : script(operation);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { message } = decodeMessage(await buffer(request));
      answer(response, message, said(message));
    } catch {
      // Whoever asked has broken off.
      response.destroy();
    }
  }

  async function listening(at: number): Promise<Server> {
    const born = createServer((request, response) => void respond(request, response));
    // A test says when a connection ends.
    born.keepAliveTimeout = 0;
    born.listen(at, '127.0.0.1');
    await once(born, 'listening');
    return born;
  }

  async function die(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  return {
    uri: `cups://127.0.0.1:${port}/office`,
    asked,
    jobIs(next) {
      script = typeof next === 'function' ? next : () => next;
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    hangUp: () => server.closeAllConnections(),
    die,
    async comeBack() {
      server = await listening(port);
    },
  };
}
