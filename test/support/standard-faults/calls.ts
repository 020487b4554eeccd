/** The nine calls of the matrix: how each is known at the cloud, and where its failing is told. */
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import type { Match, Target } from './strike.ts';

interface MatrixCall {
  /** Of the document that it is about, where it is about one. */
  match(document: CloudDocument): Match;
  /** The call that is made right before it, without a pause in between in which the way to the cloud could break. */
  readonly after?: Match;
  /** The log record that tells of its failing. */
  readonly told: string;
}

const token = { method: 'POST', path: '/oauth/v1/token' } as const;
const login = { method: 'POST', path: '/api/v1/login' } as const;
const list = { method: 'GET', path: '/api/v1/documents' } as const;
const balance = { method: 'POST', path: '/api/v1/balance/check' } as const;
const content = { method: 'GET', path: /\.content$/ } as const;

/** Only the owner's calls, where somebody's document is named. */
const ofOwner = <Kind extends Match>(call: Kind, document?: CloudDocument) => ({
  ...call,
  ...(document && { user: document.owner }),
});

export const calls = {
  'registration poll': {
    match: () => token,
    after: { path: '/oauth/v1/register' },
    told: 'condition raised',
  },
  refresh: { match: () => token, told: 'condition raised' },
  login: { match: () => login, told: 'login failed' },
  list: { match: (document?: CloudDocument) => ofOwner(list, document), after: login, told: 'list failed' },
  balance: {
    match: (document?: CloudDocument) => ofOwner(balance, document),
    after: list,
    told: 'release ended',
  },
  content: {
    match: ({ info }) => ({ method: 'GET', path: `${info.uuid}.content` }),
    after: balance,
    told: 'release ended',
  },
  delete: {
    match: ({ info }) => ({ method: 'DELETE', path: info.uuid }),
    after: content,
    told: 'deletion refused',
  },
  history: {
    match: () => ({ method: 'POST', path: '/api/v1/documents/history' }),
    after: content,
    told: 'history postponed',
  },
  'status/port read': {
    match: () => ({ method: 'GET', path: '/api/v1/outputports' }),
    after: token,
    told: 'output ports not read',
  },
} as const satisfies Readonly<Record<string, MatrixCall>>;

export type Call = keyof typeof calls;

/** For `strike`. */
export function targetOf(call: Call, document: CloudDocument): Omit<Target, 'times'> {
  const { match, after }: MatrixCall = calls[call];
  return { call: match(document), behind: after };
}

export const callNames = Object.keys(calls) as readonly Call[];

/**
 * `first`: the first of its kind after the start, and the fault lasts until it was told · `later`: one that follows
 * others that went well, and the fault passes after it · `swap`: another card's badge arrives, or the session ends,
 * while it is on its way or failing.
 */
export const timings = ['first', 'later', 'swap'] as const;

export type Timing = (typeof timings)[number];
