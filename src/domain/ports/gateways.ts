/** A look at many gateways (F17): in a fleet all of its members, else only this one. */
import type { GatewayDigest } from '../gateway-digest.ts';

export interface SeenGateway {
  readonly digest: GatewayDigest;
  /** False: only its entry on the roll is known, and the rest of the digest is empty. */
  readonly hasTold: boolean;
  /**
   * Since the digest was written, or without a digest since the last beat. One clock is used for all; 0 for this
   * gateway alone.
   */
  readonly ageSeconds: number;
  /** By the same clock. */
  readonly lastBeatSeconds: number;
  readonly isSelf: boolean;
  /** Its beats arrive; always true for this gateway alone. */
  readonly isBeating: boolean;
}

export interface Gateways {
  /** Rejects `fleet-engine-away` if the engine does not answer in time. */
  seen(abort: AbortSignal): Promise<readonly SeenGateway[]>;
  /**
   * The member that has, or had, the release whose id begins with the prefix; `undefined` if it is not known. Rejects
   * as `seen` does.
   */
  holderOf(idPrefix: string, abort: AbortSignal): Promise<string | undefined>;
}
