/**
 * The options of every call of every port. The ports of this folder join the folders of rank 2. They state the needs of
 * the machines, and `agent/` provides an adapter for each. Every port has one contract suite in `test/contracts`,
 * which runs against the fake and the real thing. A call that waits takes a signal, and a call that fails rejects with
 * a `Problem`.
 */
import type { UserToken } from '../user.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
}

/** For a call that may take minutes. */
export interface LongCallOptions extends CallOptions {
  /** Called as often as something moves: octets came or went, a page was counted. */
  readonly onProgress?: (() => void) | undefined;
}

/** A call on the authority of the given user, or of the device if there is none (src/cloud/README.md 7). */
export interface CallerOptions extends CallOptions {
  readonly token?: UserToken;
}
