/** The port GuestBook as a sealed file: which guest ends, and when. It never holds the guest's sign-in secret. */
import { z } from 'zod';
import type { Guest, GuestBook } from '../../domain/ports/guests.ts';
import type { SealedFiles } from './sealed-files.ts';

const fileName = 'guests';

const shape = z.object({
  isAnotherLost: z.boolean().optional(),
  guests: z.array(
    z.object({
      userName: z.string(),
      providerId: z.int(),
      endsAt: z.number(),
      pages: z.int().optional(),
      isMade: z.boolean(),
    }),
  ),
});

export function openGuestBook(files: SealedFiles): GuestBook {
  const stored = files.read(fileName, shape);
  let guests: readonly Guest[] = stored.kind === 'value' ? stored.value.guests : [];
  let isLost = stored.kind === 'value' ? stored.value.isAnotherLost === true : stored.kind !== 'absent';
  const write = (next: readonly Guest[], isAnotherLost: boolean) =>
    files.write(fileName, { guests: next, ...(isAnotherLost && { isAnotherLost }) });
  return {
    get isLost() {
      return isLost;
    },
    all: () => guests,
    keep(next) {
      write(next, isLost);
      guests = next;
    },
    closeLost() {
      write(guests, false);
      isLost = false;
    },
  };
}
