/** All randomness comes from here, so that a test can replay a run from its seed. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Duration } from './duration.ts';

export interface Chance {
  bytes(count: number): Buffer;
  /** A UUID of RFC 9562 version 4. */
  uuid(): string;
  /** The span, changed by at most ±`part` of itself, so that many terminals do not call at the same moment. */
  jitter(span: Duration, part?: number): Duration;
}

export const systemChance: Chance = {
  bytes: (count) => randomBytes(count),
  // Node joins a UUID from twenty pieces, and V8 keeps the pieces: half a kilobyte for each UUID that is kept. The copy
  // is one flat text.
  uuid: () => Buffer.from(randomUUID()).toString(),
  jitter: (span, part = 0.1) => (span * (1 + part * (2 * Math.random() - 1))) as Duration,
};

/** Takes far more bytes than the range needs, so that no number is more likely than another by more than 2^-64. */
export const numberBelow = (chance: Chance, range: bigint): bigint =>
  BigInt(`0x${chance.bytes(16).toString('hex')}`) % range;
