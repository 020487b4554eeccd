/** What one person at the terminal leaves to the next: no badge, no try, no sentence, no session (I3, T09). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { TypedCredentials } from '../../src/domain/login.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Login } from '../../src/domain/user.ts';
import { alice, bob, terminalStage } from '../support/terminal/terminal-stage.ts';

const notSignedIn = 'That was not accepted. Please try again, or ask for help.';
const refused = () => Promise.reject(new Problem('login-refused', 'the service answered 401'));
const never = () => new Promise<Login>(() => {});
const password = (): TypedCredentials => ({
  kind: 'password',
  userName: 'alice',
  password: new Secret('wrong'),
});

describe('a badge that came while the terminal went out of service', () => {
  async function afterBobsBadge(options: Parameters<typeof terminalStage>[0]) {
    const at = terminalStage(options);
    await at.tap(alice);
    at.terminal.tell({ type: 'unauthorized' });
    await at.tap(bob);
    expect(at.state()).toBe('outOfService');
    at.terminal.tell({ type: 'authorized' });
    await at.turn();
    return at;
  }

  it('releases nothing of who types next: it is another person’s', async () => {
    const { terminal, generation, turn, tap, tickets, state, closed } = await afterBobsBadge({
      offer: { ways: ['name'] },
    });
    terminal.tell({
      type: 'log-in',
      generation: generation(),
      credentials: { kind: 'name', userName: 'carol' },
    });
    await turn();
    expect(state()).toBe('choosing');
    await tap(bob);
    expect([closed(), tickets]).toEqual([['badge', 'badge'], []]);
  });

  it('is not offered for enrolment to who types next', async () => {
    const { terminal, generation, turn, state } = await afterBobsBadge({
      offer: { ways: ['password'], enrollment: true },
      login: async (credentials) => {
        if (credentials.kind !== 'card') return refused();
        return {
          user: { id: 1, providerId: 3, userName: 'alice', fullName: 'alice' },
          token: { value: new Secret('token'), expiresAt: Infinity },
        };
      },
    });
    terminal.tell({ type: 'log-in', generation: generation(), credentials: password() });
    await turn();
    expect(state()).toBe('prompting');
  });
});

describe('a login that is given up before its answer', () => {
  it.each([
    [
      'the button',
      (at: ReturnType<typeof terminalStage>) =>
        at.terminal.tell({ type: 'log-out', generation: at.generation() }),
    ],
    [
      'a badge',
      (at: ReturnType<typeof terminalStage>) =>
        at.terminal.tell({ type: 'card-unreadable', problem: new Problem('card-not-convertible', '') }),
    ],
  ])('by %s is no free try: the sixth does not reach the service', async (_by, giveUp) => {
    const login: typeof never = async () => {
      await at.clock.sleep(seconds(1));
      return refused();
    };
    const at = terminalStage({
      offer: { ways: ['password'] },
      login: (_, { signal }) => abortable(login(), signal),
    });
    for (let count = 0; count < 6; count += 1) {
      at.terminal.tell({ type: 'log-in', generation: at.generation(), credentials: password() });
      await at.turn();
      giveUp(at);
      await at.turn();
    }
    expect(at.logins()).toBe(5);
  });
});

const abortable = (login: Promise<Login>, signal: AbortSignal): Promise<Login> =>
  new Promise((resolve, reject) => {
    login.then(resolve, reject);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('a sentence', () => {
  it('about typed words that are not offered is gone after a while', async () => {
    const { terminal, clock, generation, sentence, turn } = terminalStage();
    await clock.advance(seconds(60));
    terminal.tell({ type: 'log-in', generation: generation(), credentials: password() });
    await turn();
    expect(sentence()).toBe(notSignedIn);
    await clock.advance(seconds(9));
    expect(sentence()).toBe('Hold your card to the reader.');
  });

  it('about a refusal does not stay on a terminal that goes out of service', async () => {
    const { terminal, tap, clock, sentence } = terminalStage({ login: refused });
    await tap(alice);
    terminal.tell({ type: 'unauthorized' });
    expect(sentence()).toBe(notSignedIn);
    await clock.advance(seconds(9));
    expect(sentence()).toBe('This terminal is not signed in. Please use another one.');
  });

  it('that says who is signed in does not outlive the session', async () => {
    const { terminal, tap, turn, generation, sentence, state } = terminalStage({
      offer: { enrollment: true },
      enrolCard: () => Promise.reject(new Problem('cloud-denied', 'status 403', { status: 403 })),
      login: async (credentials) => {
        if (credentials.kind === 'card') return refused();
        return {
          user: { id: 1, providerId: 3, userName: 'alice', fullName: 'alice' },
          token: { value: new Secret('token'), expiresAt: Infinity },
        };
      },
    });
    await tap(alice);
    terminal.tell({
      type: 'enrol',
      generation: generation(),
      userName: 'alice',
      password: new Secret('right'),
    });
    await turn();
    expect(sentence()).toBe('You are signed in. The card could not be registered.');
    terminal.tell({ type: 'log-out', generation: generation() });
    expect([state(), sentence()]).toEqual(['prompting', 'Hold your card to the reader.']);
  });
});

describe('what is taken back while it is asked about', () => {
  it('enrolment is no way in by password any more', async () => {
    const offer = { enrollment: true };
    const { terminal, tap, turn, generation, logins, state, sentence, log } = terminalStage({
      offer,
      login: refused,
    });
    await tap(alice);
    offer.enrollment = false;
    terminal.viewChanged();
    terminal.tell({
      type: 'enrol',
      generation: generation(),
      userName: 'alice',
      password: new Secret('right'),
    });
    await turn();
    expect([logins(), state(), sentence()]).toEqual([1, 'prompting', notSignedIn]);
    expect(log.records('login failed').at(-1)).toMatchObject({ way: 'password' });
  });

  it('the right to log in, while a badge is relayed', async () => {
    const { terminal, relay, tap, turn, logins, state } = terminalStage();
    await turn();
    relay();
    terminal.tell({ type: 'unauthorized' });
    await tap(alice);
    expect([logins(), state()]).toEqual([0, 'relaying']);
  });

  it('a session is, by a badge that is not relayed because the terminal is out of service', async () => {
    const { terminal, relay, tap, closed, state } = terminalStage();
    await tap(alice);
    terminal.tell({ type: 'unauthorized' });
    expect(relay()).toBeUndefined();
    expect([closed(), state()]).toEqual([['badge'], 'outOfService']);
  });
});
