/**
 * A printer that says what the test tells it to, where the virtual printer is too well-behaved: one function answers
 * every IPP request, or takes HTTP into its own hands.
 */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { encodeMessage } from '../../../src/ipp/encode.ts';
import type { Attribute, Group, Message } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import type { Operation, Status } from '../../../src/ipp/registry.ts';
import { operations, statusCodes } from '../../../src/ipp/registry.ts';
import {
  enumValue,
  integer,
  keyword,
  mimeMediaType,
  nameWithoutLanguage,
  rangeOfInteger,
} from '../../../src/ipp/values.ts';

/** PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

export interface ScriptedAnswer {
  readonly status?: Status;
  readonly groups?: readonly Group[];
}

/** An idle printer of PDF that makes copies and knows all operations; what is given replaces its attributes. */
export function idlePrinter(...changed: readonly Attribute[]): ScriptedAnswer {
  const own = [
    attribute('printer-state', enumValue(3)),
    attribute('printer-state-reasons', keyword('none')),
    attribute('document-format-supported', mimeMediaType('application/pdf')),
    attribute('copies-supported', rangeOfInteger(1, 99)),
    attribute('operations-supported', ...Object.values(operations).map(enumValue)),
  ];
  const names = new Set(changed.map(({ name }) => name));
  const attributes = [...changed, ...own.filter(({ name }) => !names.has(name))];
  return { groups: [{ tag: 'printer-attributes', attributes }] };
}

/** Of job 1, under the name that the tests give it; what is given replaces that. */
export function jobAnswer(...attributes: readonly Attribute[]): ScriptedAnswer {
  const own = [
    attribute('job-id', integer(1)),
    attribute('job-name', nameWithoutLanguage('Report.pdf [7f3a9c21]')),
  ];
  const names = new Set(attributes.map(({ name }) => name));
  const reported = [...own.filter(({ name }) => !names.has(name)), ...attributes];
  return { groups: [{ tag: 'job-attributes', attributes: reported }] };
}

export type Script = (request: Message, operation: Operation | undefined) => ScriptedAnswer;

/** The printer's URI. It ends with the test. */
export const startScriptedPrinter = (script: Script): Promise<string> =>
  startHttp(async (request, response) => {
    const { message } = decodeMessage(await buffer(request));
    answer(response, message, script(message, operationOf(message)));
  });

export function answer(response: ServerResponse, request: Message, said: ScriptedAnswer): void {
  const { status = 'successful-ok', groups = [] } = said;
  const { version, requestId } = request;
  response.setHeader('content-type', 'application/ipp');
  response.end(encodeMessage({ version, requestId, code: statusCodes[status], groups }));
}

export const operationOf = ({ code }: Message): Operation | undefined =>
  Object.keys(operations)
    .filter((name): name is Operation => name in operations)
    .find((name) => operations[name] === code);

/** With an identity it speaks TLS: `ipps://localhost:…`. */
export async function startHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  identity?: TlsIdentity,
): Promise<string> {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await handle(request, response);
    } catch {
      // The other side broke off; what that means is tested there.
      response.destroy();
    }
  }
  const listener: RequestListener = (request, response) => void respond(request, response);
  const server = identity ? createTlsServer({ ...identity }, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return identity
    ? `ipps://localhost:${address.port}/ipp/print`
    : `ipp://127.0.0.1:${address.port}/ipp/print`;
}
