/**
 * An engine that answers, and does not do what is asked: by a permission, a table, a value, its disk, or settings that
 * somebody has changed since (F1). The condition has the server's own sentence, and it goes when that is corrected.
 */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';

const fullDisk = `
  CREATE FUNCTION platen.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = 'disk_full';
  END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON platen.claim FOR EACH ROW EXECUTE FUNCTION platen.full_disk()`;

needsPostgres()('an engine that refuses', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
    await postgres.query(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** Of a role that owns its schema, and is no superuser. */
  async function opens(): Promise<{ url: string; member: FleetMember }> {
    const url = await postgres.newDatabase();
    await postgres.query('CREATE SCHEMA platen AUTHORIZATION plain', url);
    const member = await startMember(url.replace(/\/\/.*@/, '//plain:plain@'));
    onTestFinished(() => member[Symbol.asyncDispose]());
    return { url, member };
  }

  const release = (member: FleetMember) =>
    take(member.claims, wishFor(systemChance.uuid())).catch((error: unknown) => error);

  it.each([
    [
      'whose permission was taken away',
      'REVOKE INSERT ON platen.claim FROM plain',
      'GRANT INSERT ON platen.claim TO plain',
      'the user lacks a permission (permission denied for table claim, SQLSTATE 42501)',
    ],
    [
      'whose table has another name',
      'ALTER TABLE platen.claim RENAME TO claim_before',
      'ALTER TABLE platen.claim_before RENAME TO claim',
      'a table of the fleet is not there, or has another name (relation "platen.claim" does not exist, SQLSTATE 42P01)',
    ],
  ])('a claim, and %s, is told by its sentence', async (_, change, back, sentence) => {
    const { url, member } = await opens();
    await postgres.query(change, url);
    expect(await release(member)).toMatchObject({ code: 'fleet-engine-refused' });
    expect(member.running.condition()).toMatchObject({ code: 'fleet-engine-refused' });
    expect(member.running.condition()?.detail).toContain(sentence);
    expect(member.running.engine.refusal()?.message).toContain(sentence);
    // Whoever starts now is told before anybody wants to print.
    await using newcomer = runEngine(url.replace(/\/\/.*@/, '//plain:plain@'));
    await expect.poll(() => newcomer.condition()?.detail).toContain(sentence);
    await postgres.query(back, url);
    expect(await release(member)).toMatchObject({ version: 1 });
    await expect.poll(() => member.running.condition()).toBeUndefined();
    expect(member.running.log.records('engine back')).toHaveLength(1);
    await newcomer.until('up');
  });

  it('a beat, for a table that only beats read; a time without end of another member keeps none away', async () => {
    const { url, member } = await opens();
    const { engine, member: self } = member.running;
    const other = await startMember(url);
    onTestFinished(() => other[Symbol.asyncDispose]());
    const holds = createHoldTable(other.running.engine, other.running.member);
    await holds.beat(['ipp://one'], notStopped.signal);
    const free = { group: 'ipp://one', epoch: 0, state: 'free', freeFor: 0 } as never;
    await holds.take([free], notStopped.signal);
    await postgres.query(`UPDATE platen.member SET until = 'infinity' WHERE id = '${other.id}'`, url);
    const beat = () =>
      createHoldTable(engine, self)
        .beat(['ipp://one'], notStopped.signal)
        .catch((error: unknown) => error);
    expect(await beat()).toMatchObject({ hadLapsed: false });
    await postgres.query('REVOKE ALL ON platen.wish FROM plain', url);
    expect(await beat()).toMatchObject({ code: 'fleet-engine-refused' });
    expect(member.running.condition()?.detail).toContain('member beats');
    await postgres.query('GRANT ALL ON platen.wish TO plain', url);
    expect(await beat()).toMatchObject({ hadLapsed: false });
    expect(member.running.condition()).toBeUndefined();
  });

  it('for its disk is full, and says so', async () => {
    const { url, member } = await opens();
    await postgres.query(fullDisk, url);
    const leaving = new AbortController();
    const waiting = member.claims.take(wishFor(systemChance.uuid()), leaving).catch(() => {});
    await expect
      .poll(() => member.running.condition()?.detail)
      .toMatch(
        /its disk is full\. Make room there \(could not extend .*No space left on device, SQLSTATE 53100/,
      );
    leaving.abort();
    await waiting;
  });

  it('since somebody has set it so that it forgets, while members run', async () => {
    const { member } = await opens();
    await postgres.query('ALTER SYSTEM SET fsync = off');
    await postgres.query('ALTER SYSTEM SET synchronous_commit = off');
    await postgres.query('SELECT pg_reload_conf()');
    onTestFinished(async () => {
      await postgres.query('ALTER SYSTEM RESET ALL');
      await postgres.query('SELECT pg_reload_conf()');
    });
    await expect
      .poll(() => member.running.condition()?.detail, { interval: 200 })
      .toMatch(/can lose data that it has confirmed.*synchronous_commit = off/);
    expect(member.running.engine.state().is).toBe('away');
  });

  it('a member that is behind, since somebody has raised the minimum by hand', async () => {
    const { url, member } = await opens();
    await postgres.query('UPDATE platen.fleet SET minimum = 99', url);
    await expect.poll(() => member.running.condition()?.code, { interval: 200 }).toBe('fleet-member-behind');
  });
});
