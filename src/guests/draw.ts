/** What a guest is called: it tells nothing of the person, and is on the slip beside the short id. */
import type { Chance } from '../core/chance.ts';
import { numberBelow } from '../core/chance.ts';

/** Without what is mistaken for another on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const nameLetters = 6;

export function guestName(chance: Chance): string {
  const drawn = Array.from({ length: nameLetters }, () =>
    letters.charAt(Number(numberBelow(chance, BigInt(letters.length)))),
  );
  return `guest-${drawn.join('')}`;
}
