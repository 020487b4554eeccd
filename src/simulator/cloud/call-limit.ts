/**
 * The calls that a simulated cloud bears, by `callsPerSecond` and `callsAtOnce`. It answers any more with 429 (RFC 6585
 * section 4) and Retry-After in whole seconds (RFC 9110 section 10.2.3), and carries none of them out.
 */
import { inSeconds } from '../../core/duration.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { Answer } from './call.ts';
import { errorAnswer } from './call.ts';
import type { CloudContext } from './context.ts';

export class CallLimit {
  readonly #context: Pick<CloudContext, 'settings' | 'clock'>;
  #inForce: { readonly perSecond: number; readonly atOnce: number; readonly bucket: TokenBucket } | undefined;

  constructor(context: Pick<CloudContext, 'settings' | 'clock'>) {
    this.#context = context;
  }

  /** Counts one call. Gives the answer to a call that is too much. */
  refusal(): Answer | undefined {
    const bucket = this.#bucket();
    if (bucket === undefined || bucket.take()) return undefined;
    const wait = Math.max(1, Math.ceil(inSeconds(bucket.wait())));
    return {
      ...errorAnswer(429),
      headers: { 'retry-after': String(wait) },
      why: 'more calls than callsPerSecond and callsAtOnce allow',
    };
  }

  /** As after a quiet time. */
  forget(): void {
    this.#inForce = undefined;
  }

  /** A setting that changes counts from a quiet time on. */
  #bucket(): TokenBucket | undefined {
    const { settings, clock } = this.#context;
    const { callsPerSecond: perSecond, callsAtOnce: atOnce } = settings;
    if (perSecond === 0) return undefined;
    const rate = { requestsPerSecond: perSecond, burst: atOnce };
    if (this.#inForce?.perSecond !== perSecond || this.#inForce.atOnce !== atOnce)
      this.#inForce = { perSecond, atOnce, bucket: new TokenBucket(rate, clock) };
    return this.#inForce.bucket;
  }
}
