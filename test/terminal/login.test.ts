import { describe, expect, it } from 'vitest';
import { hours, milliseconds, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { TypedCredentials, TypedWay } from '../../src/domain/login.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Credentials, Login } from '../../src/domain/user.ts';
import { alice, bob, terminalStage } from '../support/terminal/terminal-stage.ts';

const notSignedIn = 'That was not accepted. Please try again, or ask for help.';
const refused = () => Promise.reject(new Problem('login-refused', 'the service answered 401'));

const loginOf = (userName: string): Login => ({
  user: { id: 1, providerId: 3, userName, fullName: userName },
  token: { value: new Secret(`token of ${userName}`), expiresAt: hours(1) },
});

/** A service that keeps what it is asked, as text. */
function asked(answer: (credentials: Credentials) => Promise<Login> = async () => loginOf('alice')) {
  const calls: string[] = [];
  return {
    calls,
    login: (credentials: Credentials) => {
      const secret = 'password' in credentials ? ` ${credentials.password?.reveal()}` : '';
      calls.push(credentials.kind + secret);
      return answer(credentials);
    },
  };
}

const typed: Record<TypedWay, () => TypedCredentials> = {
  'short-id': () => ({ kind: 'short-id', shortId: new Secret('4711') }),
  password: () => ({ kind: 'password', userName: 'alice', password: new Secret('alice-secret') }),
  name: () => ({ kind: 'name', userName: 'alice' }),
  email: () => ({ kind: 'email', email: 'alice@example.org' }),
};
const ways = Object.keys(typed) as TypedWay[];

describe('typed words instead of a badge', () => {
  it.each(ways)('open a session by %s where that is offered', async (way) => {
    const { terminal, turn, state, generation, tap, closed } = terminalStage({ offer: { ways: [way] } });
    expect(terminal.view.current().offers).toEqual([way]);
    terminal.tell({ type: 'log-in', generation: generation(), credentials: typed[way]() });
    await turn();
    expect([state(), terminal.view.current().offers]).toEqual(['choosing', undefined]);
    // A session without a badge is ended by any, which begins its own.
    await tap(alice);
    expect([closed(), state()]).toEqual([['badge'], 'choosing']);
  });

  it.each(ways)('by %s are refused, with a record, where that is not offered', async (way) => {
    const others = ways.filter((one) => one !== way);
    const { terminal, turn, state, sentence, generation, logins, log } = terminalStage({
      offer: { ways: others },
    });
    terminal.tell({ type: 'log-in', generation: generation(), credentials: typed[way]() });
    await turn();
    expect([state(), sentence(), logins()]).toEqual(['prompting', notSignedIn, 0]);
    expect(log.records('login failed')).toMatchObject([{ code: 'login-refused', way }]);
  });

  it('are offered anew where the service says otherwise', () => {
    const { terminal } = terminalStage({ offer: { ways } });
    let changes = 0;
    terminal.view.onChange(() => (changes += 1));
    terminal.viewChanged();
    expect(changes).toBe(1);
  });

  it('that nobody could mean are refused without a call, in the same words', async () => {
    const { terminal, turn, sentence, generation, logins } = terminalStage({ offer: { ways } });
    terminal.tell({
      type: 'log-in',
      generation: generation(),
      credentials: { kind: 'short-id', shortId: new Secret('12') },
    });
    await turn();
    expect([sentence(), logins()]).toEqual([notSignedIn, 0]);
  });

  it('said to an older view, or said twice, do nothing (D2, I3)', async () => {
    const { terminal, turn, generation, logins, log } = terminalStage({ offer: { ways }, login: refused });
    const words = { generation: generation(), credentials: typed.password() };
    terminal.tell({ type: 'log-in', ...words });
    terminal.tell({ type: 'log-in', ...words });
    await turn();
    terminal.tell({ type: 'log-in', ...words });
    await turn();
    expect(logins()).toBe(1);
    expect(log.records('choice ignored')).toHaveLength(2);
  });

  it('are taken back by the button, and their late answer is dropped (B.4, 2)', async () => {
    let answer = (_: Login) => {};
    const login = () => new Promise<Login>((resolve) => (answer = resolve));
    const { terminal, turn, generation, state, log } = terminalStage({ offer: { ways }, login });
    terminal.tell({ type: 'log-in', generation: generation(), credentials: typed.password() });
    await turn();
    terminal.tell({ type: 'log-out', generation: generation() });
    answer(loginOf('alice'));
    await turn();
    expect([state(), log.records('session opened').length]).toEqual(['prompting', 0]);
  });

  it('leave nothing of their secret behind', async () => {
    const { terminal, turn, generation } = terminalStage({ offer: { ways } });
    const password = new Secret('alice-secret');
    terminal.tell({
      type: 'log-in',
      generation: generation(),
      credentials: { kind: 'password', userName: 'alice', password },
    });
    await turn();
    expect(password.reveal()).toBe('');
  });

  it('of which the answer is lost are not sent again, and that is told', async () => {
    const lost = new Problem('cloud-unreachable', 'reset', { delivery: 'perhaps' });
    const { terminal, turn, generation, sentence, logins } = terminalStage({
      offer: { ways },
      login: () => Promise.reject(lost),
    });
    terminal.tell({ type: 'log-in', generation: generation(), credentials: typed.password() });
    await turn();
    expect(logins()).toBe(1);
    expect(sentence()).toMatch(/^We do not know whether you were signed in\..*use a new one/);
  });
});

describe('a badge with a PIN', () => {
  const offer = { cardPin: true };

  it('is logged in with what is typed, once', async () => {
    const { calls, login } = asked();
    const { terminal, tap, turn, state, generation } = terminalStage({ offer, login });
    await tap(alice);
    expect([state(), terminal.view.current().asks, calls]).toEqual(['askingPin', 'pin', []]);
    terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('1234') });
    await turn();
    expect([state(), calls]).toEqual(['choosing', ['card 1234']]);
    await tap(alice);
    expect(state()).toBe('releasing');
  });

  it('never gets the PIN that was typed for another badge (I3)', async () => {
    const { calls, login } = asked();
    const { terminal, tap, turn, state, generation } = terminalStage({ offer, login });
    await tap(alice);
    const shown = generation();
    terminal.tell({ type: 'card', card: bob });
    terminal.tell({ type: 'pin', generation: shown, pin: new Secret('of alice') });
    await turn();
    expect([state(), calls]).toEqual(['askingPin', []]);
  });

  it.each([
    ['a second tap', (one: ReturnType<typeof terminalStage>) => one.tap(alice)],
    [
      'the button',
      async (one: ReturnType<typeof terminalStage>) =>
        one.terminal.tell({ type: 'log-out', generation: one.generation() }),
    ],
    [
      'taking the card out',
      async (one: ReturnType<typeof terminalStage>) =>
        one.terminal.tell({ type: 'card-removed', card: alice }),
    ],
    ['half a minute', (one: ReturnType<typeof terminalStage>) => one.clock.advance(seconds(31))],
    [
      'the service’s word',
      async (one: ReturnType<typeof terminalStage>) => one.terminal.tell({ type: 'unauthorized' }),
    ],
  ])('is forgotten by %s', async (_by, end) => {
    const at = terminalStage({ offer });
    await at.tap(alice);
    await end(at);
    await at.turn();
    expect(at.state()).toMatch(/prompting|outOfService/);
    expect(at.terminal.isIdle()).toBe(true);
    at.terminal.tell({ type: 'pin', generation: at.generation(), pin: new Secret('1234') });
    await at.turn();
    expect(at.logins()).toBe(0);
  });

  it('waits on while somebody touches keys', async () => {
    const { terminal, tap, clock, state, generation } = terminalStage({ offer });
    await tap(alice);
    await clock.advance(seconds(20));
    terminal.tell({ type: 'still-there', generation: generation() });
    await clock.advance(seconds(20));
    expect(state()).toBe('askingPin');
  });

  it('is asked for its PIN again after a refusal, which counts the tries, also when it is locked out', async () => {
    const { calls, login } = asked((credentials) =>
      calls.length > 5 ? Promise.resolve(loginOf('alice')) : refused().finally(() => void credentials),
    );
    const at = terminalStage({ offer: { ...offer, enrollment: true }, login });
    const { terminal, tap, turn, state, generation, sentence, log, signals } = at;
    await tap(alice);
    for (let tries = 1; tries <= 6; tries += 1) {
      terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('9999') });
      await turn();
      expect([state(), terminal.view.current().notice]).toMatchObject([
        'askingPin',
        { code: 'pin-refused', params: { n: tries } },
      ]);
    }
    expect(sentence()).toBe(
      'That was not accepted (6 tries). Please try again, or ask for help. Please type the PIN of your card.',
    );
    expect(calls).toHaveLength(5);
    expect(log.records('login failed').at(-1)).toMatchObject({ locked: 'identity' });
    expect(signals.map(([signal]) => signal)).toEqual(Array.from({ length: 6 }, () => 'refused'));
    await tap(bob);
    expect([state(), terminal.view.current().notice]).toEqual(['askingPin', undefined]);
  });

  it('is not signed in by a service that is away, and asked again from the badge on', async () => {
    const away = new Problem('cloud-unreachable', 'no connection', { delivery: 'not-sent' });
    const { terminal, tap, turn, state, generation } = terminalStage({
      offer,
      login: () => Promise.reject(away),
    });
    await tap(alice);
    terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('1234') });
    await turn();
    expect([state(), terminal.view.current().notice?.code]).toEqual(['prompting', 'cloud-unreachable']);
  });

  it('leaves neither its number nor its PIN in the log when it is refused (I5)', async () => {
    const { terminal, tap, turn, generation, log } = terminalStage({ offer, login: refused });
    await tap(alice);
    terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('739154') });
    await turn();
    expect(log.records('login failed')).toHaveLength(1);
    for (const secret of ['739154', alice.reveal()]) expect(log.text()).not.toContain(secret);
  });

  it('asks the next person for theirs', async () => {
    const { terminal, tap, turn, state, generation, closed } = terminalStage({ offer });
    await tap(alice);
    terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('1234') });
    await turn();
    await tap(bob);
    expect([closed(), state()]).toEqual([['badge'], 'askingPin']);
  });
});

