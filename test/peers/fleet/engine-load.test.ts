/** What a fleet asks of its PostgreSQL costs what is under way, however much is over, and holds nothing up for long. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { seconds } from '../../../src/core/duration.ts';
import { engineLoad } from '../../../src/fleet/engine-load.ts';
import { openClaims } from '../../../src/fleet/claim-statements.ts';
import { sweepOldClaims } from '../../../src/fleet/retention.ts';
import { claimsLeft, recordsOwed } from '../../../src/fleet/will-statements.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import type { Ask } from '../../../src/fleet/patience.ts';
import type { Statement } from '../../../src/fleet/engine/line.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { eventually } from '../../support/patience.ts';
import { recordLog } from '../../support/recorded-log.ts';

const within = seconds(5);
const member = systemChance.uuid();

needsPostgres()('the work of an engine', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const askBy =
    ({ running }: FleetMember): Ask =>
    (statement, values) =>
      running.engine.ask(statement, values, { within });

  /** So many that are over, each so many days old. */
  const over = (url: string, count: number, { days = 1, state = 'printed', history = 'none' } = {}) =>
    postgres.query(
      `INSERT INTO platen.claim (document, member, release_id, terminal, place, state, history, at)
       SELECT gen_random_uuid(), '${member}', 'release ' || gen_random_uuid(), 'lobby', 'Entrance', '${state}', '${history}',
         now() - interval '${days} days' FROM generate_series(1, ${count}) RETURNING document`,
      url,
    );
  const left = async (url: string) =>
    Number((await postgres.query('SELECT count(*) FROM platen.claim', url))[0]?.['count']);
  const sweepIsDue = (url: string) => postgres.query('UPDATE platen.sweep SET due = now()', url);

  it('for a look is done by an index of what is under way or owed, not by reading what is over', async () => {
    const url = await postgres.newDatabase();
    await using looking = await startMember(url);
    await over(url, 5000);
    await postgres.query('ANALYZE platen.claim', url);
    const looks: readonly [Statement, readonly unknown[]][] = [
      [openClaims, [member]],
      [recordsOwed, [member]],
      [claimsLeft, [member, [], []]],
    ];
    for (const [{ name, text }, values] of looks) {
      const plan = await askBy(looking)({ name: `plan of ${name}`, text: `EXPLAIN ${text}` }, values);
      const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
      expect(lines).toContain('claim_unsettled');
      expect(lines).not.toMatch(/Seq Scan on claim\b/);
    }
  });

  it('tells of records that are owed, and apart of those that are owed for more than five minutes', async () => {
    const url = await postgres.newDatabase();
    await using asking = await startMember(url);
    await over(url, 2, { days: 0, history: 'owed' });
    expect(await engineLoad(askBy(asking))).toMatchObject({
      owedRecords: 2,
      overdueRecords: 0,
      openClaims: 0,
    });
    await postgres.query("UPDATE platen.claim SET at = now() - interval '4 minutes'", url);
    await over(url, 1, { history: 'posting' });
    await over(url, 1, { history: 'posted' });
    expect(await engineLoad(askBy(asking))).toMatchObject({ owedRecords: 3, overdueRecords: 1 });
  });

  it('is compiled for nobody, and ends before whoever waits for it gives up', async () => {
    await using asking = runEngine(await postgres.newDatabase());
    await asking.until('up');
    const text = `SELECT current_setting('jit') AS jit, current_setting('lock_timeout') AS lock,
      current_setting('statement_timeout') AS statement`;
    const [row] = await asking.engine.ask({ name: 'limits', text }, [], { within });
    expect(row).toEqual({ jit: 'off', lock: '2s', statement: '2500ms' });
    const sleeps = asking.engine.ask({ name: 'sleep', text: 'SELECT pg_sleep(60)' }, [], { within });
    await expect(sleeps).rejects.toMatchObject({ code: 'fleet-engine-away' });
    expect(asking.engine.state().is).toBe('up');
  });

  it('piles up no server processes behind the lock of an administrator', async () => {
    const url = await postgres.newDatabase();
    await using one = runEngine(url);
    await using other = runEngine(url);
    const both = [one, other];
    await Promise.all(both.map((each) => each.until('up')));
    const locked = postgres
      .query('BEGIN; LOCK TABLE platen.claim; SELECT pg_sleep(600)', url)
      .catch((error: unknown) => error);
    await eventually(async () => {
      const held = `SELECT FROM pg_locks WHERE relation = 'platen.claim'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
      expect(await postgres.query(held, url)).toHaveLength(1);
    });
    const text = 'SELECT count(*) FROM platen.claim';
    const refused = both.flatMap(({ engine }) =>
      [1, 2].map(() =>
        engine.ask({ name: 'counted', text }, [], { within }).catch((error: unknown) => error),
      ),
    );
    for (const each of refused) expect(await each).toMatchObject({ code: 'fleet-engine-away' });
    const running = await postgres.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'platen'`,
      url,
    );
    expect(running.length).toBeLessThanOrEqual(both.length);
    expect(both.map(({ engine }) => engine.state().is)).toEqual(['up', 'up']);
    await postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND pid <> pg_backend_pid()`,
    );
    await locked;
  });

  it('for the beat of a member of a large site is done for those of its printers, and the roll comes now and then', async () => {
    const url = await postgres.newDatabase();
    await using one = runEngine(url);
    await one.until('up');
    await postgres.query(
      `INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until, beating_since, groups)
       SELECT gen_random_uuid(), gen_random_uuid(), 'gateway ' || n, 'main', '1', 1, now(), now() + interval '1 hour', now(),
         ARRAY['printer ' || n, 'printer ' || n + 1] FROM generate_series(1, 1000) n`,
      url,
    );
    const texts: string[] = [];
    const { engine } = one;
    const table = createHoldTable(
      {
        ask: (statement, values, options) => {
          texts.push(JSON.stringify(values));
          return engine.ask(statement, values, options);
        },
        beaten: () => {},
        enterAgain: () => {},
        onNotice: (channel, listener) => engine.onNotice(channel, listener),
      },
      one.member,
    );
    const beats = [];
    for (let beat = 0; beat < 11; beat += 1) beats.push(await table.beat(['printer 5'], notStopped.signal));
    for (const { members, groups } of beats) {
      expect(members).toHaveLength(1001);
      expect(groups).toMatchObject([{ group: 'printer 5', state: 'free', isShared: true }]);
    }
    expect(texts.map((values) => values.endsWith(',true]'))).toEqual([true, ...Array(9).fill(false), true]);
  });

  it('for what is over ends 90 days later, and 400 where nobody knows whether it came out', async () => {
    const url = await postgres.newDatabase();
    await using sweeping = await startMember(url);
    await over(url, 1500, { days: 91 });
    await over(url, 1, { days: 91, state: 'free', history: 'posted' });
    await over(url, 1, { days: 401, state: 'unknown' });
    const [stays] = await over(url, 1, { days: 399, state: 'unknown' });
    await over(url, 1, { days: 500, state: 'claimed' });
    await over(url, 1, { days: 500, state: 'sending' });
    await over(url, 1, { days: 500, history: 'owed' });
    await over(url, 1, { days: 500, history: 'posting' });
    await over(url, 1, { days: 89 });
    const [listed] = await over(url, 1, { days: 100 });
    await sweeping.claims.elsewhere([String(listed?.['document'])], notStopped);
    const { log, records } = recordLog();
    for (let steps = 0; steps < 4; steps += 1) {
      await sweepIsDue(url);
      await sweepOldClaims(askBy(sweeping), log);
    }
    expect(await left(url)).toBe(7);
    const still = await postgres.query(
      `SELECT FROM platen.claim WHERE document = '${String(stays?.['document'])}'`,
      url,
    );
    expect(still).toHaveLength(1);
    const claims = records('old claims removed').map((each) => Number(each['claims']));
    expect(claims.reduce((all, each) => all + each, 0)).toBeGreaterThan(0);
  });

  it('for what is over is done by one member at a time, when it is due, in steps of a thousand', async () => {
    const url = await postgres.newDatabase();
    await using one = await startMember(url);
    await eventually(async () =>
      expect(await postgres.query('SELECT FROM platen.sweep WHERE due > now()', url)).toHaveLength(1),
    );
    await over(url, 2500, { days: 91 });
    const { log } = recordLog();
    await sweepOldClaims(askBy(one), log);
    expect(await left(url)).toBe(2500);
    await sweepIsDue(url);
    await Promise.all([1, 2, 3].map(() => sweepOldClaims(askBy(one), log)));
    expect(await left(url)).toBe(1500);
  });

  it('keeps the youngest claim, by which an engine that has forgotten is noticed (F9)', async () => {
    const url = await postgres.newDatabase();
    await using one = await startMember(url);
    await one.ends(await take(one.claims, wishFor(systemChance.uuid())), 'CONFIRMED');
    await postgres.query(
      `UPDATE platen.claim SET at = now() - interval '2 years'; UPDATE platen.sweep SET due = now()`,
      url,
    );
    await sweepOldClaims(askBy(one), recordLog().log);
    expect(await left(url)).toBe(1);
    await one.ends(await take(one.claims, wishFor(systemChance.uuid())), 'CONFIRMED');
    expect(one.forgetting()).toBeUndefined();
  });
});
