import { describe, expect, it } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { LoginOffer } from '../../src/domain/login.ts';
import type { Users } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Credentials, Login } from '../../src/domain/user.ts';
import { alice, bob, terminalStage } from '../support/terminal/terminal-stage.ts';

const notSignedIn = 'That was not accepted. Please try again, or ask for help.';
const refusal = new Problem('login-refused', 'the service answered 401');
const denied = new Problem('cloud-denied', 'status 403', { status: 403 });
const lost = new Problem('cloud-unreachable', 'reset', { delivery: 'perhaps' });
const away = new Problem('cloud-unreachable', 'no route', { delivery: 'not-sent' });

const ofAlice: Login = {
  user: { id: 1, providerId: 3, userName: 'alice', fullName: 'Alice Archer' },
  token: { value: new Secret('token of alice'), expiresAt: hours(1) },
};

/** A terminal at whose service only `open sesame` opens, and no card is known but `known`. */
function standing(options: {
  offer?: Partial<LoginOffer>;
  enrolCard?: Users['enrolCard'];
  signIn?: () => Promise<Login>;
}) {
  const known: string[] = [];
  const signIns: string[] = [];
  const login = async (credentials: Credentials) => {
    if (credentials.kind === 'card') {
      if (known.includes(credentials.card.reveal())) return ofAlice;
      throw refusal;
    }
    const password = credentials.kind === 'password' ? credentials.password.reveal() : '';
    signIns.push(password);
    if (options.signIn) return options.signIn();
    if (password !== 'open sesame') throw refusal;
    return ofAlice;
  };
  const enrolCard: Users['enrolCard'] =
    options.enrolCard ?? (async (_user, card) => void known.push(card.reveal()));
  const made = terminalStage({ offer: { enrollment: true, ...options.offer }, login, enrolCard });
  return {
    ...made,
    known,
    signIns,
    enrol: async (password: string) => {
      const generation = made.generation();
      made.terminal.tell({ type: 'enrol', generation, userName: 'alice', password: new Secret(password) });
      await made.turn();
    },
  };
}

describe('an unknown badge', () => {
  it('becomes whose who signs in with it, and is theirs from then on', async () => {
    const { tap, enrol, state, sentence, terminal, log, known, tickets } = standing({});
    await tap(alice);
    expect([state(), terminal.view.current().asks]).toEqual(['enrolling', 'enrollment']);
    await enrol('open sesame');
    expect([state(), known]).toEqual(['choosing', [alice.reveal()]]);
    expect(sentence()).toBe('Your card is registered. You can now sign in with it.');
    expect(log.records('card registered')).toHaveLength(1);
    await tap(alice);
    expect(tickets).toHaveLength(2);
    await tap(alice);
    await tap(alice);
    expect(log.records('session opened')).toHaveLength(2);
  });

  it('is merely refused where no enrolment is offered', async () => {
    const { tap, state, sentence } = standing({ offer: { enrollment: false } });
    await tap(alice);
    expect([state(), sentence()]).toEqual(['prompting', notSignedIn]);
  });

  it('is asked for its PIN again where there is one, like every card whose PIN was wrong (T09)', async () => {
    const { tap, terminal, turn, generation, state } = standing({ offer: { cardPin: true } });
    await tap(alice);
    terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('1234') });
    await turn();
    expect(state()).toBe('askingPin');
  });

  it('is not asked about where the service does not know its own mind', async () => {
    const { tap, state } = terminalStage({ offer: { enrollment: true }, login: () => Promise.reject(away) });
    await tap(alice);
    expect(state()).toBe('prompting');
  });

  it('may be tried again after a refused sign-in, until the lock-out', async () => {
    const { tap, enrol, state, sentence, signIns, log } = standing({});
    await tap(alice);
    for (let count = 0; count < 5; count += 1) {
      await enrol('wrong');
      expect([state(), sentence().startsWith(notSignedIn)]).toEqual(['enrolling', true]);
    }
    await enrol('open sesame');
    expect([state(), sentence(), signIns.length]).toEqual(['prompting', notSignedIn, 5]);
    expect(log.records('login failed').at(-1)).toMatchObject({ locked: 'identity' });
  });

  it('leaves its holder signed in where it may not be registered, and says so', async () => {
    let calls = 0;
    const enrolCard = () => {
      calls += 1;
      return Promise.reject(denied);
    };
    const { tap, enrol, state, sentence, log, closed } = standing({ enrolCard });
    await tap(alice);
    await enrol('open sesame');
    expect([state(), sentence()]).toEqual([
      'choosing',
      'You are signed in. The card could not be registered.',
    ]);
    expect(log.records('card not registered')).toMatchObject([{ code: 'cloud-denied' }]);
    expect(calls).toBe(1);
    // It is nobody's badge still.
    await tap(alice);
    expect([closed(), state()]).toEqual([['badge'], 'enrolling']);
  });

  it('is registered by the same call once more where its answer is lost, and the sign-in is not repeated', async () => {
    let calls = 0;
    const enrolCard = async () => {
      calls += 1;
      if (calls < 3) throw lost;
    };
    const { tap, enrol, clock, sentence, signIns } = standing({ enrolCard });
    await tap(alice);
    await enrol('open sesame');
    await clock.advance(seconds(3));
    expect([calls, signIns.length, sentence()]).toEqual([
      3,
      1,
      'Your card is registered. You can now sign in with it.',
    ]);
  });

  it('may be registered or not where no answer ever comes, and that is what is said', async () => {
    let calls = 0;
    const enrolCard = () => {
      calls += 1;
      return Promise.reject(lost);
    };
    const { tap, enrol, clock, state, sentence } = standing({ enrolCard });
    await tap(alice);
    await enrol('open sesame');
    await clock.advance(seconds(3));
    expect([calls, state(), sentence()]).toEqual([
      3,
      'choosing',
      'You are signed in. We do not know whether the card was registered.',
    ]);
  });

  it('waits on where the answer to the sign-in is lost, which is not sent again', async () => {
    const { tap, enrol, state, sentence, signIns } = standing({ signIn: () => Promise.reject(lost) });
    await tap(alice);
    await enrol('one-time');
    expect([state(), signIns]).toEqual(['enrolling', ['one-time']]);
    expect(sentence()).toMatch(/^We do not know whether you were signed in\./);
  });

  it('is told that nobody knows where the sign-in never comes to an end', async () => {
    const { tap, enrol, clock, state, sentence } = standing({ signIn: () => new Promise<Login>(() => {}) });
    await tap(alice);
    await enrol('one-time');
    await clock.advance(seconds(31));
    expect([state(), sentence()]).toEqual(['prompting', expect.stringMatching(/^We do not know/)]);
  });

  it('is not half registered while the service is away', async () => {
    const { tap, enrol, state, sentence, known } = standing({ signIn: () => Promise.reject(away) });
    await tap(alice);
    await enrol('open sesame');
    expect([state(), known]).toEqual(['prompting', []]);
    expect(sentence()).toBe(
      'The print service cannot be reached. We keep trying. Your card was not registered.',
    );
  });
});

