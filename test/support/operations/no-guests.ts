/** What the control socket does with guests where nobody comes. */
import type { GuestActions } from '../../../src/operations/guest-calls.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';

export const noGuests: GuestActions = {
  list: () => [],
  make: async () => {
    throw new Problem('guest-refused', 'No guests are set up here');
  },
  end: async () => [],
};
