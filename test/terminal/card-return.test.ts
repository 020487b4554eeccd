/** What was taken together with a lost card comes back, also where the agent was killed in between. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { OwedCards, Owner } from '../../src/domain/ports/owed-cards.ts';
import { isSameOwner } from '../../src/domain/ports/owed-cards.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Login } from '../../src/domain/user.ts';
import { dropCard } from '../../src/terminal/person/card-drop.ts';
import { CardReturn } from '../../src/terminal/person/card-return.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { recordConditions } from '../support/terminal/login-world.ts';

const [badge, spare, third, lost] = ['BADGE', 'SPARE', 'THIRD', 'LOST'].map((one) => new CardNumber(one)) as [
  CardNumber,
  CardNumber,
  CardNumber,
  CardNumber,
];
const alice: Login = {
  user: { id: 17, providerId: 3, userName: 'alice', fullName: 'Alice' },
  token: { value: new Secret('token of alice'), expiresAt: 1e12 },
};
const bob = { ...alice.user, id: 18, userName: 'bob' };
const away = new Problem('cloud-unreachable', 'away', { delivery: 'not-sent' });
const refusal = new Problem('cloud-rejected', 'no', { status: 400, delivery: 'answered' });

/** What outlives an agent. */
function keeping(refuses?: Problem) {
  let kept: readonly { owner: Owner; cards: readonly CardNumber[]; age: number }[] = [];
  const owed: OwedCards = {
    all: () => kept.map(({ owner }) => owner),
    of: (owner) => kept.find((one) => isSameOwner(one.owner, owner))?.cards ?? [],
    keep({ id, providerId }, cards) {
      if (refuses) throw refuses;
      const owner = { id, providerId };
      kept = [...kept.filter((one) => !isSameOwner(one.owner, owner)), { owner, cards, age: 0 }];
    },
    forget: (owner) => {
      kept = kept.filter((one) => !isSameOwner(one.owner, owner));
    },
    age: (span: Duration) => {
      const aged = kept.map((one) => ({ ...one, age: one.age + span }));
      kept = aged.filter(({ age }) => age < hours(720));
      return aged.filter(({ age }) => age >= hours(720)).map(({ owner }) => owner);
    },
  };
  return owed;
}

function serviceWith(cards: readonly CardNumber[]) {
  const clock = createSteeredClock();
  const log = recordLog();
  const conditions = recordConditions();
  const holders = new Map(cards.map((card) => [card.reveal(), 17]));
  const asked: string[] = [];
  const mends: { drop?: () => Promise<void>; enrol?: (card: CardNumber) => Promise<void> } = {};
  const ofAlice = () => [...holders].flatMap(([card, id]) => (id === 17 ? [new CardNumber(card)] : []));
  const account = {
    cards: async () => ofAlice(),
    async dropCards() {
      asked.push('drop');
      for (const card of ofAlice()) holders.delete(card.reveal());
      await mends.drop?.();
    },
  };
  const users = {
    async enrolCard(_: unknown, card: CardNumber) {
      asked.push(card.reveal());
      await mends.enrol?.(card);
      holders.set(card.reveal(), 17);
    },
  };
  const logins = {
    async login(credentials: { kind: string; card?: CardNumber }): Promise<Login> {
      const id = holders.get(credentials.card?.reveal() ?? '');
      if (id === undefined) throw new Problem('login-refused', 'no', { status: 401 });
      return id === 17 ? alice : { ...alice, user: bob };
    },
  };
  const parts = { account, users, logins, clock, chance: systemChance };
  const start = (owed: OwedCards) => new CardReturn({ ...parts, owed, conditions, log: log.log });
  return {
    clock,
    log,
    conditions,
    holders,
    asked,
    mends,
    parts,
    start,
    drop: (cardReturn: CardReturn, card = lost) =>
      dropCard({ ...parts, cardReturn }, { login: alice, card }, { signal: clock.deadline(seconds(25)) }),
    cards: () => ofAlice().map((card) => card.reveal()),
    told: () => conditions.raised.get('cards of people')?.detail,
  };
}

const never = () => new Promise<never>(() => {});
const settled = (clock: { advance(span: Duration): Promise<void> }) => clock.advance(seconds(0));

it('what is to be given back is written down before anything is taken, and gone when it is back', async () => {
  const at = serviceWith([badge, lost, spare]);
  const owed = keeping();
  let whenTaken: readonly CardNumber[] = [];
  at.mends.drop = async () => {
    whenTaken = owed.of(alice.user);
  };
  await at.drop(at.start(owed));
  expect(whenTaken).toEqual([badge, spare]);
  expect([at.cards(), owed.all(), at.told()]).toEqual([['BADGE', 'SPARE'], [], undefined]);
});

it.each([
  ['before the first', () => true],
  ['before the second', (card: CardNumber) => card.equals(spare)],
])(
  'an agent that is killed %s is given back gives it back when its owner next signs in',
  async (_, isTheEnd) => {
    const at = serviceWith([badge, lost, spare]);
    const owed = keeping();
    at.mends.enrol = async (card) => (isTheEnd(card) ? never() : undefined);
    void at.drop(at.start(owed));
    await settled(at.clock);
    expect(at.cards()).not.toContain('SPARE');

    at.mends.enrol = async () => {};
    const restarted = at.start(owed);
    expect(at.told()).toContain('user 17 of provider 3');
    await restarted.giveBack({ ...alice, user: bob });
    expect(at.cards()).not.toContain('SPARE');
    await restarted.giveBack(alice);
    expect([at.cards().sort(), owed.all(), at.told()]).toEqual([['BADGE', 'SPARE'], [], undefined]);
    expect(at.log.records('cards given back')).toMatchObject([{ cards: 2 }]);
    const before = at.asked.length;
    await restarted.giveBack(alice);
    expect(at.asked).toHaveLength(before);
  },
);

