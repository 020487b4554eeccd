/** R: badges, words, answers and ends of prints in every order (INVARIANTS.md D2, I3; B.4, 1 and 10). */
import { expect, it } from 'vitest';
import { raceSessions } from './session-races.ts';

it('nobody ever sees, prints or ends what is another’s, whatever comes first (I3)', async () => {
  const { sessions, tickets, picked, personal } = await raceSessions({ runs: 6000 });
  // Where nobody sees or prints anything, nothing would be proven.
  expect(Math.min(sessions, tickets, personal)).toBeGreaterThan(1000);
  expect(picked).toBeGreaterThan(10);
});