describe('who is locked out (T09)', () => {
  it('is told the same after the same time as by the service, and the service is not asked', async () => {
    const slow = terminalStage({
      offer: { ways },
      login: async () => {
        await slow.clock.sleep(milliseconds(400));
        return refused();
      },
    });
    const { terminal, clock, turn, generation, sentence, logins, log, state } = slow;
    async function refusal() {
      const since = clock.monotonic();
      terminal.tell({ type: 'log-in', generation: generation(), credentials: typed.password() });
      await turn();
      while (state() === 'authenticating') await clock.advance(milliseconds(10));
      return [terminal.view.current().notice?.code, sentence(), clock.monotonic() - since];
    }
    const refusals = [];
    for (let count = 0; count < 6; count += 1) refusals.push(await refusal());
    expect(refusals).toEqual(refusals.map(() => ['login-refused', notSignedIn, 400]));
    expect(logins()).toBe(5);
    expect(log.records('login failed').at(-1)).toMatchObject({
      code: 'login-locked',
      way: 'password',
      locked: 'identity',
    });
    expect(log.text()).not.toContain('alice');
  });

  it('is everybody at a terminal after twenty refusals in a minute, which is a condition as long as it lasts', async () => {
    const { tap, logins, raised, clock, log } = terminalStage({ login: refused });
    for (let count = 0; count < 21; count += 1) await tap(count % 2 === 0 ? alice : bob);
    expect(logins()).toBe(20);
    expect(log.records('login failed').at(-1)).toMatchObject({ way: 'card', locked: 'terminal' });
    expect(raised.get('login')).toMatchObject({ code: 'login-locked', severity: 'warning', scope: 'lobby' });
    await clock.advance(seconds(61));
    expect(raised.size).toBe(0);
    await tap(alice);
    expect(logins()).toBe(21);
  });

  it('is nobody because of a fault of the service', async () => {
    const login = () =>
      Promise.reject(new Problem('cloud-unreachable', 'no route', { delivery: 'not-sent' }));
    const { tap, logins } = terminalStage({ login });
    for (let count = 0; count < 30; count += 1) await tap(alice);
    expect(logins()).toBe(30);
  });
});
