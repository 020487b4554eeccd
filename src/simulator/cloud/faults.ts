/**
 * Faults that a test orders from the simulated cloud (INVARIANTS.md B.4, the standard set), and their form on the wire.
 * A fault marked *acts* carries out the call before it spoils the answer.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { httpDate } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Answer } from './call.ts';

/** A path given as a string matches every call whose path ends with it. */
interface Match {
  readonly method?: string;
  readonly path: string | RegExp;
  /** Only calls with this user's token. */
  readonly user?: string;
}

/** The properties of a call that select its fault. */
interface Arrival {
  readonly method: string;
  readonly path: string;
  /** Absent if the call has no user's token. */
  readonly user?: string;
}

export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Adds a Retry-After as a date, this long after now (RFC 9110 section 10.2.3). */
      readonly retryAt?: Duration;
    }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The connection stays open without an answer. */
  | { readonly kind: 'never' }
  | { readonly kind: 'reset' }
  /** Acts, then resets the connection. */
  | { readonly kind: 'answer-lost' }
  /** Acts; answers 200 without a body. */
  | { readonly kind: 'empty' }
  /** Acts; answers in XML, although JSON was requested. */
  | { readonly kind: 'xml' }
  /** Acts; answers JSON of an unrelated form. */
  | { readonly kind: 'wrong-schema' }
  /** Acts; compresses the answer, although the client did not offer this. */
  | { readonly kind: 'gzip' }
  /** Acts; sends only the first half of the body, as if it were whole. */
  | { readonly kind: 'malformed-json' }
  /** Acts; Content-Length is larger than the bytes that come before the connection breaks. */
  | { readonly kind: 'cut-body'; readonly afterBytes: number }
  /** Acts; a chunked body breaks off. */
  | { readonly kind: 'cut-chunk'; readonly afterBytes: number }
  /** Acts; without Content-Length and chunks, the connection ends in order before the end of the body. */
  | { readonly kind: 'cut-without-length'; readonly afterBytes: number }
  /** Acts; puts this many blanks before the body. It is still JSON, but huge. 10 MB by default. */
  | { readonly kind: 'huge-body'; readonly bytes?: number }
  /** Acts; sends more bytes after the body. */
  | { readonly kind: 'trailing-bytes' }
  /** Acts; sends the whole answer after the wait. */
  | { readonly kind: 'slow-headers'; readonly wait: Duration }
  /** Acts; sends the whole answer when the promise resolves. */
  | { readonly kind: 'held-headers'; readonly until: Promise<void> }
  /** Acts; sends the body byte by byte. */
  | { readonly kind: 'slow-body'; readonly everyByte: Duration };

const withoutEffect = ['status', 'redirect', 'never', 'reset'] as const;

/** Whether the call is carried out before its answer is spoilt. */
export const acts = (fault: Fault): boolean => !withoutEffect.some((kind) => kind === fault.kind);

/** Whether the client gets the complete answer, only late. */
export const keepsWhole = (fault: Fault): boolean =>
  fault.kind === 'slow-headers' || fault.kind === 'held-headers' || fault.kind === 'slow-body';

export interface PlannedFault {
  readonly match: Match;
  readonly fault: Fault;
  /** The number of calls that it will still meet. */
  readonly left: number | 'always';
}

/** The orders of a test. */
export interface FaultOrders {
  /** For the next matching call, or for so many of them. Faults for the same call queue up. */
  answerNext(match: Match, fault: Fault, options?: { times?: number }): void;
  /** For every matching call. Returns a function that ends it. */
  always(match: Match, fault: Fault): () => void;
  /** Removes all faults. */
  behaveWell(): void;
  /** The faults that are still in force. */
  plannedFaults(): readonly PlannedFault[];
}

export interface Faults {
  readonly orders: FaultOrders;
  /** The fault for this call, taken from the queue. */
  take(arrival: Arrival): Fault | undefined;
}

export function createFaults(): Faults {
  let planned: { match: Match; fault: Fault; left: number | 'always' }[] = [];
  const remove = (one: object) => {
    planned = planned.filter((other) => other !== one);
  };
  const orders: FaultOrders = {
    answerNext(match, fault, { times = 1 } = {}) {
      if (times > 0) planned.push({ match, fault, left: times });
    },
    always(match, fault) {
      const plan = { match, fault, left: 'always' } as const;
      planned.push(plan);
      return () => remove(plan);
    },
    behaveWell() {
      planned = [];
    },
    plannedFaults: () => [...planned],
  };
  return {
    orders,
    take(arrival) {
      const plan = planned.find(({ match }) => meets(match, arrival));
      if (plan && plan.left !== 'always') {
        plan.left -= 1;
        if (plan.left === 0) remove(plan);
      }
      return plan?.fault;
    },
  };
}

function meets(match: Match, { method, path, user }: Arrival): boolean {
  if (match.method !== undefined && match.method !== method) return false;
  if (match.user !== undefined && match.user !== user) return false;
  return typeof match.path === 'string' ? path.endsWith(match.path) : match.path.test(path);
}

