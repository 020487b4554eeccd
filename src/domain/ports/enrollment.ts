/** The outside world of the enrollment machine: the OAuth side of the service and the device's durable facts. */
import type { Secret } from '../../core/secret.ts';
import type { DeviceFacts, DeviceIdentity, Registration, RegistrationKind, TokenGrant } from '../device.ts';
import type { CallOptions } from './call.ts';

/** The OAuth side of the service. A definite verdict rejects with `OAuthRefusal`, a transport fault with `Problem`. */
export interface DeviceAuthorization {
  /** `first` is unsigned, `repeated` carries the signature; both carry the public key. */
  register(device: DeviceIdentity, kind: RegistrationKind, options: CallOptions): Promise<Registration>;
  requestToken(device: DeviceIdentity, deviceCode: Secret, options: CallOptions): Promise<TokenGrant>;
  /** Sends the refresh token exactly once. The enrollment machine decides whether to try again (B.2). */
  refresh(device: DeviceIdentity, refreshToken: Secret, options: CallOptions): Promise<TokenGrant>;
}

/**
 * The device's durable facts. Every write is on disk (fsync, rename, fsync of the directory) when it returns. A full or
 * read-only disk throws `store-refused` and has changed nothing; an I/O error throws `store-failed` (D12).
 */
export interface DeviceStore {
  facts(): DeviceFacts;
  /** Called before the first registration is sent, because it may arrive although its answer is never stored. */
  markRegistering(): void;
  /** Also remembers for good that this identity was registered. */
  saveRegistration(registration: Registration): void;
  /** The device code is dead: it expired, or the service said so. */
  forgetRegistration(): void;
  /** Called before a refresh is sent: B.2 step 3. Reserves the room that `saveTokens` will need. */
  markRefreshing(generation: number): void;
  /** Stores the next generation (the stored one + 1), and forgets the registration that led to it. */
  saveTokens(grant: TokenGrant): void;
  forgetTokens(): void;
}

/** The device token for callers of the service. */
export interface DeviceTokenSource {
  /** Waits while a refresh is under way; rejects `terminal-not-authorized` when there is none to wait for. */
  current(options: CallOptions): Promise<Secret>;
  /** The service answered 401 to this token; starts one shared refresh unless it was replaced already. */
  refused(token: Secret): void;
  /** The service answered 403 to a call this token must be good for: perhaps the device is no longer trusted (B.3). */
  denied(token: Secret): void;
}

/** Whether the service still trusts this device (EndpointInfo). */
export interface DeviceTrust {
  /** Rejects `cloud-denied` or `cloud-not-found` if the service does not list devices. */
  isAuthorized(clientId: string, options: CallOptions): Promise<boolean>;
}
