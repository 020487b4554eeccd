/** OAuth errors of the simulated cloud (spec, Errors 6): `error`, `error_description`, `x_error_code`. */
import type { Answer } from './call.ts';
import { Deviation, json, Refusal } from './call.ts';

/** The OAuth 2.1 word and the HTTP status of each implementation code in use. */
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
export type OAuthErrorCode = keyof typeof oauthErrors;

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
