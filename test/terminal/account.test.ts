/** The screen of a person's own account: what it shows, what it takes to change something there, and that nothing of it stays (I3). */
import { describe, expect, it } from 'vitest';
import { hours, milliseconds, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { parseAmount, zero } from '../../src/domain/amount.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { OwnAccount } from '../../src/domain/ports/own-account.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { PersonsWord } from '../../src/domain/terminal/persons-word.ts';
import type { Credentials, Login } from '../../src/domain/user.ts';
import { CardsNotKept } from '../../src/terminal/person/account-context.ts';
import { nothingOwed } from '../support/terminal/login-world.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const lost = new CardNumber('04LOST0000');
const fresh = new CardNumber('04FRESH000');
const money = (text: string) => parseAmount(text) ?? zero;
const denied = new Problem('cloud-denied', 'no', { status: 403, delivery: 'answered' });
const away = new Problem('cloud-unreachable', 'away', { delivery: 'not-sent' });
const refused = new Problem('login-refused', 'no', { status: 401, delivery: 'answered' });

const loginOf = (userName: string): Login => ({
  user: { id: userName.length, providerId: 3, userName, fullName: userName },
  token: { value: new Secret(`token of ${userName}`), expiresAt: 1e12 },
});

type Said = PersonsWord extends infer Word
  ? Word extends PersonsWord
    ? Omit<Word, 'generation'>
    : never
  : never;

/** A service in which alice has two cards, bob one, and the password is `right`. */
function standWith(options: Parameters<typeof terminalStage>[0] = {}, calls: Partial<OwnAccount> = {}) {
  const holders = new Map([
    [alice.reveal(), 'alice'],
    [lost.reveal(), 'alice'],
    [bob.reveal(), 'bob'],
  ]);
  const asked: string[] = [];
  const login = async (credentials: Credentials): Promise<Login> => {
    if (credentials.kind === 'password' && credentials.password.reveal() === 'right')
      return loginOf(credentials.userName);
    const holder = credentials.kind === 'card' ? holders.get(credentials.card.reveal()) : undefined;
    if (holder === undefined) throw refused;
    return loginOf(holder);
  };
  const at = terminalStage({
    canBeAsked: true,
    account: 'full',
    offer: { ways: ['password', 'short-id'] },
    login,
    enrolCard: async ({ userName }, card) => {
      asked.push(`enrol ${card.reveal()}`);
      holders.set(card.reveal(), userName);
    },
    ownBalance: async () => ({ quota: money('1.20'), wallet: money('2'), total: money('3.20') }),
    ownAccount: {
      transactions: async () => [
        { kind: 'deduction', amount: money('-0.4'), description: 'Plan.pdf', at: '2026-11-20T10:00:00Z' },
      ],
      prices: async () => ({
        bwNormal: money('0.05'),
        bwLarge: money('0.1'),
        colorNormal: money('0.2'),
        colorLarge: money('0.4'),
      }),
      cards: async ({ user }) =>
        [...holders].filter(([, who]) => who === user.userName).map(([number]) => new CardNumber(number)),
      dropCards: async ({ user }) => {
        asked.push('drop all');
        for (const [number, who] of holders) if (who === user.userName) holders.delete(number);
      },
      giveShortId: async (shortId) => void asked.push(`short id ${shortId.reveal()}`),
      ...calls,
    },
    ...options,
  });
  const { terminal, generation, tap, turn } = at;
  const say = async (word: Said): Promise<void> => {
    terminal.tell({ generation: generation(), ...word });
    await turn();
  };
  const view = () => terminal.view.current();
  return {
    ...at,
    asked,
    holders,
    say,
    view,
    account: () => view().account,
    async open(card = alice) {
      await tap(card);
      await say({ type: 'open-account' });
    },
    drop: (card: number, edition = view().account?.edition ?? 0) => say({ type: 'drop-card', card, edition }),
    prove: (password = 'right') => say({ type: 'prove', password: new Secret(password) }),
  };
}

describe('the account', () => {
  it('is read when the person opens it, and gone when they close it', async () => {
    const { open, account, view, say, state, turn } = standWith();
    await open();
    expect(view()).toMatchObject({ state: 'account', fullName: 'alice', sentence: 'You are signed in.' });
    expect(account()).toEqual({
      stage: 'open',
      edition: 1,
      balance: { total: '3.20', quota: '1.20', wallet: '2.00' },
      transactions: [
        { kind: 'deduction', amount: '-0.40', description: 'Plan.pdf', at: '2026-11-20T10:00:00Z' },
      ],
      prices: { bwNormal: '0.05', bwLarge: '0.10', colorNormal: '0.20', colorLarge: '0.40' },
      cards: [{ end: 'C3D4', isHeld: true }, { end: '0000' }],
      may: { drop: true, register: true, shortId: true },
    });
    expect(view()).not.toHaveProperty('documents');
    await say({ type: 'close-account' });
    await turn();
    expect([state(), account()]).toEqual(['choosing', undefined]);
  });

  it('shows what the service lets be seen, and says that something did not come', async () => {
    const { open, account, log } = standWith(
      { ownBalance: async () => undefined },
      {
        transactions: () => Promise.reject(away),
        prices: async () => undefined,
        cards: async () => undefined,
      },
    );
    await open();
    expect(account()).toEqual({
      stage: 'open',
      edition: 1,
      isIncomplete: true,
      may: { drop: false, register: false, shortId: false },
    });
    expect(log.records('account not read')).toMatchObject([{ code: 'cloud-unreachable' }]);
  });

  it.each(['off', 'read'] as const)('%s: what is not offered is not done, whoever says it', async (offer) => {
    const { drop, open, view, state, asked, say, account } = standWith({ account: offer });
    await open();
    expect(state()).toBe(offer === 'off' ? 'choosing' : 'account');
    expect(view().offersAccount).toBeUndefined();
    expect(account()?.may.drop ?? false).toBe(false);
    await drop(1);
    await say({ type: 'register-card' });
    await say({ type: 'new-short-id' });
    expect([asked, account()?.stage ?? 'open']).toEqual([[], 'open']);
  });

  it('ends with its session: at the next badge, by the button, after a while, with the same badge (I3)', async () => {
    const { open, tap, state, account, view, say, clock } = standWith();
    await open();
    await tap(bob);
    expect([view().fullName, account()]).toEqual(['bob', undefined]);
    await say({ type: 'open-account' });
    await say({ type: 'log-out' });
    expect([state(), account()]).toEqual(['prompting', undefined]);
    await open();
    await clock.advance(seconds(61));
    expect([state(), account()]).toEqual(['prompting', undefined]);
    await open();
    await tap(alice);
    expect([state(), account()]).toEqual(['prompting', undefined]);
  });

  it('that comes when the person is gone is shown to nobody (I3)', async () => {
    const cards = Promise.withResolvers<readonly CardNumber[]>();
    const { open, tap, account, turn, state } = standWith({}, { cards: () => cards.promise });
    await open();
    expect(account()?.stage).toBe('busy');
    await tap(bob);
    cards.resolve([alice]);
    await turn();
    expect([state(), account()]).toEqual(['choosing', undefined]);
  });

  it('is closed for the list that was open: it is looked at again, and nothing is printed by that', async () => {
    let listed = [documentNamed('one')];
    const { open, say, turn, view, tickets } = standWith({
      autoRelease: true,
      standings: { one: 'may-have-printed' },
      last: { releaseId: '5'.repeat(32), state: 'UNKNOWN', deletionOwed: false },
      list: async () => listed,
    });
    await open();
    listed = [documentNamed('one'), documentNamed('two')];
    await say({ type: 'close-account' });
    await turn();
    expect([view().state, view().waiting, tickets]).toEqual(['choosing', 1, []]);
  });

  it('is closed for the list that was open where the service is away, or lists for a while what was deleted', async () => {
    let list = async () => [documentNamed('one'), documentNamed('two')];
    const { open, say, turn, view } = standWith({ list: () => list() });
    await open();
    await say({ type: 'close-account' });
    await say({ type: 'delete', documentUuids: ['one'] });
    await say({ type: 'open-account' });
    await say({ type: 'close-account' });
    expect([view().state, view().waiting]).toEqual(['choosing', 1]);
    await say({ type: 'open-account' });
    list = () => Promise.reject(away);
    await say({ type: 'close-account' });
    await turn();
    expect([view().state, view().waiting, view().fullName]).toEqual(['choosing', 1, 'alice']);
  });

  it('has what the service would not delete on the list again when it is closed', async () => {
    const refusal = Promise.withResolvers<void>();
    const { open, say, turn, view } = standWith({ remove: () => refusal.promise });
    await open();
    await say({ type: 'close-account' });
    await say({ type: 'delete', documentUuids: ['one'] });
    await say({ type: 'open-account' });
    refusal.reject(away);
    await turn();
    await say({ type: 'close-account' });
    await turn();
    expect([view().state, view().waiting]).toEqual(['choosing', 2]);
  });

  it('of a service that never answers is given up', async () => {
    const never = () => new Promise<never>(() => {});
    const { open, account, clock, say } = standWith({}, { cards: never });
    await open();
    for (let waited = 0; waited < 30; waited += 10) {
      await clock.advance(seconds(10));
      await say({ type: 'still-there' });
    }
    expect([account()?.stage, account()?.notice?.code]).toEqual(['open', 'cloud-unreachable']);
  });
});

describe('a change', () => {
  it('is not made for a bare badge: the password comes first, once a session', async () => {
    const { drop, open, account, say, asked, prove, log } = standWith();
    await open();
    await drop(1);
    expect([account()?.stage, asked]).toEqual(['proving', []]);
    await prove('wrong');
    expect([account()?.stage, account()?.notice?.code, asked]).toEqual(['proving', 'login-refused', []]);
    await prove();
    // The service drops all or none: the other one is given back.
    expect(asked).toEqual(['drop all', 'enrol 04A1B2C3D4']);
    expect(account()).toMatchObject({ stage: 'open', cards: [{ end: 'C3D4' }] });
    expect(account()?.notice?.code).toBe('card-dropped');
    await say({ type: 'new-short-id' });
    expect(asked.at(-1)).toMatch(/^short id [1-9]\d{7}$/);
    expect(account()?.shortId).toMatch(/^[1-9]\d{7}$/);
    expect(log.records('account changed')).toMatchObject([{ deed: 'drop' }, { deed: 'short-id' }]);
    expect(log.text()).not.toMatch(/04LOST|04A1|right|\b\d{8}\b(?=")/);
  });

  it('needs nothing more of who signed in by a password', async () => {
    const { terminal, generation, say, account, turn, asked } = standWith();
    const credentials = { kind: 'password', userName: 'alice', password: new Secret('right') } as const;
    terminal.tell({ type: 'log-in', generation: generation(), credentials });
    await turn();
    await say({ type: 'open-account' });
    await say({ type: 'new-short-id' });
    expect([asked.length, account()?.stage]).toEqual([1, 'open']);
  });

  it('is not made with the password of somebody else of that name', async () => {
    const { open, say, prove, asked, account } = standWith({
      login: async (credentials) =>
        credentials.kind === 'password'
          ? { ...loginOf('alice'), user: { ...loginOf('alice').user, providerId: 4 } }
          : loginOf('alice'),
    });
    await open();
    await say({ type: 'new-short-id' });
    await prove();
    expect([asked, account()?.stage]).toEqual([[], 'proving']);
  });

  it('can be taken back before it is made, and by an older view it is none (D2)', async () => {
    const { open, say, account, asked, drop, prove } = standWith();
    await open();
    const before = account()?.edition;
    await drop(1);
    await say({ type: 'step-back' });
    expect(account()?.stage).toBe('open');
    await drop(1);
    await prove();
    const dropped = asked.length;
    // The same touch again would mean another card by now.
    await drop(0, before);
    expect([asked.length, account()?.cards]).toEqual([dropped, [{ end: 'C3D4', isHeld: true }]]);
  });

  it('that the service does not allow says so, and is offered no more', async () => {
    const { open, say, prove, account } = standWith({}, { giveShortId: () => Promise.reject(denied) });
    await open();
    await say({ type: 'new-short-id' });
    await prove();
    expect(account()?.notice?.code).toBe('cloud-denied');
    expect(account()?.may).toEqual({ drop: true, register: true, shortId: false });
  });

  it('that the service did not allow is not offered to the same person the next time, but a day later', async () => {
    const { open, say, prove, account, clock } = standWith({}, { giveShortId: () => Promise.reject(denied) });
    const may = () => account()?.may.shortId;
    await open();
    await say({ type: 'new-short-id' });
    await prove();
    await say({ type: 'log-out' });
    await open();
    expect(may()).toBe(false);
    await say({ type: 'log-out' });
    await open(bob);
    expect(may()).toBe(true);
    await say({ type: 'log-out' });
    await clock.advance(hours(24));
    await open();
    expect(may()).toBe(true);
  });

  it('of a short id that somebody has is tried with another one', async () => {
    const taken = new Problem('cloud-rejected', 'taken', { status: 400, delivery: 'answered' });
    let tries = 0;
    const giveShortId = async () => {
      tries += 1;
      if (tries < 3) throw taken;
    };
    const { open, say, prove, account } = standWith({}, { giveShortId });
    await open();
    await say({ type: 'new-short-id' });
    await prove();
    expect([tries, account()?.shortId]).toEqual([3, expect.stringMatching(/^[1-9]\d{7}$/)]);
  });

  it.each([
    [undefined, 'cloud-denied'],
    [[alice], 'card-dropped'],
  ])('drops none where the service by then has %s as the cards: %s', async (then, reported) => {
    let said: readonly CardNumber[] | undefined = [alice, lost];
    const { drop, open, prove, account, asked } = standWith({}, { cards: async () => said });
    await open();
    await drop(1);
    said = then;
    await prove();
    expect([asked, account()?.notice?.code]).toEqual([[], reported]);
  });

  it('gives back every other card, whatever comes of one of them, and the log tells it also when nobody is there any more', async () => {
    const third = new CardNumber('04THIRD000');
    const given: string[] = [];
    const slow = Promise.withResolvers<void>();
    const taken = new Problem('cloud-rejected', 'no', { delivery: 'answered' });
    let isDropped = false;
    const { drop, open, prove, tap, turn, log } = standWith(
      {
        enrolCard: async (_, card) => {
          isDropped = true;
          given.push(card.reveal());
          await slow.promise;
          if (card.equals(alice)) throw taken;
        },
      },
      { cards: async () => (isDropped ? [third] : [alice, lost, third]) },
    );
    await open();
    await drop(1);
    await prove();
    await tap(bob);
    slow.resolve();
    await turn();
    expect(given).toEqual([alice.reveal(), third.reveal()]);
    expect(log.records('account not changed')).toMatchObject([{ deed: 'drop', code: 'cloud-rejected' }]);
  });

  it('does not drop the card that is held, whoever says it', async () => {
    const { drop, open, account, asked } = standWith();
    await open();
    await drop(0);
    expect([asked, account()?.stage]).toEqual([[], 'open']);
  });

  it('that loses another card says so, and shows what is left', async () => {
    const { drop, open, prove, account, clock } = standWith({
      enrolCard: () => Promise.reject(away),
    });
    await open();
    await drop(1);
    await prove();
    await clock.advance(seconds(3));
    expect([account()?.notice?.code, account()?.cards]).toEqual(['cards-missing', []]);
  });
});

describe('a card is dropped', () => {
  const spare = new CardNumber('04SPARE000');
  const third = new CardNumber('04THIRD000');
  const refusal = new Problem('cloud-rejected', 'no', { status: 400, delivery: 'answered' });
  const lostAnswer = new Problem('cloud-unreachable', 'reset', { delivery: 'perhaps' });
  const brokenDown = new Problem('cloud-busy', 'no', { status: 500, delivery: 'answered' });

  it('and never the one that is held, whoever says it', async () => {
    const { open, drop, asked, account } = standWith();
    await open();
    await drop(0);
    expect([account()?.stage, asked]).toEqual(['open', []]);
  });

  it('and the others are all given back, also behind one that the service does not take again', async () => {
    const at = standWith({
      enrolCard: async ({ userName }, card) => {
        if (card.equals(alice)) throw refusal;
        at.holders.set(card.reveal(), userName);
      },
    });
    for (const one of [spare, third]) at.holders.set(one.reveal(), 'alice');
    await at.open();
    await at.drop(1);
    await at.prove();
    expect(at.account()?.notice?.code).toBe('cards-missing');
    expect([...at.holders].flatMap(([card, who]) => (who === 'alice' ? [card] : []))).toEqual([
      spare.reveal(),
      third.reveal(),
    ]);
  });

  it('and not by a service that no longer tells which cards there are: they would all be gone', async () => {
    let looks = 0;
    const at = standWith({}, { cards: async () => ((looks += 1) === 1 ? [alice, lost] : undefined) });
    await at.open();
    await at.drop(1);
    await at.prove();
    expect([at.asked, at.holders.size, at.account()?.notice?.code]).toEqual([[], 3, 'cloud-denied']);
  });

  it('and not where the others cannot be written down before: the person is told that it is not possible now', async () => {
    const full = new Problem('store-refused', 'full');
    const begin = () => {
      throw new CardsNotKept(full);
    };
    const { open, drop, prove, asked, account, log } = standWith({
      cardReturn: { begin, giveBack: async () => {} },
    });
    await open();
    await drop(1);
    await prove();
    expect([asked, account()?.notice?.code, account()?.cards?.length]).toEqual([[], 'card-not-dropped', 2]);
    expect(log.records('account not changed')).toMatchObject([{ deed: 'drop', code: 'store-refused' }]);
  });

  it('after an agent that was killed: whoever signs in, by a card or a password, has theirs given back', async () => {
    const given: string[] = [];
    const { tap, say } = standWith({
      cardReturn: {
        ...nothingOwed,
        giveBack: async ({ user }) => void given.push(user.userName),
      },
    });
    await tap(alice);
    await say({ type: 'log-out' });
    const credentials = { kind: 'password', userName: 'bob', password: new Secret('right') } as const;
    await say({ type: 'log-in', credentials });
    expect(given).toEqual(['alice', 'bob']);
  });

  it.each([lostAnswer, brokenDown])(
    'also where nobody knows whether it was (%s): the others come back',
    async (problem) => {
      const at = standWith(
        {},
        {
          dropCards: async () => {
            for (const card of [alice, lost]) at.holders.delete(card.reveal());
            throw problem;
          },
        },
      );
      await at.open();
      await at.drop(1);
      await at.prove();
      await at.clock.advance(seconds(5));
      expect(at.account()).toMatchObject({ notice: { code: 'card-dropped' }, cards: [{ end: 'C3D4' }] });
    },
  );
});

describe('a card that is to be registered', () => {
  it('is the next that is held, and theirs from then on', async () => {
    const { open, say, prove, tap, account, holders } = standWith();
    await open();
    await say({ type: 'register-card' });
    await prove();
    expect(account()?.stage).toBe('awaiting-card');
    await tap(fresh);
    expect([account()?.notice?.code, holders.get(fresh.reveal())]).toEqual(['card-registered', 'alice']);
    expect(account()?.cards).toContainEqual({ end: 'H000' });
  });

  it('is not asked for where it is somebody’s: they are signed in instead (I3)', async () => {
    const { open, say, prove, tap, view, asked, holders, turn } = standWith();
    await open();
    await say({ type: 'register-card' });
    await prove();
    await tap(bob);
    await turn();
    expect([view().state, view().fullName, asked, holders.get(bob.reveal())]).toEqual([
      'choosing',
      'bob',
      [],
      'bob',
    ]);
  });

  it('can be laid on a reader in place of the one that lies there', async () => {
    const { terminal, open, say, prove, tap, turn, state, account, holders } = standWith();
    const takeOff = async (card: CardNumber) => {
      terminal.tell({ type: 'card-removed', card });
      await turn();
    };
    await open();
    await say({ type: 'register-card' });
    await prove();
    await takeOff(alice);
    expect(account()?.stage).toBe('awaiting-card');
    await tap(fresh);
    expect(holders.get(fresh.reveal())).toBe('alice');
    await tap(alice);
    expect(state()).toBe('prompting');
    await open();
    await takeOff(alice);
    expect(state()).toBe('prompting');
  });

  it('ends the session where it does not come in place of the one that was taken off', async () => {
    const { terminal, open, say, prove, clock, state, turn } = standWith();
    await open();
    await say({ type: 'register-card' });
    await prove();
    terminal.tell({ type: 'card-removed', card: alice });
    await turn();
    await clock.advance(milliseconds(20_000));
    expect(state()).toBe('prompting');
  });

  it('is waited for no longer than 20 s, and can be taken back', async () => {
    const { open, say, prove, account, clock, tap, asked, state } = standWith();
    await open();
    await say({ type: 'register-card' });
    await prove();
    await clock.advance(milliseconds(20_000));
    expect(account()?.stage).toBe('open');
    await say({ type: 'register-card' });
    await say({ type: 'step-back' });
    expect(account()?.stage).toBe('open');
    await tap(fresh);
    expect([asked, state()]).toEqual([[], 'prompting']);
  });
});
