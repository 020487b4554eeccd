/** Two members at one engine: who serves what, and how fast that changes (F10, F11). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { Servable } from '../../../src/domain/ports/holds.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import type { FleetMember, MemberOptions } from '../../support/fleet/member.ts';
import { openMember } from '../../support/fleet/member.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';

const terminals: readonly Servable[] = Array.from({ length: 20 }, (_, place) => ({
  terminal: `t${place}`,
  serialNumber: `SN-${place}`,
  group: `ipp://10.0.0.${place % 10}`,
}));

const heldBy = ({ holds }: FleetMember): readonly string[] =>
  terminals.filter(({ terminal }) => holds.standing(terminal).is === 'held').map(({ terminal }) => terminal);

needsPostgres()('holds of two members', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const member = (name: string, url: string, more: Partial<MemberOptions> = {}): Promise<FleetMember> =>
    openMember({ url, name, terminals, ...more });

  /** The first has everything, then the second comes. */
  async function two(more: Partial<MemberOptions> = {}) {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const a = opened.use(await member('gateway-a', url, more));
    await expect.poll(() => heldBy(a)).toHaveLength(20);
    const b = opened.use(await member('gateway-b', url));
    await expect.poll(() => b.holds.standing('t0')).toEqual({ is: 'elsewhere', by: 'gateway-a' });
    const beating = () => a.holds.roll()?.members.filter(({ isBeating }) => isBeating);
    await expect.poll(beating).toHaveLength(2);
    const held = opened.move();
    return { a, b, url, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  /** So long until that is so, in milliseconds. */
  async function until(that: () => boolean): Promise<number> {
    const begun = systemClock.monotonic();
    await expect.poll(that).toBe(true);
    return systemClock.monotonic() - begun;
  }

  it('F11: who stops in order is followed, by the next epoch', async () => {
    await using pair = await two();
    const { a, b } = pair;
    await a.holds.leave();
    await until(() => heldBy(b).length === 20);
    expect(b.holds.standing('t0')).toEqual({ is: 'held', epoch: 2 });
    expect(b.log.records('terminal taken over')).toHaveLength(20);
    expect(a.log.records('terminal handed over')).toHaveLength(20);
  });

  it('F11: who is killed is followed, and never before its own time is over', async () => {
    await using pair = await two();
    const { a, b } = pair;
    await a.kill();
    const overlap: string[] = [];
    const took = await until(() => {
      const also = heldBy(a);
      overlap.push(...heldBy(b).filter((terminal) => also.includes(terminal)));
      return heldBy(b).length === 20;
    });
    expect(took).toBeGreaterThan(3000);
    expect(overlap).toEqual([]);
    expect(b.log.records('terminal taken over')[0]).toMatchObject({ was: 'lapsed', epoch: 2 });
  });

  it('F11: while the engine is away nobody serves, and when it is back everybody has what was theirs', async () => {
    await using pair = await two();
    const { a, b } = pair;
    await postgres.kill();
    await until(() => a.holds.standing('t0').is === 'engine-away');
    await until(() => b.holds.standing('t0').is === 'engine-away');
    await postgres.start();
    await until(() => heldBy(a).length === 20);
    expect(heldBy(b)).toEqual([]);
    expect(a.holds.standing('t0')).toEqual({ is: 'held', epoch: 1 });
  });

  it('F11: a member that stays gets its own back, all terminals of a printer at once, and only those that nobody uses', async () => {
    const busy = new Set(['t1']);
    await using pair = await two({
      user: { isIdle: (terminal) => !busy.has(terminal), changed: async () => {} },
    });
    const { a, b, url } = pair;
    await postgres.query(`UPDATE platen.member SET beating_since = beating_since - interval '30 s'`, url);
    await until(() => heldBy(b).length > 0 && heldBy(a).length + heldBy(b).length === 20);
    const groups = new Set(
      terminals.filter(({ terminal }) => heldBy(b).includes(terminal)).map(({ group }) => group),
    );
    expect(heldBy(b)).toEqual(
      terminals.filter(({ group }) => groups.has(group)).map(({ terminal }) => terminal),
    );
    expect(heldBy(a)).toContain('t1');
    expect(heldBy(a)).toContain('t11');
    for (const terminal of heldBy(b)) expect(a.holds.standing(terminal)).toMatchObject({ is: 'elsewhere' });
  });

  describe('that look for one printer at two addresses', () => {
    const [before, after] = ['ipp://10.0.0.7', 'ipp://10.0.1.7'];
    const lobby = (group: string, more: Partial<Servable> = {}): readonly Servable[] => [
      { terminal: 'lobby', serialNumber: 'SN-0001', group, ...more },
    ];
    const serves = ({ holds }: FleetMember) => holds.standing('lobby').is === 'held';
    const tells = ({ conditions }: FleetMember) =>
      conditions.list('lobby').some(({ code }) => code === 'fleet-terminal-differs');

    it('F11: never do two serve its terminal, whoever comes first, and all tell that they differ', async () => {
      const url = await postgres.newDatabase();
      await using opened = new AsyncDisposableStack();
      const all = await Promise.all(
        [before, after, before, after].map((group, at) =>
          member(`gateway-${at}`, url, { terminals: lobby(group) }),
        ),
      );
      for (const one of all) opened.use(one);
      let most = 0;
      await until(() => {
        most = Math.max(most, all.filter(serves).length);
        return all.every(tells) && all.some(serves);
      });
      expect(most).toBe(1);
    });

    it('F11: it is the serial number that is held, however it is written and whatever the terminal is called', async () => {
      const url = await postgres.newDatabase();
      await using a = await member('gateway-a', url, { terminals: lobby(before) });
      await until(() => serves(a));
      const named = lobby(after, { terminal: 'entrance', serialNumber: 'sn 0001' });
      await using b = await member('gateway-b', url, { terminals: named });
      const isReported = () => b.conditions.list('entrance').length === 1;
      await until(() => isReported() && tells(a));
      expect(b.holds.standing('entrance')).toEqual({ is: 'elsewhere', by: 'gateway-a' });
    });

    it('F11: printers that have changed places on one member are seen, too', async () => {
      const url = await postgres.newDatabase();
      const pair = (one: string, other: string) => [
        ...lobby(one),
        ...lobby(other, { terminal: 'annex', serialNumber: 'SN-0002' }),
      ];
      await using a = await member('gateway-a', url, { terminals: pair(before, after) });
      await until(() => serves(a) && a.holds.standing('annex').is === 'held');
      await using b = await member('gateway-b', url, { terminals: pair(after, before) });
      await until(() => tells(a) && tells(b));
      for (const terminal of ['lobby', 'annex']) {
        expect(b.holds.standing(terminal)).toEqual({ is: 'elsewhere', by: 'gateway-a' });
      }
    });

    it('F11: whoever agrees with the member that stops comes before one that does not', async () => {
      const url = await postgres.newDatabase();
      await using a = await member('gateway-a', url, { terminals: lobby(after) });
      await until(() => serves(a));
      await using old = await member('gateway-b', url, { terminals: lobby(before) });
      await until(() => tells(old));
      await using c = await member('gateway-c', url, { terminals: lobby(after) });
      await until(() => c.holds.standing('lobby').is === 'elsewhere' && tells(c));
      await a.holds.leave();
      await until(() => serves(c));
      await c.holds.leave();
      await until(() => serves(old));
    });

    it('F11: when the holder has the new address too, there is one group again, and nothing more to tell', async () => {
      const url = await postgres.newDatabase();
      await using a = await member('gateway-a', url, { terminals: lobby(before) });
      await until(() => serves(a));
      await using b = await member('gateway-b', url, { terminals: lobby(after) });
      await until(() => tells(a) && tells(b));
      a.holds.serve(lobby(after));
      await until(() => !tells(a) && !tells(b) && [a, b].filter(serves).length === 1);
    });
  });

  it('F11: an older member holds printers alone: whichever of the two has the printer serves its terminal', async () => {
    const url = await postgres.newDatabase();
    const group = 'ipp://10.0.0.7';
    await using a = await member('gateway-a', url, {
      terminals: [{ terminal: 'lobby', serialNumber: 'SN-0001', group }],
    });
    const standing = () => a.holds.standing('lobby');
    await expect.poll(() => standing().is).toBe('held');
    await using older = runEngine(url, { member: { name: 'older' } });
    await older.until('up');
    const table = createHoldTable(older.engine, older.member);
    const { signal } = new AbortController();
    const beatAndTake = async () => {
      const [seen] = (await table.beat([group], signal)).groups;
      if (seen?.state === 'free') await table.take([seen], signal);
      return seen?.state;
    };
    await beatAndTake();
    await postgres.query(
      `UPDATE platen.member SET beating_since = now() - interval '31 s';
       INSERT INTO platen.wish VALUES ('main', '${group}', '${older.memberId}', now())`,
      url,
    );
    const holds = () =>
      postgres.query(`SELECT member FROM platen.hold ORDER BY "group" = '${group}', "group"`, url);
    await expect
      .poll(async () => [await beatAndTake(), standing()])
      .toEqual(['own', { is: 'elsewhere', by: 'older' }]);
    expect(await holds()).toEqual([{ member: null }, { member: older.memberId }]);
    expect(a.conditions.list('lobby')).toEqual([]);

    // It is killed.
    await expect.poll(() => standing().is).toBe('held');
    expect(await holds()).toEqual([{ member: a.id }, { member: a.id }]);
  });

  it('F11: a member of another site is no rival: printers of the same address there are others', async () => {
    await using pair = await two();
    const { a, url } = pair;
    await using other = await member('gateway-c', url, { site: 'annex' });
    await expect.poll(() => other.holds.roll()?.beatAge).toBeDefined();
    await a.kill();
    await until(() => heldBy(pair.b).length === 20);
    expect(pair.b.holds.standing('t0')).toEqual({ is: 'held', epoch: 2 });
    expect(other.holds.standing('t0')).toEqual({ is: 'held', epoch: 1 });
  });

  it('F10: the roll says who beats', async () => {
    await using pair = await two();
    const { a, b } = pair;
    const rollOf = () =>
      b.holds.roll()?.members.map(({ name, isSelf, isBeating }) => [name, isSelf, isBeating]);
    expect(rollOf()).toEqual([
      ['gateway-a', false, true],
      ['gateway-b', true, true],
    ]);
    await a.kill();
    await expect.poll(rollOf).toContainEqual(['gateway-a', false, false]);
  });

  it('a member that somebody has deleted from the roll enters again, and nobody calls it two', async () => {
    const url = await postgres.newDatabase();
    await using a = await member('gateway-a', url);
    await expect.poll(() => heldBy(a)).toHaveLength(20);
    await postgres.query('DELETE FROM platen.member', url);
    await expect.poll(() => postgres.query('SELECT id FROM platen.member', url)).toEqual([{ id: a.id }]);
    await postgres.query('DELETE FROM platen.hold', url);
    await expect
      .poll(() => postgres.query('SELECT count(*)::integer AS held FROM platen.hold', url))
      .toEqual([{ held: 30 }]);
    await expect.poll(() => heldBy(a)).toHaveLength(20);
    expect(a.log.text()).not.toContain('fleet-member-twice');
  });

  it('a member whose row is an older one of its own enters again, and nobody calls it two', async () => {
    const url = await postgres.newDatabase();
    await using a = await member('gateway-a', url);
    await expect.poll(() => heldBy(a)).toHaveLength(20);
    await postgres.query(
      "UPDATE platen.member SET incarnation = gen_random_uuid(), beat_at = now() - interval '1 hour', until = now() - interval '1 hour'",
      url,
    );
    await expect
      .poll(() => postgres.query('SELECT until > now() AS beats FROM platen.member', url))
      .toEqual([{ beats: true }]);
    await expect.poll(() => heldBy(a)).toHaveLength(20);
    expect(a.log.text()).not.toContain('fleet-member-twice');
  });

  it('a name of two is seen by both, in whatever case and site, while both beat', async () => {
    const url = await postgres.newDatabase();
    await using opened = new AsyncDisposableStack();
    async function beats(name: string, site: string) {
      const running = opened.use(runEngine(url, { member: { name, site } }));
      await running.until('up');
      return { running, table: createHoldTable(running.engine, running.member) };
    }
    const a = await beats('gateway', 'main');
    const b = await beats('Gateway', 'annex');
    const seen = async ({ table }: typeof a) =>
      (await table.beat([], new AbortController().signal)).namesakes;
    expect([await seen(a), await seen(b)]).toEqual([['annex'], ['main']]);
    await b.running[Symbol.asyncDispose]();
    expect(await seen(a)).toEqual([]);
  });
});
