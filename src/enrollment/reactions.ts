/**
 * How the enrollment machine reacts to each OAuth error code: the reaction table of src/cloud/README.md 4, as data.
 * Transport faults and unknown answers are no verdict: the machine backs off.
 */
import type { OAuthCode } from '../domain/device.ts';
import { OAuthRefusal } from '../domain/device.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';

export type Reaction =
  | 'wait'
  | 'slow-down'
  /** Device code or tokens are dead: register again, signed, without a new approval. */
  | 'start-over'
  /** The service does not know this client: a new registration, which needs approval. */
  | 'client-unknown'
  | 'back-off'
  | { readonly needsPerson: ProblemCode };

const needs = (code: ProblemCode): Reaction => ({ needsPerson: code });

const reactions = {
  authorization_pending: 'wait',
  slow_down: 'slow-down',
  expired_device_code: 'start-over',
  invalid_device_code: 'start-over',
  token_refresh_error: 'start-over',
  invalid_grant: needs('registration-faulty'),
  endpoint_not_authorized_for_device_token_refresh: needs('trust-withdrawn'),
  endpoint_not_authorized: needs('trust-withdrawn'),
  invalid_endpoint: 'client-unknown',
  invalid_client_id: 'client-unknown',
  duplicate_client_id: needs('registration-refused'),
  invalid_client_secret: needs('api-key-refused'),
  access_denied: needs('registration-refused'),
  missing_signature: needs('device-key-refused'),
  invalid_signature: needs('device-key-refused'),
  invalid_client_for_signature_verification: needs('device-key-refused'),
  invalid_key_type: needs('registration-faulty'),
  invalid_parameters: needs('registration-faulty'),
  invalid_response_type: needs('registration-faulty'),
  token_create_error: 'back-off',
  error_saving_endpoint: 'back-off',
  not_implemented: 'back-off',
} as const satisfies Record<OAuthCode, Reaction>;

/** `recovery` is the single repetition of a refresh that was never answered. */
export type EnrollmentCall = 'register' | 'token' | 'refresh' | 'recovery';

export function reactionTo(error: unknown, call: EnrollmentCall): Reaction {
  if (!(error instanceof OAuthRefusal)) return 'back-off';
  // On a refresh the code is about the token; on a first token it is about the grant type (src/cloud/README.md 4).
  if (error.code === 'invalid_grant' && (call === 'refresh' || call === 'recovery')) return 'start-over';
  const reaction = reactions[error.code];
  // Only the first token is polled for.
  const isOfPolling = reaction === 'wait' || reaction === 'slow-down';
  return isOfPolling && call !== 'token' ? 'back-off' : reaction;
}

/** The service has no key, or a different one, to check this device's signature. */
export const isSignatureVerdict = (error: unknown): boolean =>
  error instanceof OAuthRefusal && signatureVerdicts.includes(error.code);

const signatureVerdicts: readonly OAuthCode[] = [
  'invalid_client_for_signature_verification',
  'invalid_signature',
  'missing_signature',
];
