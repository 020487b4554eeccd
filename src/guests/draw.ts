/**
 * What a guest is called, and the number that signs it in. The service's API draws neither (spec, Users): both come from
 * the random numbers that keys come from, and tell nothing of the person, the time or each other.
 */
import type { Chance } from '../core/chance.ts';
import { Secret } from '../core/secret.ts';

/** Without what is mistaken for another on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const nameLetters = 6;

/** As many as the shortest limit that services are known to have; a terminal takes 4 to 16 (src/cloud/README.md 12, row 13). */
const digits = 8;

/** Far more bytes than the range, so that no number is likelier than another by more than 2^-64. */
const numberBelow = (chance: Chance, range: bigint): bigint =>
  BigInt(`0x${chance.bytes(16).toString('hex')}`) % range;

export function guestName(chance: Chance): string {
  const drawn = Array.from({ length: nameLetters }, () =>
    letters.charAt(Number(numberBelow(chance, BigInt(letters.length)))),
  );
  return `guest-${drawn.join('')}`;
}

/** It begins with no 0, which a service may take for nothing. */
export function guestShortId(chance: Chance): Secret {
  const least = 10n ** BigInt(digits - 1);
  return new Secret(String(least + numberBelow(chance, 9n * least)));
}
