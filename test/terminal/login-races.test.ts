/** Badges, PINs, sign-ins, answers and second thoughts in any order (INVARIANTS.md I3, D2; B.4, 2). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { CardNumber } from '../../src/domain/card/card-number.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Credentials, Login } from '../../src/domain/user.ts';
import { alice, bob, terminalStage } from '../support/terminal/terminal-stage.ts';

const steps = [
  'tap alice',
  'tap bob',
  'type',
  'type late',
  'accept',
  'refuse',
  'log out',
  'take out',
  'wait',
] as const;
type Step = (typeof steps)[number];

/** What is typed is the number of the card that the screen asked about: any other at the service is a leak. */
async function play(said: readonly Step[]): Promise<string[]> {
  const leaks: string[] = [];
  const open: { credentials: Credentials; accept(): void; refuse(): void }[] = [];
  const nameOf = (credentials: Credentials) =>
    credentials.kind === 'card'
      ? credentials.card.reveal()
      : 'userName' in credentials
        ? credentials.userName
        : '';
  const at = terminalStage({
    offer: { cardPin: true, enrollment: true },
    documents: [],
    login: (credentials) => {
      const secret = 'password' in credentials ? credentials.password?.reveal() : undefined;
      if (secret !== nameOf(credentials)) leaks.push(`${nameOf(credentials)} with the secret of ${secret}`);
      const user = { id: 1, providerId: 3, userName: nameOf(credentials), fullName: nameOf(credentials) };
      const login = { user, token: { value: new Secret('token'), expiresAt: hours(1) } };
      return new Promise<Login>((resolve, reject) => {
        const refuse = () => reject(new Problem('login-refused', 'status 401'));
        open.push({ credentials, accept: () => resolve(login), refuse });
      });
    },
    enrolCard: async ({ userName }, card) => {
      if (userName !== card.reveal()) leaks.push(`the card of ${card.reveal()} for ${userName}`);
    },
  });
  let badge: CardNumber | undefined;
  let shown = { generation: at.generation(), badge };

  const answer = ({ generation, badge: asked }: typeof shown) => {
    const text = asked?.reveal() ?? 'nobody';
    at.terminal.tell({ type: 'pin', generation, pin: new Secret(text) });
    at.terminal.tell({ type: 'enrol', generation, userName: text, password: new Secret(text) });
  };
  const tap = (card: CardNumber) => {
    badge = card;
    at.terminal.tell({ type: 'card', card });
  };
  const meanings: Record<Step, () => unknown> = {
    'tap alice': () => tap(alice),
    'tap bob': () => tap(bob),
    type: () => answer({ generation: at.generation(), badge }),
    'type late': () => answer(shown),
    accept: () => open.shift()?.accept(),
    refuse: () => open.shift()?.refuse(),
    'log out': () => at.terminal.tell({ type: 'log-out', generation: at.generation() }),
    'take out': () => badge && at.terminal.tell({ type: 'card-removed', card: badge }),
    wait: () => at.clock.advance(seconds(20)),
  };
  for (const step of said) {
    const before = { generation: at.generation(), badge };
    await meanings[step]();
    if (step.startsWith('tap')) shown = before;
    await at.turn();
    const { fullName } = at.terminal.view.current();
    if (fullName !== undefined && fullName !== badge?.reveal())
      leaks.push(`${fullName} to ${badge?.reveal()}`);
  }
  at.stop.abort();
  return leaks;
}

it('no secret reaches the service with another badge, and nobody sees another’s session', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 30 }), async (said) => {
      expect(await play(said)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