describe('an unknown badge that waits', () => {
  type Standing = ReturnType<typeof standing>;

  it.each([
    ['the same badge again', (one: Standing) => one.tap(alice)],
    [
      'the button',
      async (one: Standing) => one.terminal.tell({ type: 'log-out', generation: one.generation() }),
    ],
    [
      'taking the card out',
      async (one: Standing) => one.terminal.tell({ type: 'card-removed', card: alice }),
    ],
    ['a minute', (one: Standing) => one.clock.advance(seconds(61))],
    ['the service’s word', async (one: Standing) => one.terminal.tell({ type: 'unauthorized' })],
  ])('is forgotten by %s', async (_by, end) => {
    const at = standing({});
    await at.tap(alice);
    await end(at);
    await at.turn();
    expect(at.state()).toMatch(/prompting|outOfService/);
    await at.enrol('open sesame');
    expect([at.signIns, at.terminal.isIdle()]).toEqual([[], true]);
  });

  it('waits on while somebody touches keys', async () => {
    const { tap, terminal, clock, generation, state } = standing({});
    await tap(alice);
    await clock.advance(seconds(50));
    terminal.tell({ type: 'still-there', generation: generation() });
    await clock.advance(seconds(50));
    expect(state()).toBe('enrolling');
  });

  it('gives way to another badge, which gets nothing of what was typed (I3)', async () => {
    const { tap, terminal, turn, generation, state, signIns, known } = standing({});
    await tap(alice);
    const shown = generation();
    terminal.tell({ type: 'card', card: bob });
    terminal.tell({
      type: 'enrol',
      generation: shown,
      userName: 'alice',
      password: new Secret('open sesame'),
    });
    await turn();
    expect([state(), signIns, known]).toEqual(['enrolling', [], []]);
  });

  it('gives way to another badge during the sign-in, whose late answer and token are dropped (B.4, 2)', async () => {
    let answer = (_: Login) => {};
    const signIn = () => new Promise<Login>((resolve) => (answer = resolve));
    const { tap, enrol, turn, known, log } = standing({ signIn });
    await tap(alice);
    await enrol('open sesame');
    await tap(bob);
    answer(ofAlice);
    await turn();
    expect([known, log.records('session opened')]).toEqual([[], []]);
  });

  it('gives way to another badge during the registration, whose late answer is told to nobody', async () => {
    let answer = () => {};
    const enrolCard = () => new Promise<void>((resolve) => (answer = resolve));
    const { tap, enrol, turn, state, sentence, closed } = standing({ enrolCard });
    await tap(alice);
    await enrol('open sesame');
    expect(state()).toBe('registering');
    await tap(bob);
    answer();
    await turn();
    expect([closed(), state()]).toEqual([['badge'], 'enrolling']);
    expect(sentence()).not.toContain('registered');
  });

  it('shows nothing of its holder, and the log names no one (I5)', async () => {
    const { tap, enrol, terminal, log } = standing({ signIn: () => new Promise<Login>(() => {}) });
    await tap(alice);
    await enrol('open sesame');
    const seen = JSON.stringify(terminal.view.current()) + log.text();
    for (const canary of ['alice', 'Alice', 'sesame', alice.reveal()]) expect(seen).not.toContain(canary);
  });
});
