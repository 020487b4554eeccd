/**
 * The only classifier: the meaning of an HTTP status, or of a failure to get one (INVARIANTS.md B.3). Pure; other code
 * decides about repeats. `delivery` says whether the service may have acted: `answered` only for a definite refusal,
 * `not-sent` only if no connection was made.
 */
import { STATUS_CODES } from 'node:http';
import { parseInstant } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours, longest, milliseconds, seconds, shortest } from '../../core/duration.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { meaningOf, sentenceOf, unknownError } from './error-code.ts';
import type { Answer, Headers } from './json.ts';
import { errorCodeOf, errorWordOf, headerOf, peek } from './json.ts';
import { isTimeout, networkFault } from './network-fault.ts';

/** The authority of a call; the meaning of a 401 depends on it. `login`: the device's token, but the card is judged. */
export type Authority = 'device' | 'user' | 'login' | 'key';

/** `undefined` for 2xx. `now` is wall time. */
export function statusProblem(answer: Answer, authority: Authority, now: number): Problem | undefined {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return undefined;
  const body = peek(answer);
  const code = codeOfStatus(status, authority, namesTheToken(headers, body));
  const isBusy = code === 'cloud-busy';
  const retryAfter = isBusy ? retryAfterOf(headers, now) : undefined;
  const refusal = refusalIn(body);
  return new Problem(code, messageOf(answer, code, refusal), {
    status,
    reasons: refusal === undefined ? [] : [refusal.reason],
    // Behind a 5xx of a proxy the service may still have acted.
    delivery: isBusy ? 'perhaps' : 'answered',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function messageOf({ call, status }: Answer, code: ProblemCode, refusal: RefusalReason | undefined): string {
  // Known services give no cause here, or say that they do not know it.
  if (code === 'login-refused' && !refusal?.explains) {
    return `${loginRefused} (${call}: status ${status}${refusal === undefined ? '' : `, ${refusal.name}`})`;
  }
  const says = refusal === undefined ? '' : `, ${refusal.sentence.replace(/\.$/, '')}`; // The advice follows it.
  return `${call}: status ${status}${wordsOf(status)}${says}`;
}

const loginRefused = 'Sign-in refused: card unknown, PIN wrong, or user locked';

/** The standard's own words for a status (RFC 9110 section 15): ` (Bad Gateway)`. */
const wordsOf = (status: number): string => {
  const words = STATUS_CODES[status];
  return words === undefined ? '' : ` (${words})`;
};

function codeOfStatus(status: number, authority: Authority, isTokenNamed: boolean): ProblemCode {
  switch (status) {
    case 401:
      return authority === 'login' && isTokenNamed ? 'device-token-refused' : unauthorized[authority];
    case 403:
      return 'cloud-denied';
    case 404:
      // An unknown card may be answered so (src/cloud/README.md 12, row 10).
      return authority === 'login' ? 'login-refused' : 'cloud-not-found';
    case 405:
    case 501:
      return 'cloud-feature-off';
    case 408:
    case 425:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return 'cloud-busy';
    default:
      return status >= 300 && status < 400 ? 'cloud-protocol' : 'cloud-rejected';
  }
}

const unauthorized: Readonly<Record<Authority, ProblemCode>> = {
  device: 'device-token-refused',
  user: 'user-token-refused',
  login: 'login-refused',
  key: 'cloud-denied',
};

/**
 * A 401 to a login counts as about the card, unless it says `invalid_token` (RFC 6750 section 3.1), in its header or as
 * the `error` of its body. `login.ts` finds out about a 401 without either.
 */
const namesTheToken = (headers: Headers, body: unknown): boolean =>
  /\binvalid_token\b/.test(headerOf(headers, 'www-authenticate') ?? '') ||
  errorWordOf(body) === 'invalid_token';

interface RefusalReason {
  /** For scripts. */
  readonly reason: string;
  readonly name: string;
  readonly sentence: string;
  readonly explains: boolean;
}

/** The body of a refusal: an `errorCode` of the spec, or an `error` as in OAuth. No free text. */
function refusalIn(body: unknown): RefusalReason | undefined {
  const errorCode = errorCodeOf(body);
  if (errorCode !== undefined) {
    const reason = meaningOf(errorCode).name;
    const name = `error ${errorCode} (${reason})`;
    return { reason, name, sentence: sentenceOf(errorCode), explains: errorCode !== unknownError };
  }
  const word = errorWordOf(body);
  return word === undefined
    ? undefined
    : { reason: word, name: `error ${word}`, sentence: `error ${word}`, explains: false };
}

/** Retry-After (RFC 9110 section 10.2.3); a date is compared with the answer's own clock. From 1 s to 1 h. */
export function retryAfterOf(headers: Headers, now: number): Duration | undefined {
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text)
    ? seconds(Number(text))
    : untilInstant(text, headerOf(headers, 'date'), now);
  return wait === undefined ? undefined : shortest(longest(wait, seconds(1)), hours(1));
}

function untilInstant(text: string, date: string | undefined, now: number): Duration | undefined {
  const then = parseInstant(text);
  const there = date === undefined ? now : (parseInstant(date) ?? now);
  return then === undefined ? undefined : milliseconds(then - there);
}

/** How far a request came before it failed. */
export type Stage = 'connecting' | 'sent' | 'answering';

export interface Fault {
  /** Method and path. */
  readonly call: string;
  /** The transport's own error, or the deadline's. */
  readonly error: unknown;
  readonly stage: Stage;
  /** The code for an answer that breaks off; `cloud-protocol` by default. */
  readonly brokenOff?: ProblemCode;
  /** The section of the configuration with the address of the other side; `cloud` by default. */
  readonly section?: string;
}

export function faultProblem(fault: Fault): Problem {
  const { call, error, stage, section } = fault;
  return new Problem(codeOfFault(fault), `${call}: ${stageSays[stage]}: ${networkFault(error, section)}`, {
    cause: error,
    delivery: stage === 'connecting' ? 'not-sent' : 'perhaps',
  });
}

const stageSays: Readonly<Record<Stage, string>> = {
  connecting: 'no connection',
  sent: 'no answer',
  answering: 'the answer broke off',
};

function codeOfFault({ error, stage, brokenOff }: Fault): ProblemCode {
  if (stage === 'connecting') return 'cloud-unreachable';
  if (stage === 'sent') return isNoHttp(error) ? 'cloud-protocol' : 'cloud-unreachable';
  return isTimeout(error) ? 'cloud-busy' : (brokenOff ?? 'cloud-protocol');
}

const isNoHttp = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'HTTPParserError' || error.name === 'HeadersOverflowError');
