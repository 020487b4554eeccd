/** Looking at many gateways (F17): in a fleet all of its members, else this one alone. */
import type { GatewayDigest } from '../gateway-digest.ts';

export interface SeenGateway {
  readonly digest: GatewayDigest;
  /** False: nothing is known but its entry on the roll, and the rest of the digest is empty. */
  readonly hasTold: boolean;
  /** Since the digest was written, or without one since the last beat, by one clock for all; 0 for this gateway alone. */
  readonly ageSeconds: number;
  /** By the same clock. */
  readonly lastBeatSeconds: number;
  readonly isSelf: boolean;
  /** Its beats arrive; always so for this gateway alone. */
  readonly isBeating: boolean;
}

export interface Gateways {
  /** Rejects `fleet-engine-away` where the engine does not answer in time. */
  seen(abort: AbortSignal): Promise<readonly SeenGateway[]>;
  /** The member that has, or had, the one release whose id begins so; `undefined`: none is known. Rejects likewise. */
  holderOf(idPrefix: string, abort: AbortSignal): Promise<string | undefined>;
}
