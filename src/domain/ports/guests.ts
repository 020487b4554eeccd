/**
 * People who come for hours: users of the service that this gateway makes, and deletes at their time. What the service is
 * asked for them, and what is kept of them so that they end.
 */
import type { Amount } from '../amount.ts';
import type { Secret } from '../../core/secret.ts';
import type { UserToken } from '../user.ts';
import type { CallOptions } from './call.ts';

/** What is kept of one; the short id is not among it. */
export interface Guest {
  /** Drawn: it tells nothing of the person. */
  readonly userName: string;
  readonly providerId: number;
  /** Wall milliseconds. */
  readonly endsAt: number;
  /** That the service counts; absent: as many as it gives everybody. */
  readonly pages?: number | undefined;
  /** False from before the service is asked until it has done all: such a one is over at once. */
  readonly isMade: boolean;
}

export interface GuestBook {
  /** A book was there that could not be opened: whom it named nobody ends. It stays so until an administrator has seen to it. */
  readonly isLost: boolean;
  all(): readonly Guest[];
  /** On disk when it returns. Throws `store-refused` or `store-failed`. */
  keep(guests: readonly Guest[]): void;
  /** Whom the lost book named is gone, by an administrator's word. Throws as `keep` does. */
  closeLost(): void;
}

/** What a guest is given, looked up before anything is made. */
export interface GuestPlan {
  /** Of the local users. */
  readonly providerId: number;
  /** Primary key. */
  readonly groupId?: number | undefined;
  /** What the pages cost. */
  readonly quota?: Amount | undefined;
}

export interface GuestCall extends CallOptions {
  /** Of the one who may make and delete users. */
  readonly token: UserToken;
}

/** Rejects `guest-refused` where the service does not give it, with what it lacks. */
export interface GuestService {
  plan(
    wish: {
      /** Nobody may have it: who is half made is deleted by it. */
      readonly userName: string;
      readonly pages?: number | undefined;
      readonly group?: string | undefined;
    },
    call: GuestCall,
  ): Promise<GuestPlan>;
  /** More than one call: whatever fails may leave the user behind. */
  make(
    guest: { readonly userName: string; readonly shortId: Secret },
    plan: GuestPlan,
    call: GuestCall,
  ): Promise<void>;
  /** Whoever is not there any more is removed. */
  remove(guest: Pick<Guest, 'userName' | 'providerId'>, call: GuestCall): Promise<void>;
}
