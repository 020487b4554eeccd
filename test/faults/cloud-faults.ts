/** The standard faults of the cloud (reliability.md B.4) as the simulated one plays them, by the names tests use. */
import { seconds } from '../../src/core/duration.ts';
import type { Fault } from '../../src/simulator/cloud-faults.ts';

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Fault => ({
  kind: 'status',
  status: code,
  headers: { 'content-length': '0', ...headers },
});

/** Nobody who was not asked is ever called: a redirect leads here. */
export const elsewhere = '/elsewhere';

export const cloudFaults = {
  'a body cut short': { kind: 'cut-body', afterBytes: 10 },
  'a cut chunk': { kind: 'cut-chunk', afterBytes: 10 },
  'a cut body without length': { kind: 'cut-without-length', afterBytes: 10 },
  'malformed JSON': { kind: 'malformed-json' },
  'no body at all': { kind: 'empty' },
  '10 MB': { kind: 'huge-body' },
  'trailing bytes': { kind: 'trailing-bytes' },
  'a page of HTML': {
    kind: 'status',
    status: 200,
    headers: { 'content-type': 'text/html', 'content-length': '19' },
    body: '<html>Log in</html>',
  },
  'a redirect': { kind: 'redirect', to: elsewhere },
  'status 400': status(400),
  'status 401': status(401),
  'status 403': status(403),
  'status 404': status(404),
  'status 405': status(405),
  'status 429 with Retry-After': status(429, { 'retry-after': '1' }),
  'status 500': status(500),
  'status 503 with Retry-After': status(503, { 'retry-after': '1' }),
  'a reset': { kind: 'reset' },
  'an answer lost': { kind: 'answer-lost' },
  'no answer': { kind: 'never' },
  'an answer byte by byte': { kind: 'slow-body', everyByte: seconds(60) },
} as const satisfies Readonly<Record<string, Fault>>;

export type CloudFault = keyof typeof cloudFaults;
