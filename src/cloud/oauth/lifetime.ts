/** The life of a token or code, from an `expires_in` that may be missing or absurd (INVARIANTS.md B.4, 2). */
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';

/** The values used if the service says nothing (src/cloud/README.md 12, rows 7 and 8), or says nonsense. */
export interface Lifetimes {
  readonly absent: Duration;
  readonly absurd: Duration;
}

export const accessTokenLife: Lifetimes = { absent: seconds(3600), absurd: seconds(60) };
/** A code with an endless life, or none, is still used: the service says when it has expired. */
export const deviceCodeLife: Lifetimes = { absent: seconds(259_200), absurd: seconds(259_200) };

const tenYearsInSeconds = 10 * 366 * 24 * 3600;

export function lifetime(expiresIn: unknown, { absent, absurd }: Lifetimes): Duration {
  if (expiresIn === undefined || expiresIn === null) return absent;
  const given = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  return typeof given === 'number' && given > 0 && given <= tenYearsInSeconds ? seconds(given) : absurd;
}
