/** What is said of the person in front: where they may print, and how they like it. */
import type { Message } from '../sentence.ts';

export const personEn = {
  notHere: 'You may not print at this printer. Your documents wait for you at your other printers.',
  keepForMe: 'Keep for me',
  keptForYou: 'Kept for you: {what}',
  forgetKept: 'Forget what is kept for you',
  isKept: 'Kept for you',
  defaultsNotKept: 'That could not be kept. It is as it was.',
} as const satisfies Readonly<Record<string, Message>>;
