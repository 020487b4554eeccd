/** The person who badged in, as the service's login answers (UserInfo of the spec). */
import type { Secret } from '../core/secret.ts';

/** Identity is the pair of integers (reliability.md T27); the names are for display and for history records. */
export interface User {
  readonly id: number;
  readonly providerId: number;
  readonly userName: string;
  readonly fullName: string;
}

/** A user's token lives in memory only (D3). */
export interface UserToken {
  readonly value: Secret;
  /** Monotonic milliseconds after which it is no longer worth sending. */
  readonly expiresAt: number;
}

export interface Login {
  readonly user: User;
  readonly token: UserToken;
}
