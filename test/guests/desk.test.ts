/** When guests end, whatever clocks, crashes and the service do. */
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Clock } from '../../src/core/clock.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { Guest, GuestBook, GuestService } from '../../src/domain/ports/guests.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { drawnShortId } from '../../src/domain/login.ts';
import { guestName } from '../../src/guests/draw.ts';
import { GuestDesk } from '../../src/guests/desk.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function bookWith(guests: readonly Guest[] = [], isLost = false): GuestBook {
  let kept = guests;
  let wasLost = isLost;
  return {
    get isLost() {
      return wasLost;
    },
    all: () => kept,
    keep(next) {
      kept = next;
    },
    closeLost() {
      wasLost = false;
    },
  };
}

const runningClock = (): Clock & Pick<ForwardClock, 'forward'> => forwardClock();

/** A service with users and nothing else; `fails` says what of it does not work. */
function open({
  book = bookWith(),
  fails = new Set<string>(),
  chance = systemChance,
  clock = runningClock(),
} = {}) {
  const users = new Set(book.all().map(({ userName }) => userName));
  const conditions = new Map<string, Condition>();
  const away = (what: string) => {
    if (fails.has(what)) throw new Problem('cloud-unreachable', 'no route', { delivery: 'perhaps' });
  };
  const service: GuestService = {
    async plan({ userName }) {
      away('plan');
      if (users.has(userName)) throw new Problem('guest-refused', 'somebody is called that');
      return { providerId: 3 };
    },
    async make({ userName }) {
      users.add(userName);
      away('make');
    },
    async remove({ userName }) {
      away('remove');
      if (fails.has(userName))
        throw new Problem('cloud-rejected', 'no', { status: 400, delivery: 'answered' });
      users.delete(userName);
    },
  };
  const user = { id: 1, providerId: 3, userName: 'reception', fullName: 'Reception' };
  const token = { value: new Secret('token'), expiresAt: Number.POSITIVE_INFINITY };
  const { log, records } = recordLog();
  const desk = new GuestDesk({
    account: () => ({ user: 'reception', password: new Secret('secret') }),
    logins: { login: async () => ({ user, token }) },
    service: () => service,
    book,
    clock,
    log,
    chance,
    conditions: {
      raise: (condition) => void conditions.set(condition.subject, condition),
      clear: (_, subject) => void conditions.delete(subject),
    },
  });
  const stop = new AbortController();
  const running = desk.run(stop.signal);
  return {
    desk,
    clock,
    users,
    conditions,
    fails,
    book,
    records,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const guest = (over: Partial<Guest> = {}): Guest => ({
  userName: 'guest-abc234',
  providerId: 3,
  endsAt: 0,
  isMade: true,
  ...over,
});

describe('a guest', () => {
  it('ends at the time, and not before', async () => {
    await using at = open();
    await at.desk.make({ hours: 4 });
    at.clock.forward(hours(3.9));
    await expect.poll(() => at.users.size).toBe(1);
    at.clock.forward(hours(0.2));
    await expect.poll(() => at.users.size).toBe(0);
    expect([at.desk.list(), at.book.all()]).toEqual([[], []]);
  });

  it('ends within a minute where the wall clock was set forward, or the computer was suspended', async () => {
    const clock = createSteeredClock();
    await using at = open({ clock: { ...clock, forward() {} } });
    await at.desk.make({ hours: 4 });
    await clock.advance(minutes(2));
    clock.setAhead(hours(3.9));
    await clock.advance(minutes(2));
    expect(at.users.size).toBe(1);
    clock.setAhead(hours(0.1));
    await clock.advance(minutes(1));
    expect(at.users.size).toBe(0);
  });

  it('that was half made is over at once: also one that an agent left behind which was killed', async () => {
    const wall = Date.now() + hours(4);
    await using left = open({ book: bookWith([guest({ endsAt: wall, isMade: false })]) });
    await expect.poll(() => left.users.size).toBe(0);
    await using at = open({ fails: new Set(['make']) });
    await expect(at.desk.make({ hours: 4 })).rejects.toThrow('no route');
    expect(at.desk.list()).toEqual([]);
    await expect.poll(() => at.users.size).toBe(0);
  });

  it('of a drawn name that somebody has is not made, and that one stays', async () => {
    await using at = open({ chance: { ...systemChance, bytes: (size) => Buffer.alloc(size) } });
    at.users.add('guest-aaaaaa');
    await expect(at.desk.make({ hours: 4 })).rejects.toThrow('somebody is called that');
    expect([[...at.users], at.book.all()]).toEqual([['guest-aaaaaa'], []]);
  });

  it('that cannot be ended is told, tried again, and told no longer when it is gone', async () => {
    await using at = open({ book: bookWith([guest()]), fails: new Set(['remove']) });
    await expect.poll(() => at.conditions.get('guests')?.detail).toContain('whose time is over: 1');
    expect(JSON.stringify([...at.conditions.values()])).not.toContain('guest-abc234');
    at.fails.clear();
    at.clock.forward(minutes(1));
    await expect.poll(() => at.users.size).toBe(0);
    await expect.poll(() => at.conditions.size).toBe(0);
  });

  it('whom the service refuses to delete keeps no other one, neither at their time nor by a word', async () => {
    const [stuck, other, third] = ['guest-aaaaaa', 'guest-bbbbbb', 'guest-cccccc'];
    const later = Date.now() + hours(4);
    const guests = [
      guest({ userName: stuck }),
      guest({ userName: other }),
      guest({ userName: third, endsAt: later }),
    ];
    await using at = open({ book: bookWith(guests), fails: new Set([stuck]) });
    await expect.poll(() => [...at.users]).toEqual([stuck, third]);
    expect(await at.desk.end(third)).toEqual([third]);
    expect([...at.users]).toEqual([stuck]);
    await expect(at.desk.end(stuck)).rejects.toThrow(`Not ended yet: ${stuck}. no`);
    expect(at.conditions.get('guests')?.detail).toContain('whose time is over: 1');
  });

  it('stays no longer than a week, whatever time a wrong clock has written down', async () => {
    await using at = open({ book: bookWith([guest({ endsAt: Date.now() + hours(10_000) })]) });
    at.clock.forward(hours(169));
    await expect.poll(() => at.users.size).toBe(0);
  });

  it('of a list that cannot be read is told, for nobody ends them, until an administrator has', async () => {
    await using at = open({ book: bookWith([], true) });
    expect([...at.conditions.values()]).toMatchObject([{ code: 'guest-not-ended', severity: 'warning' }]);
    await at.desk.make({ hours: 1 });
    expect(at.conditions.size).toBe(1);
    await at.desk.end('all');
    expect([at.conditions.size, at.book.isLost]).toEqual([0, false]);
  });

  it('is refused where there are two hundred', async () => {
    const many = Array.from({ length: 200 }, (_, at) =>
      guest({ userName: `guest-${at}`, endsAt: Date.now() + seconds(100) }),
    );
    await using at = open({ book: bookWith(many) });
    await expect(at.desk.make({ hours: 1 })).rejects.toThrow('There are already 200 guests');
  });
});

it('names and numbers are drawn, from many; a number has eight digits', () => {
  const names = Array.from({ length: 2000 }, () => guestName(systemChance));
  const numbers = Array.from({ length: 2000 }, () => drawnShortId(systemChance).reveal());
  expect(names.every((name) => /^guest-[a-hjkmnp-z2-9]{6}$/.test(name))).toBe(true);
  expect(numbers.every((number) => /^[1-9]\d{7}$/.test(number))).toBe(true);
  expect(new Set(names).size).toBeGreaterThan(1995);
  expect(new Set(numbers).size).toBeGreaterThan(1995);
});
