/**
 * The standard set of faults (INVARIANTS.md B.4), by the names of the console, the tests and the matrix. It contains
 * the faults that a server can produce. A refused connection is `goAway`. An unknown host name and bad TLS come from
 * the client's own settings.
 */
import { minutes, seconds } from '../../core/duration.ts';
import type { Fault, FaultOrders } from './faults.ts';

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Fault => ({
  kind: 'status',
  status: code,
  headers: { 'content-length': '0', ...headers },
});

/** The target of a redirect. A client must never call it. */
export const elsewhere = '/elsewhere';

export const standardFaults = {
  'status 400': status(400),
  'status 401': status(401),
  'status 403': status(403),
  'status 404': status(404),
  'status 405': status(405),
  'status 408': status(408),
  'status 425': status(425),
  'status 429 with Retry-After': status(429, { 'retry-after': '1' }),
  'status 429 with a date': {
    kind: 'status',
    status: 429,
    headers: { 'content-length': '0' },
    retryAt: seconds(2),
  },
  'status 500': status(500),
  'status 502': status(502),
  'status 503': status(503),
  'status 503 with Retry-After': status(503, { 'retry-after': '1' }),
  'status 504': status(504),
  'a redirect': { kind: 'redirect', to: elsewhere },
  'no body at all': { kind: 'empty' },
  'malformed JSON': { kind: 'malformed-json' },
  'unasked XML': { kind: 'xml' },
  'another schema': { kind: 'wrong-schema' },
  'a page of HTML': {
    kind: 'status',
    status: 200,
    headers: { 'content-type': 'text/html', 'content-length': '19' },
    body: '<html>Log in</html>',
  },
  '10 MB': { kind: 'huge-body' },
  'a body cut short': { kind: 'cut-body', afterBytes: 10 },
  'a cut chunk': { kind: 'cut-chunk', afterBytes: 10 },
  'a cut body without length': { kind: 'cut-without-length', afterBytes: 10 },
  'trailing bytes': { kind: 'trailing-bytes' },
  'unasked gzip': { kind: 'gzip' },
  'late headers': { kind: 'slow-headers', wait: minutes(10) },
  'an answer byte by byte': { kind: 'slow-body', everyByte: seconds(60) },
  'no answer': { kind: 'never' },
  'a reset': { kind: 'reset' },
  'an answer lost': { kind: 'answer-lost' },
} as const satisfies Readonly<Record<string, Fault>>;

export type StandardFault = keyof typeof standardFaults;

/** A fault in words: the calls, a standard name, and how often. */
interface FaultOrder {
  /** Absent: any method. */
  readonly method?: string | undefined;
  /** The end of the path. */
  readonly path: string;
  readonly fault: StandardFault;
  readonly times: number | 'always';
}

export const isStandardFault = (name: string): name is StandardFault => Object.hasOwn(standardFaults, name);

/** The methods of the specification's calls. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Throws `RangeError` with advice. */
export function planFault(orders: FaultOrders, { method: asked, path, fault, times }: FaultOrder): void {
  const method = asked?.toUpperCase();
  if (method !== undefined && !methods.includes(method)) {
    throw new RangeError(`method is one of ${methods.join(', ')}`);
  }
  const match = { path, ...(method === undefined ? {} : { method }) };
  if (times === 'always') orders.always(match, standardFaults[fault]);
  else orders.answerNext(match, standardFaults[fault], { times });
}

/** Throws `RangeError` with advice. */
export function faultTimes(text: string): number | 'always' {
  if (text === 'always') return text;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError('TIMES is a whole number above 0, or always');
  return Number(text);
}

/** The planned standard faults, by name. */
export const plannedOrders = ({ plannedFaults }: FaultOrders): readonly FaultOrder[] =>
  plannedFaults().flatMap(({ match, fault, left }) => {
    const name = Object.keys(standardFaults)
      .filter(isStandardFault)
      .find((one) => standardFaults[one] === fault);
    if (name === undefined || typeof match.path !== 'string') return [];
    return [{ method: match.method, path: match.path, fault: name, times: left }];
  });
