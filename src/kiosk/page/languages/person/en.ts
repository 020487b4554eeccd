/** What is said of the person in front: where they may print. */
import type { Message } from '../sentence.ts';

export const personEn = {
  notHere: 'You may not print at this printer. Your documents wait for you at your other printers.',
} as const satisfies Readonly<Record<string, Message>>;
