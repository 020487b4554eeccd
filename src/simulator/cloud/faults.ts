/**
 * Faults that a test asks the simulated cloud for (INVARIANTS.md B.4, the standard set), and how each leaves on the
 * wire. Those marked *acts* do what the call asks before they spoil its answer.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { httpDate } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Answer } from './call.ts';

/** A path that is a string is met by every call whose path ends so. */
interface Match {
  readonly method?: string;
  readonly path: string | RegExp;
  /** Only calls with this user's token. */
  readonly user?: string;
}

/** What a call is known by when its fault is looked for. */
interface Arrival {
  readonly method: string;
  readonly path: string;
  /** Absent where it came without a user's token. */
  readonly user?: string;
}

export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Adds a Retry-After in its other form, a date so long after now (RFC 9110 section 10.2.3). */
      readonly retryAt?: Duration;
    }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The connection stays open and nothing comes. */
  | { readonly kind: 'never' }
  | { readonly kind: 'reset' }
  /** Acts, then resets. */
  | { readonly kind: 'answer-lost' }
  /** Acts; 200 without a body. */
  | { readonly kind: 'empty' }
  /** Acts; XML, though JSON was asked for. */
  | { readonly kind: 'xml' }
  /** Acts; JSON that is nothing of what the call answers. */
  | { readonly kind: 'wrong-schema' }
  /** Acts; compressed, though nobody offered to take that. */
  | { readonly kind: 'gzip' }
  /** Acts; the body's first half, as if it were whole. */
  | { readonly kind: 'malformed-json' }
  /** Acts; Content-Length tells of more than the bytes that come before the connection breaks. */
  | { readonly kind: 'cut-body'; readonly afterBytes: number }
  /** Acts; a chunked body that breaks off. */
  | { readonly kind: 'cut-chunk'; readonly afterBytes: number }
  /** Acts; neither Content-Length nor chunks, and the connection ends in order before the body does. */
  | { readonly kind: 'cut-without-length'; readonly afterBytes: number }
  /** Acts; the body behind so many blanks: still JSON, only huge. 10 MB by default. */
  | { readonly kind: 'huge-body'; readonly bytes?: number }
  /** Acts; more bytes after the body than it has. */
  | { readonly kind: 'trailing-bytes' }
  /** Acts; the whole answer, but only after the wait. */
  | { readonly kind: 'slow-headers'; readonly wait: Duration }
  /** The same, when it is let go. */
  | { readonly kind: 'held-headers'; readonly until: Promise<void> }
  /** Acts; the body a byte at a time. */
  | { readonly kind: 'slow-body'; readonly everyByte: Duration };

const withoutEffect = ['status', 'redirect', 'never', 'reset'] as const;

/** Whether the call is carried out before its answer is spoilt. */
export const acts = (fault: Fault): boolean => !withoutEffect.some((kind) => kind === fault.kind);

/** Whether the client gets the answer as it is, only late. */
export const keepsWhole = (fault: Fault): boolean =>
  fault.kind === 'slow-headers' || fault.kind === 'held-headers' || fault.kind === 'slow-body';

export interface PlannedFault {
  readonly match: Match;
  readonly fault: Fault;
  /** For how many more calls. */
  readonly left: number | 'always';
}

/** What a test orders. */
export interface FaultOrders {
  /** For the next call that matches, or so many of them; faults for the same call queue up. */
  answerNext(match: Match, fault: Fault, options?: { times?: number }): void;
  /** For every call that matches. Returns the way to end it. */
  always(match: Match, fault: Fault): () => void;
  /** No faults any more. */
  behaveWell(): void;
  /** Those that have not come to their end. */
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

/** Sends the answer whole. Its headers go as one: each that is set before them costs a small call a twentieth. */
export function deliver({ response, clock }: Sending, { status, type, headers, body }: Answer): void {
  const head: Record<string, string | number> = { date: dateAt(clock.now()) };
  if (type !== undefined) head['content-type'] = type;
  if (headers) Object.assign(head, headers);
  head['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, head);
  response.end(body);
}

let lastDate = { second: Number.NaN, text: '' };

/** Written once a second. */
function dateAt(wall: number): string {
  const second = Math.floor(wall / 1000);
  if (second !== lastDate.second) lastDate = { second, text: httpDate(wall) };
  return lastDate.text;
}

/** Sends what the fault leaves of the answer; `undefined`: the call was not carried out. */
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
        // Loaded where it is asked for: a start is to be short.
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

/** By RST; inside TLS there is no such thing, and the connection ends without a close_notify. */
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

/** Aborts when the client goes away, so that nothing waits on for nobody. */
function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