interface Sending {
  readonly response: ServerResponse;
  readonly clock: Clock;
}

/**
 * Sends the whole answer. All headers are passed at once, because each header that is set separately costs a small call
 * a twentieth of its time.
 */
export function deliver({ response, clock }: Sending, { status, type, headers, body }: Answer): void {
  const head: Record<string, string | number> = { date: dateAt(clock.now()) };
  if (type !== undefined) head['content-type'] = type;
  if (headers) Object.assign(head, headers);
  head['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, head);
  response.end(body);
}

let lastDate = { second: Number.NaN, text: '' };

/** The text is made once per second. */
function dateAt(wall: number): string {
  const second = Math.floor(wall / 1000);
  if (second !== lastDate.second) lastDate = { second, text: httpDate(wall) };
  return lastDate.text;
}

/** Sends the spoilt answer. `answer` is `undefined` if the call was not carried out. */
export async function spoil(to: Sending, fault: Fault, answer: Answer | undefined): Promise<void> {
  const { response, clock } = to;
  const real = answer
    ? { ...answer, body: Buffer.from(answer.body) }
    : { status: 200, body: Buffer.alloc(0) };
  response.setHeader('date', httpDate(clock.now()));
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, {
        ...fault.headers,
        ...(fault.retryAt === undefined ? {} : { 'retry-after': httpDate(clock.now() + fault.retryAt) }),
      });
      response.end(fault.body);
      return;
    case 'redirect':
      response.writeHead(302, { location: fault.to });
      response.end();
      return;
    case 'never':
      return;
    case 'reset':
    case 'answer-lost':
      return reset(response);
    case 'empty':
      return deliver(to, { ...real, body: Buffer.alloc(0) });
    case 'xml':
      return deliver(to, { status: real.status, type: 'application/xml', body: Buffer.from(someXml) });
    case 'wrong-schema':
      return deliver(to, { ...real, type: 'application/json', body: Buffer.from('{"weather":["rain"]}') });
    case 'gzip':
      return deliver(to, {
        ...real,
        headers: { ...real.headers, 'content-encoding': 'gzip' },
        // Loaded on use, to keep the start short.
        body: process.getBuiltinModule('node:zlib').gzipSync(real.body),
      });
    case 'malformed-json':
      return deliver(to, { ...real, body: real.body.subarray(0, Math.ceil(real.body.length / 2)) });
    case 'huge-body': {
      const blanks = Buffer.alloc(fault.bytes ?? 10_000_000, ' ');
      return deliver(to, { ...real, body: Buffer.concat([blanks, real.body]) });
    }
    case 'trailing-bytes':
      return deliver(to, { ...real, body: Buffer.concat([real.body, Buffer.from('}{ and more')]) });
    case 'cut-body':
      response.writeHead(real.status, { ...headersOf(real), 'content-length': real.body.length });
      return breakOff(response, real.body.subarray(0, fault.afterBytes));
    case 'cut-chunk':
      response.writeHead(real.status, { ...headersOf(real), 'transfer-encoding': 'chunked' });
      return breakOff(response, real.body.subarray(0, fault.afterBytes));
    case 'cut-without-length':
      response.useChunkedEncodingByDefault = false;
      response.writeHead(real.status, { ...headersOf(real), connection: 'close' });
      response.end(real.body.subarray(0, fault.afterBytes));
      return;
    case 'slow-headers':
      await clock.sleep(fault.wait, { signal: closing(response) });
      return deliver(to, real);
    case 'held-headers':
      await fault.until;
      return deliver(to, real);
    case 'slow-body':
      return trickle(to, real, fault.everyByte);
  }
}

const headersOf = (answer: Answer): Record<string, string> => ({
  ...(answer.type === undefined ? {} : { 'content-type': answer.type }),
  ...answer.headers,
});

const someXml = '<?xml version="1.0" encoding="UTF-8"?><response><errorCode>0</errorCode></response>';

/** Resets by RST. TLS has no reset, so there the connection ends without close_notify. */
function reset({ socket }: ServerResponse): void {
  if (socket && 'encrypted' in socket) socket.destroy();
  else socket?.resetAndDestroy();
}

async function breakOff(response: ServerResponse, part: Buffer): Promise<void> {
  if (part.length > 0) await new Promise<void>((resolve) => response.write(part, () => resolve()));
  else response.flushHeaders();
  response.socket?.destroy();
}

async function trickle(
  { response, clock }: Sending,
  answer: Answer & { readonly body: Buffer },
  everyByte: Duration,
): Promise<void> {
  response.writeHead(answer.status, { ...headersOf(answer), 'content-length': answer.body.length });
  const gone = closing(response);
  for (const byte of answer.body) {
    if (!response.write(Buffer.of(byte))) await once(response, 'drain', { signal: gone });
    await clock.sleep(everyByte, { signal: gone });
  }
  response.end();
}

/** Aborts when the client goes, so that no wait continues without a client. */
function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
