/** Randomness comes in by this door only, so that a test can replay a run from its seed. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Duration } from './duration.ts';

export interface Chance {
  /** Cryptographically strong bytes. */
  bytes(count: number): Buffer;
  /** RFC 9562 version 4. */
  uuid(): string;
  /** The span, moved by at most ±`part` of itself; keeps many terminals from knocking at the same moment. */
  jitter(span: Duration, part?: number): Duration;
}

export const systemChance: Chance = {
  bytes: (count) => randomBytes(count),
  // Node puts it together from twenty pieces, which V8 keeps, half a kilobyte for each that is kept; so it is one text.
  uuid: () => Buffer.from(randomUUID()).toString(),
  jitter: (span, part = 0.1) => (span * (1 + part * (2 * Math.random() - 1))) as Duration,
};

/** Far more bytes than the range, so that no number is likelier than another by more than 2^-64. */
export const numberBelow = (chance: Chance, range: bigint): bigint =>
  BigInt(`0x${chance.bytes(16).toString('hex')}`) % range;
