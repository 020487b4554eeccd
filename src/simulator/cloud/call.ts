/**
 * A call to the simulated cloud and its answer. A handler returns an `Answer`. It throws a `Refusal` if the service
 * may refuse a correct client, or a `Deviation` if the client did not follow the spec. OAuth calls have errors of
 * their own form.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { CloudUser, Endpoint } from './state.ts';

export type BearerKind = 'none' | 'device' | 'user' | 'unknown';

/** The owner of the call's token. */
export type Caller =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'device'; readonly endpoint: Endpoint }
  /** `apiKey` is the API key of the login. */
  | { readonly kind: 'user'; readonly user: CloudUser; readonly apiKey?: string | undefined };

export interface Call {
  readonly method: string;
  /** Without the query, still percent-encoded. */
  readonly path: string;
  /** The text after `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly caller: Caller;
  /** The `<name>` parts of the route's path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent in UTF-8. */
  readonly body: Buffer | string;
  /** The reason for a refusal. It is in the call records only, and never sent to a client. */
  readonly why?: string;
  /** Called when it is known whether the whole answer was sent. */
  settled?(delivered: boolean): void;
}

export const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** An answer with a token must not be cached (RFC 6749 section 5.1). */
export const withToken = (value: object): Answer => ({
  ...json(200, value),
  headers: { 'cache-control': 'no-store' },
});

export const bytes = (status: number, type: string, body: Buffer): Answer => ({ status, type, body });

export const empty = (status: number): Answer => ({ status, body: Buffer.alloc(0) });

/** ErrorCodeInfo of the spec. The spec does not show the status of each code. */
export const errorCode = {
  ok: 0,
  notImplemented: 1000,
  outputDocument: 1001,
  deleteDocument: 1002,
  createUser: 1003,
  deleteUser: 1004,
  enrollCard: 1005,
  accountNotFound: 1006,
  objectTree: 1007,
  createAccount: 1008,
  createOutputPort: 1009,
  updateUser: 1013,
  createInputPort: 1015,
  deleteInputPort: 1016,
  deleteOutputPort: 1017,
  deleteAuthProvider: 1030,
  saveAuthProvider: 1031,
  saveAccessControl: 1040,
  deleteAccessControl: 1041,
  outputNotReady: 1042,
  createGroup: 1043,
  deleteGroup: 1044,
  importUsers: 1060,
  createTerminalConfig: 1070,
  deleteAccount: 1080,
  updateAccount: 1090,
  deleteAuthority: 1130,
  deleteChain: 1131,
  unknown: 10000,
} as const;

export const errorAnswer = (status: number, code: number = errorCode.unknown): Answer =>
  json(status, { errorCode: code });

/** The answer of a successful call: ErrorCodeInfo, or ErrorCodeInfoId if there is an id. */
export const done = (id?: number): Answer =>
  json(200, { errorCode: errorCode.ok, ...(id === undefined ? {} : { id }) });

export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly answer: Answer;

  constructor(what: string, answer: Answer) {
    super(what);
    this.answer = answer;
  }
}

/** A refusal that a correct client may get. */
export const refused = (what: string, status: number, code?: number): Refusal =>
  new Refusal(what, errorAnswer(status, code));

export class Deviation extends Refusal {
  override readonly name = 'Deviation';
  readonly section: string;

  constructor(what: string, section: string, answer: Answer) {
    super(what, answer);
    this.section = section;
  }
}

/**
 * The OAuth errors of the simulated cloud (spec, Errors 6): the OAuth 2.1 word and the HTTP status of each
 * implementation code in use.
 */
const oauthErrors = {
  authorization_pending: ['authorization_pending', 400, 'Authorization pending'],
  access_denied: ['access_denied', 400, 'An administrator refused this client'],
  invalid_parameters: ['invalid_request', 400, 'Invalid parameters'],
  invalid_response_type: ['unsupported_response_type', 400, 'response_type must be device_code'],
  invalid_key_type: ['invalid_request', 400, 'key_type must be rsa, x509 or ed25519'],
  invalid_client_secret: ['invalid_client', 401, 'The API key is wrong'],
  missing_signature: ['invalid_client', 401, 'The request signature header is missing'],
  invalid_signature: ['invalid_client', 401, 'The request signature does not fit'],
  invalid_client_for_signature_verification: ['invalid_client', 401, 'No key is known of this client'],
  invalid_endpoint: ['invalid_client', 400, 'Client not found'],
  duplicate_client_id: ['invalid_request', 400, 'The client id is tied to another device'],
  invalid_grant: ['unsupported_grant_type', 400, 'Unsupported grant type'],
  invalid_device_code: ['invalid_grant', 400, 'The device code is invalid'],
  expired_device_code: ['expired_token', 400, 'The device code has expired'],
  token_create_error: ['invalid_grant', 400, 'The code is invalid'],
  token_refresh_error: ['invalid_grant', 400, 'The refresh token is invalid'],
  endpoint_not_authorized_for_device_token_refresh: ['invalid_grant', 400, 'The endpoint is not authorized'],
} as const satisfies Record<string, readonly [string, number, string]>;
type OAuthErrorCode = keyof typeof oauthErrors;

export function oauthError(code: OAuthErrorCode, why?: string): Answer {
  const [error, status, what] = oauthErrors[code];
  const error_description = why === undefined ? what : `${what}: ${why}`;
  return json(status, { error, error_description, x_error_code: code });
}

/** A refusal that is not the client's fault. */
export const oauthRefusal = (code: OAuthErrorCode): Refusal => new Refusal(code, oauthError(code));

/** A refusal of a client that did not follow the rules. */
export const oauthDeviation = (code: OAuthErrorCode, what: string, section: string): Deviation =>
  new Deviation(what, section, oauthError(code));
