/**
 * What Platen does about each fault of each call, from the classes of INVARIANTS.md B.3 and the rows of B.2 and B.4.
 * Each call has a reaction for each class; a fault whose outcome differs from its class stands beside it with its reason.
 */
import type { ProblemCode } from '../../../src/domain/problem/problem-kinds.ts';
import type { Call } from '../../support/standard-faults/calls.ts';
import type { Fault, FaultClass } from '../../support/standard-faults/faults.ts';
import { faultNames, faults } from '../../support/standard-faults/faults.ts';

/**
 * What becomes of it.
 * `nothing`: it does no harm, and all goes on · `repeated`: the call is made again at once, and when the fault has
 * passed by then nobody notices · `next badge`: the document waits untouched until somebody asks again · `later`: the
 * call is made again by itself after a pause · `next login`: it is made up for when the user logs in again · `new token`:
 * the device token is refreshed and the call made again · `new registration`: the token is dead, and the device
 * registers again, signed, without an approval · `dead letter`: the record is kept and not posted again.
 */
export type Then =
  | 'nothing'
  | 'repeated'
  | 'next badge'
  | 'later'
  | 'next login'
  | 'new token'
  | 'new registration'
  | 'dead letter';

export interface Reaction {
  /** The problem that is told; absent: none. */
  readonly told?: ProblemCode;
  readonly then: Then;
}

type ByClass = Readonly<Record<FaultClass, Reaction>>;
type Exceptions = Readonly<Partial<Record<Fault, Reaction>>>;
type Row = Readonly<Record<Fault, Reaction>>;

const rowOf = (byClass: ByClass, exceptions: Exceptions = {}): Row =>
  Object.fromEntries(
    faultNames.map((fault) => [fault, exceptions[fault] ?? byClass[faults[fault].class]]),
  ) as Row;

const tells =
  (then: Then) =>
  (told: ProblemCode): Reaction => ({ told, then });
const nextBadge = tells('next badge');
const repeated = tells('repeated');
const later = tells('later');
const nextLogin = tells('next login');
const registersAgain = tells('new registration');

/** Faults of the service and of the way to it, for a call that is safe to repeat while a person waits. */
const repeatedFaults = {
  busy: repeated('cloud-busy'),
  // An answer of somebody else's; the same would come again.
  redirect: nextBadge('cloud-protocol'),
  nonsense: repeated('cloud-protocol'),
  // One call alone uses up the 10 s that a person is made to wait.
  late: nextBadge('cloud-unreachable'),
  slow: nextBadge('cloud-busy'),
  'no way': repeated('cloud-unreachable'),
  reset: repeated('cloud-unreachable'),
  lost: repeated('cloud-unreachable'),
} as const;

