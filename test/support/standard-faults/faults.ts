/**
 * The standard set of 31 faults (INVARIANTS.md B.4), in its words: how each is played, and which row of the classifier
 * (B.3) it stands in. Where B.3 tells safe calls from unsafe ones, it matters whether the service had acted, so the
 * rows are split there.
 */
import type { Fault as ServerFault } from '../../../src/simulator/cloud/faults.ts';
import { standardFaults } from '../../../src/simulator/cloud/standard-faults.ts';
import type { WayFault } from './way.ts';

/**
 * `permanent` … `busy`: a status says so, and nothing was done · `redirect`: PROTOCOL, nothing was done · `nonsense`:
 * PROTOCOL, a 2xx that cannot be believed, and the service has acted · `late`, `slow`: the deadline ends it before or
 * in the answer, and the service has acted · `no way`, `reset`, `lost`: TRANSIENT, nothing was sent; it was sent and
 * nothing done; it was done and nobody told.
 */
export type FaultClass =
  | 'permanent'
  | 'auth'
  | 'denied'
  | 'gone'
  | 'feature off'
  | 'busy'
  | 'redirect'
  | 'nonsense'
  | 'late'
  | 'slow'
  | 'no way'
  | 'reset'
  | 'lost';

interface Played {
  readonly class: FaultClass;
  /** By the server, or on the way to it. */
  readonly by: ServerFault | WayFault;
}

export const faults = {
  '400': { class: 'permanent', by: standardFaults['status 400'] },
  '401': { class: 'auth', by: standardFaults['status 401'] },
  '403': { class: 'denied', by: standardFaults['status 403'] },
  '404': { class: 'gone', by: standardFaults['status 404'] },
  '405': { class: 'feature off', by: standardFaults['status 405'] },
  '408': { class: 'busy', by: standardFaults['status 408'] },
  '425': { class: 'busy', by: standardFaults['status 425'] },
  '429 (seconds)': { class: 'busy', by: standardFaults['status 429 with Retry-After'] },
  '429 (date)': { class: 'busy', by: standardFaults['status 429 with a date'] },
  '500': { class: 'busy', by: standardFaults['status 500'] },
  '502': { class: 'busy', by: standardFaults['status 502'] },
  '503': { class: 'busy', by: standardFaults['status 503'] },
  '503 + Retry-After': { class: 'busy', by: standardFaults['status 503 with Retry-After'] },
  '504': { class: 'busy', by: standardFaults['status 504'] },
  '3xx': { class: 'redirect', by: standardFaults['a redirect'] },
  'empty 2xx': { class: 'nonsense', by: standardFaults['no body at all'] },
  // Half a document, or half of an empty answer, is no malformed JSON: unasked XML is wrong for every call.
  'malformed JSON or unasked XML': { class: 'nonsense', by: standardFaults['unasked XML'] },
  'wrong schema': { class: 'nonsense', by: standardFaults['another schema'] },
  oversize: { class: 'nonsense', by: standardFaults['10 MB'] },
  'short Content-Length': { class: 'nonsense', by: standardFaults['a body cut short'] },
  'cut chunk': { class: 'nonsense', by: standardFaults['a cut chunk'] },
  'cut body without length': { class: 'nonsense', by: standardFaults['a cut body without length'] },
  'trailing bytes': { class: 'nonsense', by: standardFaults['trailing bytes'] },
  'unexpected gzip': { class: 'nonsense', by: standardFaults['unasked gzip'] },
  'slow headers': { class: 'late', by: standardFaults['late headers'] },
  'slow body': { class: 'slow', by: standardFaults['an answer byte by byte'] },
  'connect refused': { class: 'no way', by: 'refused' },
  'DNS failure': { class: 'no way', by: 'not found' },
  'bad TLS': { class: 'no way', by: 'a stranger' },
  'reset before any answer byte': { class: 'reset', by: standardFaults['a reset'] },
  'answer lost after server commit': { class: 'lost', by: standardFaults['an answer lost'] },
} as const satisfies Readonly<Record<string, Played>>;

export type Fault = keyof typeof faults;

export const faultNames = Object.keys(faults) as readonly Fault[];
