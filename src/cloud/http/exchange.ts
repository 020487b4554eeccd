/**
 * One request and the beginning of its answer over undici. Nothing is repeated, no redirect followed. It stands on
 * `dispatch` and not on `request`, because only there one learns when a connection was made, on which the truth of
 * `delivery` rests, and because `request` does not notice an abort while it is still connecting.
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
  readonly body?: Buffer;
  readonly connection: 'keep-alive' | 'close';
  /** What an answer that breaks off is called; `cloud-protocol` unless said. */
  readonly brokenOff?: ProblemCode;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Fails with a `Problem` when the answer breaks off. */
  readonly body: Readable;
  /** Bytes of the body that have come in so far. */
  received(): number;
}

/** `whole` ends the exchange at any time, `beginning` only until the answer begins. */
export interface Ends {
  readonly whole: AbortSignal;
  readonly beginning: AbortSignal;
}

/** A deadline that ran out is a fault like others; any other abort is the caller's own word and goes back as it is. */
export function abortFailure(fault: Fault): Error {
  if (isTimeout(fault.error)) return faultProblem(fault);
  return fault.error instanceof Error ? fault.error : new Error('aborted', { cause: fault.error });
}

export function exchange(dispatcher: Dispatcher, request: HttpRequest, ends: Ends): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  let stage: Stage = 'connecting';
  let connection: Dispatcher.DispatchController | undefined;
  let body: Readable | undefined;
  let received = 0;

  const faultBy = (error: unknown): Fault => ({
    call: request.call,
    error,
    stage,
    ...(request.brokenOff === undefined ? {} : { brokenOff: request.brokenOff }),
  });
  const fail = (failure: Error): void => {
    unhook();
    if (body) body.destroy(failure);
    else reject(failure);
  };
  const onAbort = (): void => {
    const failure = abortFailure(faultBy((ends.whole.aborted ? ends.whole : ends.beginning).reason));
    fail(failure);
    connection?.abort(failure);
  };
  const unhook = (): void => {
    ends.whole.removeEventListener('abort', onAbort);
    ends.beginning.removeEventListener('abort', onAbort);
  };
  ends.whole.addEventListener('abort', onAbort);
  ends.beginning.addEventListener('abort', onAbort);
  if (isOver(ends)) {
    onAbort();
    return promise;
  }

  const { origin, method, path, headers } = request;
  dispatcher.dispatch(
    { origin, method, path, headers, body: request.body ?? null, reset: request.connection === 'close' },
    {
      onRequestStart(controller) {
        connection = controller;
        if (isOver(ends)) controller.abort(new Error('no longer wanted'));
        else stage = 'sent';
      },
      onResponseStart(controller, status, answerHeaders) {
        if (status < 200) return;
        stage = 'answering';
        if (ends.beginning !== ends.whole) ends.beginning.removeEventListener('abort', onAbort);
        body = bodyOf(controller);
        body.once('close', unhook);
        resolve({ status, headers: answerHeaders, body, received: () => received });
      },
      onResponseData(controller, chunk) {
        received += chunk.length;
        if (body?.push(chunk) === false) controller.pause();
      },
      onResponseEnd() {
        body?.push(null);
      },
      onResponseError(_, error) {
        fail(faultProblem(faultBy(error)));
      },
    },
  );
  return promise;
}

const isOver = (ends: Ends): boolean => ends.whole.aborted || ends.beginning.aborted;

function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      if (!this.readableEnded) controller.abort(error ?? new Error('not read to its end'));
      done(error);
    },
  });
  // A body that fails while nobody reads it keeps its error for its reader, and ends nobody else.
  body.on('error', () => undefined);
  return body;
}
