/**
 * One printer's HTTP: an IPP request goes out in a POST, its answer comes back (RFC 8010 section 4). Never repeats a
 * request but to log in, never follows a redirect, always sends content-length, believes no more than 4 MiB. What the
 * answer means is `ipp-client.ts`. Every failure is a `Problem` whose `delivery` tells whether the printer may have
 * acted on it.
 */
import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import { buildConnector, Pool } from 'undici';
import { inSeconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Delivery, ProblemOptions } from '../../domain/problem.ts';
import { asProblem, Problem } from '../../domain/problem.ts';
import { decodeMessage } from '../../ipp/decode.ts';
import { encodeMessage } from '../../ipp/encode.ts';
import type { Message } from '../../ipp/message.ts';
import { DecodeError, limits } from '../../ipp/octet-reader.ts';
import type { Acquaintance } from './acquaintance.ts';
import type { HttpLogin, Post } from './http-login.ts';
import type { IppAddress } from './ipp-address.ts';
import { answerLimit, idleConnection } from '../timings.ts';

/** The document that follows a request. */
export interface RequestDocument {
  readonly length: number;
  /** Read once. An error in it breaks the request off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Outgoing extends CallOptions {
  readonly document?: RequestDocument;
}

export interface IppConnection extends AsyncDisposable {
  exchange(request: Message, outgoing: Outgoing): Promise<Message>;
  /** Shows the request without credentials, for a challenge that the next exchange can answer. */
  renewLogin(request: Message, call: CallOptions): Promise<void>;
}

export interface IppConnectionOptions {
  readonly address: IppAddress;
  /** Asked for where the address is one of `ipps`. */
  readonly secureContext: () => SecureContext;
  readonly acquaintance: Pick<Acquaintance, 'meet'>;
  readonly login: HttpLogin;
  /** How the host's name becomes addresses; the system's way unless said. */
  readonly lookup?: LookupFunction | undefined;
  /** A domain socket that is preferred to the address's host and port, whenever it is there. */
  readonly socketPath?: string | undefined;
}

export function ippConnection(options: IppConnectionOptions): IppConnection {
  const { address, secureContext, acquaintance, login, lookup, socketPath } = options;
  const isSecure = address.origin.startsWith('https:');
  const byHost = buildConnector({
    timeout: answerLimit,
    allowH2: false,
    ...(lookup ? { lookup } : {}),
    // Whether the certificate is accepted is judged at every connection, so none goes on from an earlier one.
    ...(isSecure ? { secureContext: secureContext(), rejectUnauthorized: false, maxCachedSessions: 0 } : {}),
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
    connect: (target, done) =>
      bySocket && existsSync(socketPath) ? bySocket(target, done) : byHost(target, met(acquaintance, done)),
  });

  /** Gives what `use` makes of the way to the printer; what fails on it tells whether the printer may have acted. */
  async function throughPost<Result>(
    request: Message,
    { signal, document }: Outgoing,
    use: (post: Post) => Promise<Result>,
  ): Promise<Result> {
    const head = encodeMessage(request);
    let delivery: Delivery = 'not-sent';
    // Pulled only when the connection stands: before that nothing can have reached the printer.
    async function* body() {
      delivery = 'perhaps';
      yield head;
      if (document) yield* document.bytes;
    }
    const post: Post = (authorization) => {
      // Whoever posts again has been told that nothing was done.
      delivery = 'not-sent';
      return pool.request({
        method: 'POST',
        path: address.path,
        headers: {
          'content-type': 'application/ipp',
          'content-length': String(head.length + (document?.length ?? 0)),
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: Readable.from(body(), { objectMode: false }),
        signal,
      });
    };
    try {
      return await use(post);
    } catch (cause) {
      throw cause instanceof Problem ? cause : noAnswer(cause, address.host, delivery);
    }
  }

  const exchange = (request: Message, outgoing: Outgoing): Promise<Message> =>
    throughPost(request, outgoing, async (post) => {
      const answer = await (outgoing.document ? login.requestOnce(post) : login.request(post));
      return readAnswer(answer, request.requestId, address.host);
    });

  const renewLogin = (request: Message, call: CallOptions): Promise<void> =>
    throughPost(request, call, (post) => login.renew(post));

  return { exchange, renewLogin, [Symbol.asyncDispose]: () => pool.destroy() };
}

/** Hands a connection on when the printer at its other end is the one it should be; else breaks it off. */
const met =
  (acquaintance: Pick<Acquaintance, 'meet'>, done: buildConnector.Callback): buildConnector.Callback =>
  (...[fault, socket]) => {
    if (fault) return done(fault, null);
    try {
      if (socket instanceof TLSSocket) acquaintance.meet(socket);
    } catch (refusal) {
      socket.destroy();
      return done(asProblem(refusal, 'printer-unreachable', 'the printer could not be recognised'), null);
    }
    done(null, socket);
  };

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
  const code =
    status === 403
      ? 'printer-denied'
      : status === 429 || status === 503
        ? 'printer-busy'
        : 'printer-protocol';
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
