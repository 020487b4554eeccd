/**
 * Guests who come for hours: users of the service that this gateway creates, and deletes when their time is over. The
 * file has the calls to the service for guests, and the facts that are kept so that they end.
 */
import type { Amount } from '../amount.ts';
import type { Secret } from '../../core/secret.ts';
import type { UserToken } from '../user.ts';
import type { CallOptions } from './call.ts';

/** The most that a guest may be given. */
export const guestLimits = { hours: 168, pages: 1000 } as const;

/** The kept facts of a guest; the short id is not among them. */
export interface Guest {
  /** Drawn at random, so that it tells nothing about the person. */
  readonly userName: string;
  readonly providerId: number;
  /** Wall milliseconds. */
  readonly endsAt: number;
  /** Pages that the service counts. Absent: as many as it gives every user. */
  readonly pages?: number | undefined;
  /** False from the moment before the service is asked until everything is done. Such a guest ends at once. */
  readonly isMade: boolean;
}

export interface GuestBook {
  /**
   * A book of guests was there and could not be opened, so its guests are never ended. It stays so until an
   * administrator has handled it.
   */
  readonly isLost: boolean;
  all(): readonly Guest[];
  /** On disk when it returns. Throws `store-refused` or `store-failed`. */
  keep(guests: readonly Guest[]): void;
  /** An administrator says that the guests of the lost book are gone. Throws as `keep` does. */
  closeLost(): void;
}

/** The facts that a guest is given, looked up before anything is created. */
export interface GuestPlan {
  /** The provider of the local users. */
  readonly providerId: number;
  /** The primary group. */
  readonly groupId?: number | undefined;
  /** The amount that the pages cost. */
  readonly quota?: Amount | undefined;
}

export interface GuestCall extends CallOptions {
  /** The token of the user who may create and delete users. */
  readonly token: UserToken;
}

/** Rejects `guest-refused` if the service does not allow it, with the missing permission. */
export interface GuestService {
  plan(
    wish: {
      /** The name must be free, because a failed creation is undone by deleting it. */
      readonly userName: string;
      readonly pages?: number | undefined;
      readonly group?: string | undefined;
    },
    call: GuestCall,
  ): Promise<GuestPlan>;
  /** Makes several calls. Any failure may leave the user behind. */
  make(
    guest: { readonly userName: string; readonly shortId: Secret },
    plan: GuestPlan,
    call: GuestCall,
  ): Promise<void>;
  /** A user who is already gone counts as removed. */
  remove(guest: Pick<Guest, 'userName' | 'providerId'>, call: GuestCall): Promise<void>;
}
