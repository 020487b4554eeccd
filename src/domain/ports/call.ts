/**
 * What every call of every port takes. The ports of this folder are where the folders of rank 2 meet: what the
 * machines need of the world, to which `agent.ts` introduces an adapter each. Every port has one contract suite in
 * `test/contracts` that runs against the fake and the real thing. Whatever waits takes a signal; whatever fails
 * rejects with a `Problem`.
 */
import type { UserToken } from '../user.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
}

/** Of a call that may take minutes. */
export interface LongCallOptions extends CallOptions {
  /** It moves: octets came or went, a page was counted. Told as often as that happens. */
  readonly onProgress?: (() => void) | undefined;
}

/** A call on the authority of the given user; without one, of the device (src/cloud/README.md 7). */
export interface CallerOptions extends CallOptions {
  readonly token?: UserToken;
}
