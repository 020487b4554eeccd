/**
 * Calls to one server, each made exactly once, under our own rate limit, with limited answers (INVARIANTS.md D5, T23,
 * T25). Every status is an answer: its meaning is decided elsewhere. An answer that is cut, too large or packed without
 * request rejects with a `Problem`.
 */
import type { Dispatcher } from 'undici';
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { statusProblem } from './classify.ts';
import type { Ends, HttpRequest, OpenAnswer } from './exchange.ts';
import { abortFailure, exchange } from './exchange.ts';
import type { Body, StreamedBody } from './form.ts';
import type { Gate, Reachability } from './gate.ts';
import type { Answer, Headers } from './json.ts';
import { headerOf, nonsense } from './json.ts';
import type { Limiter, Urgency } from './limiter.ts';
import type { OnEntry } from './list-split.ts';
import { collectList } from './list-split.ts';
import { watchPace } from './pace.ts';

export interface Call {
  readonly method: HttpRequest['method'];
  /** Below the server's base, beginning with a slash; with the query. */
  readonly path: string;
  /** Stands in messages instead of a path that holds the name or number of a person. */
  readonly shownPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Instead of `body`. */
  readonly flow?: StreamedBody;
  /** `answerLimits.single` by default. */
  readonly largestAnswer?: number;
  /** Set for a list of any length: each entry is given here; `body` has the rest. */
  readonly onEntry?: OnEntry;
  readonly brokenOff?: HttpRequest['brokenOff'];
  /** `background` by default. */
  readonly urgency?: Urgency;
}

/** Bytes (T23). */
export const answerLimits = { single: 64 * 1024, list: 4 * 1024 * 1024 } as const;

/** The time until a list begins, as long as for any background call; after that the pace decides. */
const listBegins = seconds(30);

export interface Transport extends AsyncDisposable {
  call(call: Call, options: CallOptions): Promise<Answer>;
  open(call: Call, ends: Ends): Promise<OpenAnswer>;
}

export interface TransportDeps extends Pick<Env, 'clock' | 'log'> {
  readonly base: URL;
  readonly dispatcher: Dispatcher;
  readonly limiter: Limiter;
  readonly gate: Gate;
  /** Gets the head of each answer. */
  readonly serviceClock: { heard(headers: Headers): void };
  readonly userAgent: string;
  /** `close` makes a connection for each call, so that none is lost on a connection that died without notice. */
  readonly connection: HttpRequest['connection'];
}

interface Admitted {
  readonly request: HttpRequest;
  readonly urgency: Urgency;
}

export const createTransport = (deps: TransportDeps): Transport => new TransportToServer(deps);

class TransportToServer implements Transport {
  readonly #deps: TransportDeps;
  readonly #prefix: string;

  constructor(deps: TransportDeps) {
    this.#deps = deps;
    this.#prefix = deps.base.pathname.replace(/\/$/, '');
  }

  async open(call: Call, ends: Ends): Promise<OpenAnswer> {
    const admitted = this.#admit(call);
    return this.#noted(admitted, this.#begin(admitted, ends));
  }

  async call(call: Call, { signal }: CallOptions): Promise<Answer> {
    const admitted = this.#admit(call);
    if (call.onEntry) return this.#noted(admitted, this.#list(admitted, signal, call.onEntry));
    const begun = this.#begin(admitted, { whole: signal, beginning: signal });
    const largest = call.largestAnswer ?? answerLimits.single;
    return this.#noted(
      admitted,
      begun.then((answer) => collect(answer, largest)),
    );
  }

  async #list(admitted: Admitted, whole: AbortSignal, onEntry: OnEntry): Promise<Answer> {
    const { clock } = this.#deps;
    const answer = await this.#begin(admitted, { whole, beginning: clock.deadline(listBegins, whole) });
    if (answer.status >= 300) return collect(answer, answerLimits.single);
    watchPace(answer, clock);
    return collectList(answer, onEntry);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#deps.dispatcher.destroy();
  }

  #admit(call: Call): Admitted {
    const request = this.#requestOf(call);
    const { urgency = 'background' } = call;
    this.#deps.gate.pass(request.call, urgency);
    return { request, urgency };
  }

  #requestOf({ method, path, shownPath = path, headers, body, flow, brokenOff }: Call): HttpRequest {
    const { base, userAgent, connection } = this.#deps;
    return {
      // With the host, because the log may be about several servers, or a proxy between.
      call: `${method} ${base.host}${shownPath}`,
      origin: base.origin,
      method,
      path: this.#prefix + path,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': body.type }),
        ...(flow && { 'content-type': flow.type, 'content-length': String(flow.length) }),
        ...headers,
      },
      ...(body && { body: body.bytes }),
      ...(flow && { body: flow.stream }),
      ...(brokenOff === undefined ? {} : { brokenOff }),
      connection,
    };
  }

  async #begin({ request, urgency }: Admitted, ends: Ends): Promise<OpenAnswer> {
    const { limiter, dispatcher, serviceClock } = this.#deps;
    try {
      await limiter(urgency, { signal: ends.beginning });
    } catch (error) {
      throw abortFailure({ call: request.call, error, stage: 'connecting' });
    }
    const answer = { call: request.call, ...(await exchange(dispatcher, request, ends)) };
    serviceClock.heard(answer.headers);
    const fault = answer.status < 300 ? faultOfHead(answer, request.method) : undefined;
    if (fault === undefined) return answer;
    answer.body.destroy();
    throw fault;
  }

  /** For a download only its beginning counts; the release handles a later break. */
  async #noted<A extends Answer | OpenAnswer>({ urgency }: Admitted, coming: Promise<A>): Promise<A> {
    const { clock, log, gate } = this.#deps;
    const since = clock.monotonic();
    const took = () => Math.round(clock.monotonic() - since);
    try {
      const answer = await coming;
      log.debug('cloud call', { call: answer.call, status: answer.status, milliseconds: took() });
      gate.heard(reachabilityOf(answer, clock.now()), urgency);
      return answer;
    } catch (error) {
      if (error instanceof Problem) {
        log.debug('cloud call failed', { code: error.code, detail: error.message, milliseconds: took() });
        gate.heard(error, urgency);
      }
      throw error;
    }
  }
}

function reachabilityOf(answer: Answer | OpenAnswer, now: number): Reachability {
  // A 503 to a document is about the computer that stores it (src/cloud/README.md 7).
  if (answer.status === 503 && !Buffer.isBuffer(answer.body)) return 'up';
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.alloc(0);
  const problem = statusProblem({ ...answer, body }, 'key', now);
  return problem?.code === 'cloud-protocol' || (problem?.code === 'cloud-busy' && answer.status >= 500)
    ? problem
    : 'up';
}

function faultOfHead(answer: OpenAnswer, method: Call['method']): Problem | undefined {
  const encoding = headerOf(answer.headers, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    return nonsense(answer, 'the answer is packed, which was not asked for');
  }
  // Without a length or chunks a cut body would pass for a complete one.
  const framed = 'content-length' in answer.headers || 'transfer-encoding' in answer.headers;
  return framed || answer.status === 204 || method === 'HEAD'
    ? undefined
    : nonsense(answer, 'the answer does not tell its length');
}

/** Reads the body to its end. The status of a refusal counts even if its body fails. */
export async function collect(answer: OpenAnswer, largest: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > largest) throw nonsense(answer, `the answer is larger than ${largest} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (answer.status < 300 || !(error instanceof Problem)) throw error;
  }
  const { call, status, headers } = answer;
  const body = Buffer.concat(chunks);
  for (const chunk of chunks) chunk.fill(0);
  return { call, status, headers, body };
}
