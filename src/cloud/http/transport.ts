/**
 * Calls to one server under our own rate limit, with limited answers (INVARIANTS.md D5, T23, T25). Each is made exactly
 * once, unless the service has refused it with 429. Every status is an answer: its meaning is decided elsewhere. An
 * answer that is cut, too large or packed without request rejects with a `Problem`.
 */
import type { Dispatcher } from 'undici';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { retryAfterOf, statusProblem } from './classify.ts';
import type { Ends, HttpRequest, OpenAnswer } from './exchange.ts';
import { abortFailure, exchange } from './exchange.ts';
import type { Body, StreamedBody } from './form.ts';
import type { Gate, Reachability } from './gate.ts';
import type { Answer, Headers } from './json.ts';
import { headerOf, nonsense } from './json.ts';
import type { Limiter, Turn, Urgency, Wish } from './limiter.ts';
import type { OnEntry } from './list-split.ts';
import { collectList } from './list-split.ts';
import { isTimeout } from './network-fault.ts';
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
  /** The person whose call it is: the calls of several persons take turns. */
  readonly party?: object;
  /** A second call does no harm, as for every GET. */
  readonly isRepeatable?: boolean;
}

/** Bytes (T23). */
export const answerLimits = { single: 64 * 1024, list: 4 * 1024 * 1024 } as const;

/** The time until a list begins, as long as for any background call; after that the pace decides. */
const listBegins = seconds(30);

export interface LimitWatch {
  waited(urgency: Urgency, span: Duration): void;
  refused(): void;
}

export interface Transport extends AsyncDisposable {
  call(call: Call, options: CallOptions): Promise<Answer>;
  open(call: Call, ends: Ends): Promise<OpenAnswer>;
}

export interface TransportDeps extends Pick<Env, 'clock' | 'log'> {
  readonly base: URL;
  readonly dispatcher: Dispatcher;
  readonly limiter: Limiter;
  readonly gate: Gate;
  /** Gets, for each call that went out, how long it has waited for the limit, and each 429. */
  readonly limitWatch?: LimitWatch;
  /** Gets the head of each answer. */
  readonly serviceClock: { heard(headers: Headers): void };
  readonly userAgent: string;
  /** `close` makes a connection for each call, so that none is lost on a connection that died without notice. */
  readonly connection: HttpRequest['connection'];
}

interface Admitted {
  readonly request: HttpRequest;
  readonly wish: Wish;
  readonly isRepeatable: boolean;
  /** A call that got no turn was not sent, so it says nothing about the server. */
  wasSent: boolean;
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
    const { gate, limiter } = this.#deps;
    const request = this.#requestOf(call);
    const {
      urgency = 'background',
      party,
      isRepeatable = call.method === 'GET' || call.method === 'HEAD',
    } = call;
    gate.pass(request.call, urgency);
    if (urgency === 'background') refuseAtRest(request.call, limiter.restLeft());
    return { request, wish: { urgency, party }, isRepeatable, wasSent: false };
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

  async #begin(admitted: Admitted, ends: Ends): Promise<OpenAnswer> {
    const answer = await this.#answerWithinLimit(admitted, ends);
    const fault = answer.status < 300 ? faultOfHead(answer, admitted.request.method) : undefined;
    if (fault === undefined) return answer;
    answer.body.destroy();
    throw fault;
  }

  /**
   * A service that answers 429 has not acted (RFC 6585 section 4). A person's call that may be repeated waits as long as
   * the service wants, and goes again, at most three times in all (INVARIANTS.md B.3).
   */
  async #answerWithinLimit(admitted: Admitted, ends: Ends): Promise<OpenAnswer> {
    const { limiter, clock, limitWatch } = this.#deps;
    const { request, wish, isRepeatable } = admitted;
    let waited = 0;
    for (let tries = 1; ; tries += 1) {
      const since = clock.monotonic();
      const turn = await this.#turn(admitted, ends, tries > 1);
      waited += clock.monotonic() - since;
      const answer = await this.#exchange(request, ends);
      const rest = answer.status === tooManyRequests ? restAfter(answer, clock.now()) : undefined;
      if (rest !== undefined) {
        limiter.refused(turn, rest);
        limitWatch?.refused();
        if (wish.urgency === 'person' && isRepeatable && tries < mostTries && rest < longestRest) {
          await this.#rest(rest, answer, ends);
          waited += rest;
          continue;
        }
      }
      limitWatch?.waited(wish.urgency, milliseconds(waited));
      return answer;
    }
  }

  async #turn(admitted: Admitted, ends: Ends, isAgain: boolean): Promise<Turn> {
    const { request, wish } = admitted;
    try {
      const turn = await this.#deps.limiter.turn({ ...wish, isAgain }, { signal: ends.beginning });
      admitted.wasSent = true;
      return turn;
    } catch (error) {
      if (!isTimeout(error)) throw abortFailure({ call: request.call, error, stage: 'connecting' });
      const message = `${request.call}: not sent, it got no turn within cloud.limits in time`;
      throw new Problem('cloud-busy', message, { cause: error, delivery: 'not-sent' });
    }
  }

  async #exchange(request: HttpRequest, ends: Ends): Promise<OpenAnswer> {
    const { dispatcher, serviceClock } = this.#deps;
    const answer = { call: request.call, ...(await exchange(dispatcher, request, ends)) };
    serviceClock.heard(answer.headers);
    return answer;
  }

  async #rest(rest: Duration, refusal: OpenAnswer, { beginning: signal }: Ends): Promise<void> {
    const { clock } = this.#deps;
    const problem = statusProblem(await collect(refusal, answerLimits.single), 'key', clock.now());
    try {
      await clock.sleep(rest, { signal });
    } catch (error) {
      // When the time is up, the refusal is the answer.
      throw isTimeout(error) ? problem : error;
    }
  }

  /** For a download only its beginning counts; the release handles a later break. */
  async #noted<A extends Answer | OpenAnswer>(admitted: Admitted, coming: Promise<A>): Promise<A> {
    const { clock, log, gate } = this.#deps;
    const { urgency } = admitted.wish;
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
        if (admitted.wasSent) gate.heard(error, urgency);
      }
      throw error;
    }
  }
}

/** RFC 6585 section 4. */
const tooManyRequests = 429;
const mostTries = 3;
/** A person's call is not repeated after a longer one. */
const longestRest = seconds(10);
/** After a 429 without Retry-After. */
const usualRest = seconds(1);
/** A call that can wait does so in line for this long at most; for longer its caller waits. */
const longestInLine = seconds(5);

const restAfter = ({ headers }: OpenAnswer, now: number): Duration => retryAfterOf(headers, now) ?? usualRest;

function refuseAtRest(call: string, rest: Duration): void {
  if (rest <= longestInLine) return;
  throw new Problem('cloud-busy', `${call}: not sent, the service answered 429 and wants a rest`, {
    delivery: 'not-sent',
    retryAfter: rest,
  });
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