it('an agent that is killed before anything was taken leaves all as it was', async () => {
  const at = serviceWith([badge, lost]);
  const owed = keeping();
  at.start(owed).begin(alice.user, { others: [badge], lost });
  await at.start(owed).giveBack(alice);
  expect([at.cards(), at.asked, owed.all()]).toEqual([['BADGE', 'LOST'], [], []]);
});

it('where it cannot be written down nothing is taken', async () => {
  const at = serviceWith([badge, lost]);
  const full = new Problem('store-refused', 'full');
  await expect(at.drop(at.start(keeping(full)))).rejects.toMatchObject({
    name: 'Problem',
    code: 'store-refused',
  });
  expect([at.asked, at.cards()]).toEqual([[], ['BADGE', 'LOST']]);
});

it('where the service certainly took nothing, nothing is owed', async () => {
  const at = serviceWith([badge, lost]);
  const owed = keeping();
  at.parts.account.dropCards = () => Promise.reject(refusal);
  await expect(at.drop(at.start(owed))).rejects.toBe(refusal);
  expect([owed.all(), at.told()]).toEqual([[], undefined]);
});

it('what the service does not take back is tried again at each sign-in, and told until it is there', async () => {
  const at = serviceWith([badge, lost, spare]);
  const owed = keeping();
  const cardReturn = at.start(owed);
  at.mends.enrol = async (card) => {
    if (card.equals(badge)) throw refusal;
  };
  await expect(at.drop(cardReturn)).rejects.toThrow('not all other cards');
  expect(at.told()).toContain('user 17');
  await cardReturn.giveBack(alice);
  expect(at.log.records('cards not given back')).toMatchObject([{ code: 'cloud-rejected' }]);
  expect(at.told()).toContain('user 17');
  at.mends.enrol = async () => {};
  await cardReturn.giveBack(alice);
  expect([at.cards().sort(), at.told()]).toEqual([['BADGE', 'SPARE'], undefined]);
});

it('a service that is away, or that says what is not so, leaves it for the next time', async () => {
  const at = serviceWith([]);
  const owed = keeping();
  owed.keep(alice.user, [badge]);
  const cardReturn = at.start(owed);
  at.parts.account.cards = () => Promise.reject(away);
  await cardReturn.giveBack(alice);
  at.parts.account.cards = async () => [];
  await cardReturn.giveBack(alice);
  expect(at.log.records('cards not given back')).toMatchObject([
    { code: 'cloud-unreachable' },
    { code: 'cloud-rejected' },
  ]);
  expect(owed.of(alice.user)).toEqual([badge]);
});

it('what is somebody else’s by now stays theirs, and none pushes out what the person has got since', async () => {
  const at = serviceWith([]);
  const owed = keeping();
  owed.keep(alice.user, [badge, spare, third]);
  at.holders.set('SPARE', 18);
  for (const card of ['NEW1', 'NEW2']) at.holders.set(card, 17);
  await at.start(owed).giveBack(alice);
  expect([at.asked, owed.all()]).toEqual([['BADGE'], []]);
  expect(at.holders.get('SPARE')).toBe(18);
  expect(at.log.records('cards given back')).toMatchObject([{ cards: 1, left: 2 }]);
});

it('a second lost card is not given back with what is owed since the first', async () => {
  const at = serviceWith([spare, third]);
  const owed = keeping();
  owed.keep(alice.user, [badge, spare, third]);
  await at.drop(at.start(owed), spare);
  expect([at.cards(), owed.of(alice.user)]).toEqual([['THIRD'], [third, badge]]);
});

it('whoever signs in elsewhere in the midst of it changes nothing of it', async () => {
  const at = serviceWith([badge, lost]);
  const owed = keeping();
  const cardReturn = at.start(owed);
  const answer = Promise.withResolvers<void>();
  at.mends.drop = () => answer.promise;
  const dropped = at.drop(cardReturn);
  await settled(at.clock);
  await cardReturn.giveBack(alice);
  expect([at.cards(), owed.of(alice.user), at.told()]).toEqual([[], [badge], undefined]);
  answer.resolve();
  await dropped;
  expect([at.cards(), owed.all()]).toEqual([['BADGE'], []]);
});

it('what a deed has written down is not forgotten by who was still giving back', async () => {
  const at = serviceWith([badge, lost]);
  const owed = keeping();
  owed.keep(alice.user, [badge]);
  const cardReturn = at.start(owed);
  const looked = Promise.withResolvers<void>();
  const { cards } = at.parts.account;
  at.parts.account.cards = () => looked.promise.then(cards);
  const giving = cardReturn.giveBack(alice);
  using taking = cardReturn.begin(alice.user, { others: [badge], lost });
  looked.resolve();
  await giving;
  expect(owed.of(alice.user)).toEqual(taking.cards);
});

it('after its time it is given up, and the log says whose it was', async () => {
  const at = serviceWith([]);
  const owed = keeping();
  owed.keep(alice.user, [badge]);
  const stop = new AbortController();
  const running = at.start(owed).run(stop.signal);
  for (let day = 1; day <= 29; day += 1) await at.clock.advance(hours(24));
  expect(at.told()).toContain('user 17');
  await at.clock.advance(hours(48));
  expect([owed.all(), at.told()]).toEqual([[], undefined]);
  expect(at.log.records('owed cards given up')).toMatchObject([{ userId: 17, providerId: 3 }]);
  stop.abort();
  await running;
  expect(at.log.text()).not.toMatch(/BADGE|alice|Alice|token of/);
});