export const expected: Readonly<Record<Call, Row>> = {
  // B.2, src/cloud/README.md 4: an empty answer is no verdict. The device code is spent where the service has acted.
  'registration poll': rowOf({
    permanent: later('cloud-rejected'),
    // Nothing but the API key could be refused here.
    auth: later('cloud-denied'),
    denied: later('cloud-denied'),
    gone: later('cloud-not-found'),
    'feature off': later('cloud-feature-off'),
    busy: later('cloud-busy'),
    redirect: later('cloud-protocol'),
    nonsense: registersAgain('cloud-protocol'),
    late: registersAgain('cloud-unreachable'),
    slow: registersAgain('cloud-busy'),
    'no way': later('cloud-unreachable'),
    reset: later('cloud-unreachable'),
    lost: registersAgain('cloud-unreachable'),
  }),

  // B.2, steps 6 and 8: the one recovery try comes at once, so nothing is told; it works where the token is not spent.
  refresh: rowOf({
    permanent: later('cloud-rejected'),
    auth: later('cloud-denied'),
    denied: later('cloud-denied'),
    gone: later('cloud-not-found'),
    'feature off': later('cloud-feature-off'),
    busy: later('cloud-busy'),
    redirect: later('cloud-protocol'),
    nonsense: { then: 'new registration' },
    late: { then: 'new registration' },
    slow: { then: 'new registration' },
    // Nothing was sent, and nothing is in doubt.
    'no way': later('cloud-unreachable'),
    reset: { then: 'repeated' },
    lost: { then: 'new registration' },
  }),

  login: rowOf({
    ...repeatedFaults,
    permanent: nextBadge('cloud-rejected'),
    auth: nextBadge('login-refused'),
    denied: nextBadge('cloud-denied'),
    // An unknown card may be answered so (src/cloud/README.md 12, row 10).
    gone: nextBadge('login-refused'),
    'feature off': nextBadge('cloud-feature-off'),
  }),

  list: rowOf({
    ...repeatedFaults,
    permanent: nextBadge('cloud-rejected'),
    auth: nextBadge('user-token-refused'),
    denied: nextBadge('cloud-denied'),
    gone: nextBadge('cloud-not-found'),
    'feature off': nextBadge('cloud-feature-off'),
  }),

  // src/cloud/README.md 12, row 35. `told` is the cause: a release that it keeps back ends as `balance-unknown` (I9).
  balance: rowOf(
    {
      permanent: nextBadge('cloud-rejected'),
      auth: nextBadge('user-token-refused'),
      // The service decides for itself at the download …
      denied: { then: 'nothing' },
      gone: { then: 'nothing' },
      // … and where the feature is off nothing is charged.
      'feature off': { then: 'nothing' },
      busy: nextBadge('cloud-busy'),
      redirect: nextBadge('cloud-protocol'),
      nonsense: nextBadge('cloud-protocol'),
      late: nextBadge('cloud-unreachable'),
      slow: nextBadge('cloud-busy'),
      'no way': nextBadge('cloud-unreachable'),
      reset: nextBadge('cloud-unreachable'),
      lost: nextBadge('cloud-unreachable'),
    },
    {
      // The service has not acted, and the question is asked again while the person waits (B.3).
      '429 (seconds)': repeated('cloud-busy'),
      '429 (date)': repeated('cloud-busy'),
    },
  ),

  content: rowOf(
    {
      ...repeatedFaults,
      permanent: nextBadge('cloud-rejected'),
      auth: nextBadge('user-token-refused'),
      denied: nextBadge('cloud-denied'),
      gone: nextBadge('document-gone'),
      'feature off': nextBadge('cloud-feature-off'),
      // B.4, 5: up to three tries within 60 s, whatever the fault of the service was.
      redirect: repeated('cloud-protocol'),
      late: repeated('cloud-unreachable'),
      slow: repeated('cloud-busy'),
    },
    {
      // B.4, 5: a cut is detected, and begun again from the first byte.
      'empty 2xx': repeated('document-cut'),
      'short Content-Length': repeated('document-cut'),
      'cut chunk': repeated('document-cut'),
      // B.4, 5: bytes that are no document the printer takes are refused before the intent, and are so the next time.
      'malformed JSON or unasked XML': nextBadge('document-not-printable'),
      oversize: nextBadge('document-not-printable'),
      // The service says that these bytes are the document, and nobody here knows better.
      'trailing bytes': { then: 'nothing' },
    },
  ),

  // D6: what was printed is deleted in the end, by itself where that can help, else with the owner's next token.
  delete: rowOf({
    permanent: nextLogin('cloud-rejected'),
    auth: nextLogin('user-token-refused'),
    denied: nextLogin('cloud-denied'),
    // Gone is what it should be.
    gone: { then: 'nothing' },
    'feature off': nextLogin('cloud-feature-off'),
    busy: later('cloud-busy'),
    redirect: later('cloud-protocol'),
    nonsense: later('cloud-protocol'),
    late: later('cloud-unreachable'),
    slow: later('cloud-busy'),
    'no way': later('cloud-unreachable'),
    reset: later('cloud-unreachable'),
    lost: later('cloud-unreachable'),
  }),

  // B.4, 9. Where the service may have taken it, it is asked before the record goes again: it never arrives twice.
  history: rowOf(
    {
      permanent: tells('dead letter')('cloud-rejected'),
      auth: { then: 'new token' },
      denied: later('cloud-denied'),
      gone: later('cloud-not-found'),
      'feature off': later('cloud-feature-off'),
      busy: later('cloud-busy'),
      redirect: later('cloud-protocol'),
      nonsense: later('cloud-protocol'),
      late: later('cloud-unreachable'),
      slow: { then: 'nothing' },
      'no way': later('cloud-unreachable'),
      reset: later('cloud-unreachable'),
      lost: later('cloud-unreachable'),
    },
    {
      // The answer has no body: nothing can be missing, and nothing comes slowly.
      'empty 2xx': { then: 'nothing' },
      'short Content-Length': { then: 'nothing' },
    },
  ),

  // Nobody waits for it: the terminal serves with what it knows, and reads again (src/cloud/README.md 7).
  'status/port read': rowOf({
    permanent: later('cloud-rejected'),
    auth: { then: 'new token' },
    // What the device may not read is read with the token of the next user who may (contract, section 3).
    denied: nextLogin('cloud-denied'),
    gone: later('cloud-not-found'),
    'feature off': later('cloud-feature-off'),
    busy: later('cloud-busy'),
    redirect: later('cloud-protocol'),
    nonsense: later('cloud-protocol'),
    late: later('cloud-unreachable'),
    slow: later('cloud-busy'),
    'no way': later('cloud-unreachable'),
    reset: later('cloud-unreachable'),
    lost: later('cloud-unreachable'),
  }),
};
