/**
 * A release that repeats another member's, in a real PostgreSQL: where nothing comes out of it, the claim is as it was before
 * (F5; I1).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import { levels } from '../../../src/fleet/engine/levels.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { isClaimed, notStopped, take, wishFor } from '../../contracts/claims.ts';
import { patience } from '../../support/patience.ts';

needsPostgres()('a repeat of another member’s release by which nothing came out', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function openFleet() {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const one = opened.use(await startMember(url));
    const other = opened.use(await startMember(url));
    const held = opened.move();
    return { url, one, other, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }
  const rowOf = async ({ url }: { readonly url: string }, document: string) =>
    (await postgres.query(`SELECT * FROM platen.claim WHERE document = '${document}'`, url))[0];
  const elsewhere = async ({ claims }: FleetMember, ...documents: string[]) =>
    claims.elsewhere(documents, notStopped);
  const upstairs = { place: 'Second floor' };

  it('I1: leaves it as it was: the doubt, its place, its time and its release are told to all, whoever repeated it', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    await fleet.one.ends(claim, 'UNKNOWN');
    const before = (await elsewhere(fleet.other, document)).get(document);
    const again = wishFor(document, { again: claim.releaseId, ...upstairs });
    await fleet.other.ends(await take(fleet.other.claims, again), 'NOOUTPUT');
    const after = (await elsewhere(fleet.other, document)).get(document);
    expect(after).toMatchObject({ releaseId: claim.releaseId, place: 'Entrance', how: 'may-have-printed' });
    expect(Math.abs(Date.parse(after?.at ?? '') - Date.parse(before?.at ?? ''))).toBeLessThan(1000);
    await take(fleet.other.claims, wishFor(document, { again: claim.releaseId }));
  });

  it('leaves a deletion owed that was owed', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    fleet.one.owesDeletion(claim);
    await fleet.one.ends(claim, 'CONFIRMED');
    const again = wishFor(document, { again: claim.releaseId, ...upstairs });
    await fleet.other.ends(await take(fleet.other.claims, again), 'NOOUTPUT');
    const reported = (await elsewhere(fleet.other, document)).get(document);
    expect(reported).toMatchObject({ how: 'printed', deletionOwed: true });
  });

  it('leaves a record owed that was owed, by whoever owes it by then, once', async () => {
    await using fleet = await openFleet();
    const { one, other, url } = fleet;
    const document = systemChance.uuid();
    const claim = await take(one.claims, wishFor(document));
    one.owes(claim);
    await one.ends(claim, 'UNKNOWN');
    const repeat = await take(other.claims, wishFor(document, { again: claim.releaseId }));
    other.intends(repeat);
    // Its heir has taken the record over meanwhile.
    await postgres.query(
      `UPDATE platen.former_claim SET version = 2, left_by = member, member = '${other.id}'`,
      url,
    );
    await other.ends(repeat, 'NOOUTPUT');
    expect(await rowOf(fleet, document)).toMatchObject({
      release_id: claim.releaseId,
      state: 'unknown',
      history: 'owed',
      member: other.id,
      version: 2,
      left_by: one.id,
      will: expect.any(Buffer),
      job: null,
    });
    expect(await one.posting(claim.releaseId)).toBe('anothers');
    expect(await other.posting(claim.releaseId)).toBe('ours');
    await other.ends(await take(other.claims, wishFor(document, { again: claim.releaseId })), 'NOOUTPUT');
    expect(await rowOf(fleet, document)).toMatchObject({ history: 'posting', member: other.id });
    expect(await postgres.query('SELECT * FROM platen.former_claim', url)).toEqual([]);
  });

  it('that its heir settles leaves it as it was, too', async () => {
    await using fleet = await openFleet();
    const { one, other, url } = fleet;
    const document = systemChance.uuid();
    const claim = await take(one.claims, wishFor(document));
    await one.ends(claim, 'PARTIAL');
    const repeat = await take(one.claims, wishFor(document, { again: claim.releaseId }));
    one.intends(repeat);
    await postgres.query(
      `UPDATE platen.claim SET version = 2, left_by = member, member = '${other.id}'`,
      url,
    );
    await other.ends({ ...repeat, version: 2 }, 'NOOUTPUT');
    expect(await rowOf(fleet, document)).toMatchObject({
      release_id: claim.releaseId,
      state: 'unknown',
      member: one.id,
    });
  });

  it('F4: leaves it so at a member of an older version, too, which ends the claim as free', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    await fleet.one.ends(claim, 'UNKNOWN');
    fleet.other.intends(await take(fleet.other.claims, wishFor(document, { again: claim.releaseId })));
    const ended = `state = 'free', at = clock_timestamp(), job = NULL, history = 'none', will = NULL`;
    await postgres.query(`UPDATE platen.claim SET ${ended}, deletion_owed = false`, fleet.url);
    await expect(take(fleet.one.claims, wishFor(document))).rejects.toEqual(isClaimed);
    const reported = (await elsewhere(fleet.other, document)).get(document);
    expect(reported).toMatchObject({ releaseId: claim.releaseId, how: 'may-have-printed' });
  });

  it('F4: leaves it so at a member that was connected before the proofs came, and has kept a claim already', async () => {
    const url = await postgres.newDatabase();
    await using older = runEngine(url, { levels: levels.filter(({ level }) => level < 5) });
    await older.until('up');
    const ask = (text: string) =>
      older.engine.ask({ name: systemChance.uuid(), text }, [], { within: patience() });
    const [document, member] = [systemChance.uuid(), systemChance.uuid()];
    const takes = (release: string) =>
      ask(`INSERT INTO platen.claim AS c (document, member, release_id, terminal, place, state, will)
        VALUES ('${document}', '${member}', '${release}', 'lobby', 'Entrance', 'claimed', 'x')
        ON CONFLICT (document) DO UPDATE SET number = DEFAULT, release_id = excluded.release_id, state = 'claimed',
          history = 'none'`);
    const ends = (state: string, history: string) =>
      ask(`UPDATE platen.claim SET state = '${state}', history = '${history}'`);
    for (const [first, second] of [
      ['r1', 'r2'],
      ['r3', 'r4'],
    ] as const) {
      await takes(first);
      await ends('unknown', 'owed');
      await takes(second);
      expect(await ask(`SELECT release_id FROM platen.any_claim WHERE history = 'owed'`)).toEqual([
        { release_id: first },
      ]);
      await ends('free', 'none');
      expect(await ask('SELECT release_id, state, history FROM platen.any_claim')).toEqual([
        { release_id: first, state: 'unknown', history: 'owed' },
      ]);
      await ask(`DELETE FROM platen.claim`);
      await using newer = await startMember(url);
      expect(await newer.posting('of nobody')).toBe('ours');
    }
  });

  it('and a release after what was free is free again where nothing came out', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    for (const { claims, ends } of [fleet.one, fleet.other, fleet.one]) {
      await ends(await take(claims, wishFor(document)), 'NOOUTPUT');
    }
    const reported = await take(fleet.other.claims, wishFor(document));
    await fleet.other.ends(reported, 'CONFIRMED');
    expect(await rowOf(fleet, document)).toMatchObject({ state: 'printed', release_id: reported.releaseId });
    expect(await postgres.query('SELECT * FROM platen.repeated_claim', fleet.url)).toEqual([]);
  });

  it('in an engine that was restored meanwhile, and knows of no release before it, it may have printed', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    await fleet.one.ends(claim, 'UNKNOWN');
    const again = wishFor(document, { again: claim.releaseId });
    const repeat = await take(fleet.other.claims, again);
    fleet.other.intends(repeat);
    fleet.other.repeats(repeat);
    await postgres.query('DELETE FROM platen.repeated_claim', fleet.url);
    await fleet.other.ends(repeat, 'NOOUTPUT');
    await expect(take(fleet.one.claims, wishFor(document))).rejects.toEqual(isClaimed);
  });
});
