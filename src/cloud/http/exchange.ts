/**
 * One request and the beginning of its answer over undici. Nothing is repeated, and no redirect is followed. It uses
 * `dispatch`, because only that shows when a connection was made, on which `delivery` depends; and `request` does not
 * notice an abort while it connects.
 */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import type { Fault, Stage } from './classify.ts';
import { faultProblem } from './classify.ts';
import type { Headers } from './json.ts';
import { isTimeout } from './network-fault.ts';

export interface HttpRequest {
  /** Method and path, for messages. */
  readonly call: string;
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable;
  readonly connection: 'keep-alive' | 'close';
  /** The code for an answer that breaks off; `cloud-protocol` by default. */
  readonly brokenOff?: ProblemCode;
  /** The section of the configuration with the address of the other side; `cloud` by default. */
  readonly section?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Fails with a `Problem` when the answer breaks off. */
  readonly body: Readable;
  /** Bytes of the body that have come in so far. */
  received(): number;
}

/** An answer whose body is still to be read. */
export interface OpenAnswer extends HttpAnswer {
  readonly call: string;
}

/** `whole` ends the exchange at any time, `beginning` only until the answer begins. */
export interface Ends {
  readonly whole: AbortSignal;
  readonly beginning: AbortSignal;
}

/**
 * A deadline that ran out is a fault like others. Any other abort is the caller's own, and is passed back unchanged.
 */
export function abortFailure(fault: Fault): Error {
  if (isTimeout(fault.error)) return faultProblem(fault);
  return fault.error instanceof Error ? fault.error : new Error('aborted', { cause: fault.error });
}

export const exchange = (dispatcher: Dispatcher, request: HttpRequest, ends: Ends): Promise<HttpAnswer> =>
  new Exchange(request, ends).begin(dispatcher);

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #ends: Ends;
  readonly #begun = Promise.withResolvers<HttpAnswer>();
  #stage: Stage = 'connecting';
  #connection: Dispatcher.DispatchController | undefined;
  #body: Readable | undefined;
  #received = 0;

  constructor(request: HttpRequest, ends: Ends) {
    this.#request = request;
    this.#ends = ends;
  }

  begin(dispatcher: Dispatcher): Promise<HttpAnswer> {
    this.#ends.whole.addEventListener('abort', this.#onAbort);
    this.#ends.beginning.addEventListener('abort', this.#onAbort);
    if (isOver(this.#ends)) this.#onAbort();
    else {
      const { origin, method, path, headers, body = null, connection } = this.#request;
      dispatcher.dispatch({ origin, method, path, headers, body, reset: connection === 'close' }, this);
    }
    return this.#begun.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#connection = controller;
    if (isOver(this.#ends)) controller.abort(new Error('no longer wanted'));
    else this.#stage = 'sent';
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#stage = 'answering';
    const { beginning, whole } = this.#ends;
    if (beginning !== whole) beginning.removeEventListener('abort', this.#onAbort);
    const body = bodyOf(controller);
    this.#body = body;
    body.once('close', () => this.#unhook());
    this.#begun.resolve({ status, headers, body, received: () => this.#received });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    // undici, when it goes on after a pause, may give an empty one.
    if (chunk.length > 0 && this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.push(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(faultProblem(this.#faultBy(error)));
  }

  readonly #onAbort = (): void => {
    const { whole, beginning } = this.#ends;
    const failure = abortFailure(this.#faultBy((whole.aborted ? whole : beginning).reason));
    this.#fail(failure);
    this.#connection?.abort(failure);
  };

  #fail(failure: Error): void {
    this.#unhook();
    if (this.#body) this.#body.destroy(failure);
    else this.#begun.reject(failure);
  }

  #faultBy(error: unknown): Fault {
    const { call, brokenOff, section } = this.#request;
    return {
      call,
      error,
      stage: this.#stage,
      ...(brokenOff === undefined ? {} : { brokenOff }),
      ...(section === undefined ? {} : { section }),
    };
  }

  #unhook(): void {
    this.#ends.whole.removeEventListener('abort', this.#onAbort);
    this.#ends.beginning.removeEventListener('abort', this.#onAbort);
  }
}

const isOver = (ends: Ends): boolean => ends.whole.aborted || ends.beginning.aborted;

/**
 * Chunks of at most 64 KiB that wait for their reader before the connection is paused. Each pause makes undici give the
 * socket its chunk back and parse once more, and a stream of octets would join those that wait into a new buffer.
 */
const chunksWaiting = 4;

function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    objectMode: true,
    highWaterMark: chunksWaiting,
    read: () => controller.resume(),
    destroy(error, done) {
      if (!this.readableEnded) controller.abort(error ?? new Error('not read to its end'));
      done(error);
    },
  });
  // If a body fails before it is read, it keeps the error for its reader. Without this listener the error would end the
  // process.
  body.on('error', () => undefined);
  return body;
}
