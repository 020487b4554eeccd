/** The device's own identity towards the cloud, and the words of its enrollment (src/cloud/README.md 1–4). */
import type { Duration } from '../core/duration.ts';
import type { Secret } from '../core/secret.ts';
import type { ProblemOptions } from './problem/problem.ts';

/** Made once and kept for the life of the device. */
export interface DeviceIdentity {
  readonly clientId: string;
  /** The 32-byte Ed25519 seed (RFC 8032), base64. */
  readonly seed: Secret;
}

/** How a register call presents itself: unsigned for the first time, signed ever after (src/cloud/README.md 1). */
export type RegistrationKind = 'first' | 'repeated';

export interface Registration {
  readonly deviceCode: Secret;
  /** An administrator types it to approve the device (RFC 8628, 3.3). Absent if the service gives none. */
  readonly userCode?: string;
  /** Wall time after which the code is no longer polled with. */
  readonly expiresAt: number;
}

/** A token answer as it came; lives counted from the moment of the answer. */
export interface TokenGrant {
  readonly accessToken: Secret;
  readonly refreshToken: Secret;
  readonly expiresIn: Duration;
}

/** Device tokens as they are stored. `generation` counts refreshes, so that a spent token is known to be spent (I6). */
export interface DeviceTokens extends TokenGrant {
  readonly generation: number;
  /** Wall time of the answer; after a restart it may cause an early refresh, never declare a token dead (D14). */
  readonly issuedAt: number;
}

/** The facts from which enrollment starts after a restart; never machine snapshots. */
export interface DeviceFacts {
  readonly identity: DeviceIdentity;
  /** A register call with this identity's key was accepted, or may have been. From then on every call is signed. */
  readonly registered: boolean;
  /** A device token was granted at least once: an administrator approved this device. */
  readonly approved: boolean;
  readonly registration: Registration | undefined;
  readonly tokens: DeviceTokens | undefined;
  /** A refresh of this generation was begun, and its answer is not stored. The token may be spent (B.2 step 6). */
  readonly refreshing: number | undefined;
}

/**
 * Every OAuth error code the spec lists (Errors 6), the older names of src/cloud/README.md 4, and RFC 8628's slow_down.
 */
export const oauthCodes = [
  'authorization_pending',
  'slow_down',
  'expired_device_code',
  'invalid_device_code',
  'token_refresh_error',
  'invalid_grant',
  'endpoint_not_authorized_for_device_token_refresh',
  'endpoint_not_authorized',
  'invalid_endpoint',
  'invalid_client_id',
  'duplicate_client_id',
  'invalid_client_secret',
  'access_denied',
  'missing_signature',
  'invalid_signature',
  'invalid_client_for_signature_verification',
  'invalid_key_type',
  'invalid_parameters',
  'invalid_response_type',
  'token_create_error',
  'error_saving_endpoint',
  'not_implemented',
] as const;
export type OAuthCode = (typeof oauthCodes)[number];

/** The service's verdict on an OAuth request: a definite answer, not a transport fault. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly code: OAuthCode;
  readonly retryAfter: Duration | undefined;

  constructor(
    code: OAuthCode,
    description: string,
    options: Pick<ProblemOptions, 'cause' | 'retryAfter'> = {},
  ) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}
