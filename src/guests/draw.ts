/** The user name of a guest. It tells nothing about the person, and is on the slip beside the short id. */
import type { Chance } from '../core/chance.ts';
import { numberBelow } from '../core/chance.ts';

/** Without letters and digits that look alike on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const nameLetters = 6;

export function guestName(chance: Chance): string {
  const drawn = Array.from({ length: nameLetters }, () =>
    letters.charAt(Number(numberBelow(chance, BigInt(letters.length)))),
  );
  return `guest-${drawn.join('')}`;
}
