/** The person at the terminal: their credentials, and the answer of the service's login (UserInfo of the spec). */
import type { Secret } from '../core/secret.ts';
import type { CardNumber } from './card/card-number.ts';

/** One kind for each authtype of `POST /login`. The password beside a card is its PIN (src/cloud/README.md 6). */
export type Credentials =
  | { readonly kind: 'card'; readonly card: CardNumber; readonly password?: Secret }
  | { readonly kind: 'password'; readonly userName: string; readonly password: Secret }
  | { readonly kind: 'short-id'; readonly shortId: Secret }
  | { readonly kind: 'name'; readonly userName: string }
  | { readonly kind: 'email'; readonly email: string };

/** Identity is the pair of integers (INVARIANTS.md T27); the names are for display and for history records. */
export interface User {
  readonly id: number;
  readonly providerId: number;
  readonly userName: string;
  readonly fullName: string;
  readonly email?: string;
  readonly groupIds?: readonly number[];
}

/** A user's token lives in memory only (D3). */
export interface UserToken {
  readonly value: Secret;
  /** In monotonic milliseconds. After this time it is no longer worth sending. */
  readonly expiresAt: number;
}

export interface Login {
  readonly user: User;
  readonly token: UserToken;
}
