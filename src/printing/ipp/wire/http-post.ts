/**
 * One POST over a `printer-line.ts`, by Node's own client (RFC 9112). The client undici is not used: it breaks off when
 * a printer sends "100 Continue" unasked, but RFC 9110 section 15.2 tells clients to skip every interim answer. It
 * always sends content-length and follows no redirect. Once an octet was given to a connection, only a question is
 * repeated. The caller interprets the answer. The request and the answer are:
 *
 * +---------------------------------+      +---------------------------------+
 * |  POST path HTTP/1.1 CRLF        |      |  HTTP/1.1 100 Continue CRLF     |  any number of
 * |  host: ... CRLF                 |      |  CRLF                           |  interim answers, skipped
 * |  content-type: ... CRLF         |      +---------------------------------+
 * |  authorization: ... CRLF        |      |  HTTP/1.1 200 OK CRLF           |
 * |  content-length: n CRLF         |      |  headers, each with CRLF        |
 * |  CRLF                           |      |  CRLF                           |
 * +---------------------------------+      +---------------------------------+
 * |  body, n octets                 |      |  body                           |
 * +---------------------------------+      +---------------------------------+
 */
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { CallOptions } from '../../../domain/ports/call.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Turnstile } from '../../../core/turnstile.ts';
import type { ForThisLong, PrinterAgent } from './printer-line.ts';

export interface PostedBody {
  readonly length: number;
  /**
   * Called when a connection stands: before that nothing can have reached the printer. It is resumed after its last
   * value was handed to the connection.
   */
  readonly octets: () => AsyncIterable<Uint8Array>;
}

export interface HttpPost {
  /** `http://host:631`. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PostedBody;
  /** Throws if no octet may go over this connection. */
  readonly admit: (connection: Socket) => void;
  /**
   * The request changes nothing at the printer, so it is repeated once if a kept connection broke before an answer
   * began.
   */
  readonly isQuestion: boolean;
}

/** Disposing closes the connection if anything is left to send or to read on it. */
export interface HttpAnswer extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Leaving it early closes the connection. */
  readonly body: AsyncIterable<Buffer>;
}

/** Rejects with the signal's reason, with the error of the body, or with Node's error. */
export async function posted(
  { agent, places }: { readonly agent: PrinterAgent; readonly places: Turnstile },
  post: HttpPost,
  { signal }: CallOptions,
): Promise<HttpAnswer> {
  let mayAskAgain = post.isQuestion;
  for (;;) {
    const place = await places.enter({ signal });
    if (!post.isQuestion) agent.letGoOfUncertain();
    const request = open(agent, post, signal, place);
    try {
      return answerTo(request, await answered(request, post, signal));
    } catch (fault) {
      request.destroy();
      // The printer had closed the kept connection, and nothing was sent on it, so another connection is used.
      const isUnasked = fault instanceof GoneBefore;
      if (!isUnasked && (!request.reusedSocket || signal.aborted || !isBroken(fault))) throw fault;
      if (request.socket) agent.brokeOff(request.socket);
      if (isUnasked) continue;
      if (!mayAskAgain) throw fault;
      mayAskAgain = false;
    }
  }
}

/** The connection ended before an answer began. */
const isBroken = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && (fault.code === 'ECONNRESET' || fault.code === 'EPIPE');

function open(
  agent: PrinterAgent,
  { origin, path, headers, body }: HttpPost,
  over: AbortSignal,
  place: Disposable,
): ClientRequest {
  const { host } = new URL(origin);
  const options: RequestOptions & ForThisLong = {
    agent,
    method: 'POST',
    path,
    headers: { ...headers, host, 'content-length': String(body.length) },
    over,
  };
  try {
    const request = httpRequest(options);
    request.once('close', () => place[Symbol.dispose]());
    return request;
  } catch (fault) {
    place[Symbol.dispose]();
    throw fault;
  }
}

const answerTo = (request: ClientRequest, response: IncomingMessage): HttpAnswer => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  body: response,
  [Symbol.dispose]() {
    if (!response.complete || !request.writableEnded) request.destroy();
  },
});

/** The same code that Node gives when the connection closes a moment later. */
const closed = () => Object.assign(new Error('closed at once'), { code: 'ECONNRESET' });

class GoneBefore extends Error {}

/** No printer sends more interim answers than this (RFC 9110 section 15.2). */
const mostInterims = 64;

/** Resolves at the final answer. If the printer answers early, the rest of the body is not sent. */
function answered(
  request: ClientRequest,
  { body, admit }: HttpPost,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    const giveUp = () => {
      request.destroy();
      fail(signal.reason);
    };
    const fail = (fault: unknown) => {
      const isGone = request.reusedSocket && !hasBegun && !signal.aborted;
      reject(isGone ? new GoneBefore('closed while idle', { cause: fault }) : (fault as Error));
    };
    // A listener for every error; after the first, errors bring no news.
    request.on('error', fail);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    request.once('close', () => signal.removeEventListener('abort', giveUp));
    let interims = 0;
    request.on('information', () => {
      interims += 1;
      if (interims <= mostInterims) return;
      const endless = `more than ${mostInterims} interim answers, and no answer`;
      fail(new Problem('printer-protocol', endless, { delivery: 'perhaps' }));
      request.destroy();
    });
    request.once('response', (response) => {
      // An answer before the request is the printer's goodbye to an idle connection.
      if (hasBegun) resolve(response);
      else fail(new Error('answered before it was asked'));
    });
    // No other protocol was asked for (RFC 9110 section 15.2.2).
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new Error('the printer changed the protocol'));
    });
    request.once('socket', () => {
      void (async () => {
        try {
          // A goodbye that has already arrived is read before anything is sent.
          if (request.reusedSocket) await new Promise(setImmediate);
          if (request.destroyed || request.socket?.writable !== true) return fail(closed());
          hasBegun = true;
          admit(request.socket);
          await pour(request, body);
        } catch (fault) {
          fail(fault);
          request.destroy();
        }
      })();
    });
  });
}

/** Rejects only with an error of the body; the request itself reports errors of the connection. */
async function pour(request: ClientRequest, { length, octets }: PostedBody): Promise<void> {
  let given = 0;
  for await (const chunk of octets()) {
    given += chunk.length;
    if (given > length) throw new Error(`the body is longer than the ${length} octets announced`);
    if (request.destroyed) return;
    if (!request.write(chunk)) await drained(request);
    if (request.destroyed) return;
  }
  if (given < length) throw new Error(`the body ended at ${given} of ${length} octets`);
  request.end();
}

const drained = (request: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      request.off('drain', go);
      request.off('close', go);
      resolve();
    };
    request.once('drain', go);
    request.once('close', go);
  });
