/**
 * One printer's HTTP: an IPP request goes out in a POST, its answer comes back (RFC 8010 section 4). Never repeats a
 * request, never follows a redirect, always sends content-length, believes no more than 4 MiB. What the answer means
 * is `ipp-client.ts`. Every failure is a `Problem` whose `delivery` tells whether the printer may have acted on it.
 */
import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { buildConnector, Pool } from 'undici';
import { inSeconds } from '../core/duration.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { Delivery, ProblemOptions } from '../domain/problem.ts';
import { Problem } from '../domain/problem.ts';
import { decodeMessage } from '../ipp/decode.ts';
import { encodeMessage } from '../ipp/encode.ts';
import type { Message } from '../ipp/message.ts';
import { DecodeError, limits } from '../ipp/octet-reader.ts';
import type { IppAddress } from './ipp-address.ts';
import type { Trust } from './system-trust.ts';
import { answerLimit, idleConnection } from './timings.ts';

/** The document that follows a request. */
export interface RequestDocument {
  readonly length: number;
  /** Read once. An error in it breaks the request off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface IppConnection extends AsyncDisposable {
  exchange(
    request: Message,
    options: CallOptions & { readonly document?: RequestDocument },
  ): Promise<Message>;
}

export interface IppConnectionOptions {
  readonly address: IppAddress;
  readonly trust: Trust;
  /** How the host's name becomes addresses; the system's way unless said. */
  readonly lookup?: LookupFunction;
  /** A domain socket that is preferred to the address's host and port, whenever it is there. */
  readonly socketPath?: string;
}

export function ippConnection(options: IppConnectionOptions): IppConnection {
  const { address, trust, lookup, socketPath } = options;
  const isSecure = address.origin.startsWith('https:');
  const byHost = buildConnector({
    timeout: answerLimit,
    allowH2: false,
    ...(lookup ? { lookup } : {}),
    ...(isSecure ? { secureContext: trust() } : {}),
  });
  const bySocket = socketPath && buildConnector({ timeout: answerLimit, allowH2: false, socketPath });
  const pool = new Pool(address.origin, {
    allowH2: false,
    connections: 4,
    // undici's own limits are coarse; deadlines come with the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleConnection,
    // Looked for at each connection: the spooler may start after us.
    connect: (target, done) => (bySocket && existsSync(socketPath) ? bySocket : byHost)(target, done),
  });

  async function exchange(
    request: Message,
    { signal, document }: CallOptions & { readonly document?: RequestDocument },
  ): Promise<Message> {
    const head = encodeMessage(request);
    let delivery: Delivery = 'not-sent';
    // Pulled only when the connection stands: before that nothing can have reached the printer.
    async function* body() {
      delivery = 'perhaps';
      yield head;
      if (document) yield* document.bytes;
    }
    try {
      const answer = await pool.request({
        method: 'POST',
        path: address.path,
        headers: {
          'content-type': 'application/ipp',
          'content-length': String(head.length + (document?.length ?? 0)),
        },
        body: Readable.from(body(), { objectMode: false }),
        signal,
      });
      return await readAnswer(answer, request.requestId, address.host);
    } catch (cause) {
      throw cause instanceof Problem ? cause : noAnswer(cause, address.host, delivery);
    }
  }

  return { exchange, [Symbol.asyncDispose]: () => pool.destroy() };
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  requestId: number,
  host: string,
): Promise<Message> {
  const contentType = String(headers['content-type'] ?? 'nothing')
    .split(';', 1)[0]
    ?.toLowerCase();
  if (statusCode !== 200 || contentType !== 'application/ipp') {
    await body.dump();
    throw httpRefusal(statusCode, contentType, host);
  }
  // From here on the printer has acted: an answer that cannot be read leaves open what it did.
  const message = decodeAnswer(await readCapped(body), host);
  if (message.requestId !== requestId || message.version[0] < 1 || message.version[0] > 2) {
    throw senseless(`${host} answered another request or in another version of IPP`);
  }
  return message;
}

async function readCapped(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limits.octets) throw senseless(`an answer of more than ${limits.octets} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function decodeAnswer(octets: Buffer, host: string): Message {
  try {
    return decodeMessage(octets).message;
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw senseless(`${host} answered what is not IPP`, { cause });
  }
}

const senseless = (message: string, options: ProblemOptions = {}): Problem =>
  new Problem('printer-protocol', message, { ...options, delivery: 'perhaps' });

/** A 5xx may come from a printer that has acted; everything else is a clear no. */
function httpRefusal(status: number, contentType: string | undefined, host: string): Problem {
  const code = status === 429 || status === 503 ? 'printer-busy' : 'printer-protocol';
  return new Problem(code, `${host} answered HTTP ${status} with ${contentType} instead of IPP`, {
    status,
    delivery: status >= 500 && status !== 503 ? 'perhaps' : 'answered',
  });
}

const certificateFault = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/;

function noAnswer(cause: unknown, host: string, delivery: Delivery): Problem {
  const code = codeOf(cause);
  const reasons = code === undefined ? [] : [code];
  if (code !== undefined && certificateFault.test(code)) {
    return new Problem('printer-unreachable', `the certificate of ${host} is not accepted: ${code}`, {
      cause,
      delivery,
      reasons,
    });
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new Problem('printer-unreachable', `no answer from ${host} within ${inSeconds(answerLimit)} s`, {
      cause,
      delivery,
    });
  }
  return new Problem('printer-unreachable', `no answer from ${host}`, { cause, delivery, reasons });
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
