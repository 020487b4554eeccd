/** The claims of a fleet keep the contract in a real PostgreSQL, and what only more than one gateway can meet besides. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { seconds } from '../../../src/core/duration.ts';
import { createFleetSealing } from '../../../src/fleet/fleet-sealing.ts';
import { forgottenRelease } from '../../../src/domain/release.ts';
import type { EngineChoices } from '../../support/fleet/fleet-engine.ts';
import { fleetKey } from '../../support/fleet/fleet-engine.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { forwardClock } from '../../support/forward-clock.ts';
import { claimsContract, isClaimed, notStopped, take, wishFor } from '../../contracts/claims.ts';
import { eventually } from '../../support/patience.ts';

interface Fleet extends AsyncDisposable {
  readonly url: string;
  readonly one: FleetMember;
  readonly other: FleetMember;
}

needsPostgres()('the claims of a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function openFleet(choices: EngineChoices = {}): Promise<Fleet> {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const one = opened.use(await startMember(url, choices));
    const other = opened.use(await startMember(url, choices));
    const held = opened.move();
    return { url, one, other, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  claimsContract(async () => {
    const fleet = await openFleet();
    const { one, other } = fleet;
    return {
      here: one.claims,
      there: other.claims,
      ends: (at, release, state) => (at === one.claims ? one : other).ends(release, state),
      [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
    };
  });

  const rowOf = async ({ url }: Fleet, document: string) =>
    (await postgres.query(`SELECT * FROM platen.claim WHERE document = '${document}'`, url))[0];
  const elsewhere = async ({ claims }: FleetMember, ...documents: string[]) =>
    claims.elsewhere(documents, notStopped);

  it('I1: a document that may have printed stays in doubt for all, where it was to be printed again and nothing came out', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    await fleet.one.ends(claim, 'PARTIAL');
    const again = wishFor(document, { again: claim.releaseId });
    await fleet.one.ends(await take(fleet.one.claims, again), 'NOOUTPUT');
    await expect(take(fleet.other.claims, wishFor(document))).rejects.toEqual(isClaimed);
    const reported = (await elsewhere(fleet.other, document)).get(document);
    expect(reported).toMatchObject({ releaseId: claim.releaseId, how: 'may-have-printed' });
    await take(fleet.one.claims, wishFor(document, { again: claim.releaseId }));
  });

  describe('elsewhere (F5)', () => {
    it.each([
      [undefined, 'in-progress'],
      ['CONFIRMED', 'printed'],
      ['HANDED-OVER', 'printed'],
      ['UNKNOWN', 'may-have-printed'],
      ['PARTIAL', 'may-have-printed'],
    ] as const)('an end of %s is told as %s, with its place and since when', async (state, how) => {
      await using fleet = await openFleet();
      const document = systemChance.uuid().toUpperCase();
      const claim = await take(fleet.one.claims, wishFor(document));
      if (state) await fleet.one.ends(claim, state);
      const found = (await elsewhere(fleet.other, document, systemChance.uuid())).get(document);
      expect(found).toMatchObject({ releaseId: claim.releaseId, place: 'Entrance', how });
      expect(Math.abs(Date.parse(found?.at ?? '') - Date.now())).toBeLessThan(5000);
      expect((await elsewhere(fleet.one, document)).size).toBe(0);
    });

    it('of what nobody printed there is nothing to tell', async () => {
      await using fleet = await openFleet();
      const document = systemChance.uuid();
      await fleet.one.ends(await take(fleet.one.claims, wishFor(document)), 'NOOUTPUT');
      expect((await elsewhere(fleet.other, document)).size).toBe(0);
    });

    it('who finds the pages ends the doubt for everybody', async () => {
      await using fleet = await openFleet();
      const document = systemChance.uuid();
      await fleet.one.ends(await take(fleet.one.claims, wishFor(document)), 'UNKNOWN');
      const held = (await elsewhere(fleet.other, document)).get(document);
      if (held) fleet.other.claims.found(document, held);
      await eventually(async () => expect(await rowOf(fleet, document)).toMatchObject({ state: 'printed' }));
      expect((await elsewhere(fleet.other, document)).get(document)).toMatchObject({ how: 'printed' });
    });

    it('the place is told to whoever is refused', async () => {
      await using fleet = await openFleet();
      const document = systemChance.uuid();
      await take(fleet.one.claims, wishFor(document, { place: 'Second floor' }));
      await expect(take(fleet.other.claims, wishFor(document))).rejects.toMatchObject({
        code: 'document-claimed',
        place: 'Second floor',
      });
    });
  });

  it('a document whose id is no UUID, though the service calls it so, has its claim like any other', async () => {
    await using fleet = await openFleet();
    const document = 'Report.2026_11';
    await take(fleet.one.claims, wishFor(document));
    await expect(take(fleet.other.claims, wishFor(document.toLowerCase()))).rejects.toEqual(isClaimed);
    expect((await elsewhere(fleet.other, document)).get(document)).toMatchObject({ how: 'in-progress' });
    await take(fleet.other.claims, wishFor('Report.2026_12'));
  });

  it('F6: a raised claim keeps out whoever had it: nothing is sent, and its end tells nothing', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const claim = await take(fleet.one.claims, wishFor(document));
    expect(await fleet.one.claims.isOurs(claim, notStopped)).toBe(true);
    await postgres.query(
      `UPDATE platen.claim SET version = version + 1, left_by = member, member = '${fleet.other.id}'
       WHERE document = '${document}'`,
      fleet.url,
    );
    await expect(fleet.one.claims.sending(claim, undefined, notStopped)).rejects.toMatchObject({
      code: 'claim-lost',
    });
    expect(await fleet.one.claims.isOurs(claim, notStopped)).toBe(false);
    fleet.one.records(claim, 'NOOUTPUT');
    fleet.one.claims.ended(claim, 'NOOUTPUT');
    // Whatever it told has been heard when its next question is answered.
    await elsewhere(fleet.one, document);
    expect(await rowOf(fleet, document)).toMatchObject({
      state: 'claimed',
      member: fleet.other.id,
      version: 2,
    });
  });

  it('no name, no title and no job stands in the engine in clear, and any member can open the will', async () => {
    await using fleet = await openFleet();
    const wish = wishFor(systemChance.uuid());
    const claim = await take(fleet.one.claims, wish);
    const job = { jobId: 17, jobUri: 'ipp://10.0.0.7/jobs/17', jobName: wish.will.jobName };
    await fleet.one.claims.sending(claim, job, notStopped);
    const row = await rowOf(fleet, wish.documentUuid);
    const bytes = Buffer.concat([row?.['will'] as Buffer, row?.['job'] as Buffer]).toString('latin1');
    for (const canary of ['Salary', 'anna', '10.0.0.7', 'ipp:']) expect(bytes).not.toContain(canary);
    const sealing = createFleetSealing({ key: fleetKey, chance: systemChance });
    const [document, releaseId] = [wish.documentUuid, claim.releaseId];
    expect(sealing.openWill({ document, releaseId }, row?.['will'] as Buffer)).toEqual(wish.will);
    expect(sealing.openJob({ document, releaseId }, row?.['job'] as Buffer)).toMatchObject(job);
    const others = [
      { document, releaseId: 'another release' },
      { document: systemChance.uuid(), releaseId },
    ];
    for (const other of others) {
      expect(sealing.openWill(other, row?.['will'] as Buffer)).toBeUndefined();
      expect(sealing.openJob(other, row?.['job'] as Buffer)).toBeUndefined();
    }
  });

  describe('while the engine is away (F12)', () => {
    it('a wish waits, is told of it after 2 s, and is refused after 10 s; an end is made up for', async () => {
      const clock = forwardClock();
      await using fleet = await openFleet({ clock });
      const [printing, wanted] = [systemChance.uuid(), systemChance.uuid()];
      const claim = await take(fleet.one.claims, wishFor(printing));
      fleet.one.intends(claim);
      await postgres.stop();
      await fleet.one.running.until('away');
      fleet.one.records(claim, 'CONFIRMED');
      fleet.one.claims.ended(claim, 'CONFIRMED');
      const waits: unknown[] = [];
      const moments: number[] = [];
      const since = clock.monotonic();
      const onWait = (wait: unknown) => {
        waits.push(wait);
        moments.push(clock.monotonic() - since);
      };
      const wish = fleet.one.claims.take(wishFor(wanted), { ...notStopped, onWait });
      const refused = wish.catch((error: unknown) => error);
      clock.forward(seconds(2));
      await eventually(() => expect(waits).toEqual(['engine-away']));
      clock.forward(seconds(8));
      expect(await refused).toMatchObject({ code: 'fleet-engine-away' });
      expect(waits).toEqual(['engine-away', undefined]);
      expect(moments[0]).toBeGreaterThanOrEqual(seconds(2));
      expect(moments[1]).toBeGreaterThanOrEqual(seconds(10));
      expect((await elsewhere(fleet.one, wanted)).size).toBe(0);
      await postgres.start();
      await fleet.one.running.until('up');
      await eventually(async () => expect(await rowOf(fleet, printing)).toMatchObject({ state: 'printed' }));
    });

    it('a wish goes on when the engine is back in time', async () => {
      await using fleet = await openFleet();
      await postgres.stop();
      await fleet.one.running.until('away');
      const wish = wishFor(systemChance.uuid());
      const claim = take(fleet.one.claims, wish);
      await postgres.start();
      expect(await claim).toMatchObject({ releaseId: wish.releaseId });
    });
  });

  it('a claim whose answer was lost is given back when its release has ended, or at its owner’s next wish', async () => {
    await using fleet = await openFleet();
    const document = systemChance.uuid();
    const lost = await take(fleet.one.claims, wishFor(document));
    fleet.one.records(lost, 'NOOUTPUT');
    const wish = wishFor(document);
    expect(await take(fleet.one.claims, wish)).toMatchObject({ releaseId: wish.releaseId });
  });

  describe('an engine that has forgotten (F9)', () => {
    /** As a standby that took over without the last entries: another life, and their rows are not there. */
    const forget = ({ url }: Fleet, ...documents: string[]) =>
      postgres.query(
        `DELETE FROM platen.claim WHERE document IN (${documents.map((one) => `'${one}'`).join()});
         UPDATE platen.fleet SET life = 'an earlier life'`,
        url,
      );
    const reconnect = async (member: FleetMember, url: string) => {
      await postgres.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
        url,
      );
      await member.running.until('away').catch(() => {});
      await member.running.until('up');
    };

    it('hears again what every ledger knows, and until then asks about documents that were never claimed', async () => {
      await using fleet = await openFleet();
      const [printed, never] = [systemChance.uuid(), systemChance.uuid()];
      const claim = await take(fleet.one.claims, wishFor(printed));
      fleet.one.intends(claim);
      await fleet.one.ends(claim, 'CONFIRMED');
      // It stays on the roll, and does not tell.
      await postgres.query(
        `INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until)
         VALUES ('${systemChance.uuid()}', '${systemChance.uuid()}', 'asleep', 'main', '1', 1, now(), now())`,
        fleet.url,
      );
      await forget(fleet, printed);
      await reconnect(fleet.one, fleet.url);
      await eventually(async () =>
        expect(await rowOf(fleet, printed)).toMatchObject({ state: 'printed', member: fleet.one.id }),
      );
      await eventually(async () => {
        const asked = (await elsewhere(fleet.other, never)).get(never);
        expect(asked).toMatchObject({ releaseId: forgottenRelease, how: 'may-have-printed' });
      });
      await expect(take(fleet.other.claims, wishFor(never))).rejects.toMatchObject({ code: 'fleet-forgot' });
      await expect(take(fleet.other.claims, wishFor(printed))).rejects.toEqual(isClaimed);
      const again = wishFor(never, { again: forgottenRelease });
      expect(await take(fleet.other.claims, again)).toMatchObject({ releaseId: again.releaseId });
      await postgres.query("DELETE FROM platen.member WHERE name = 'asleep'", fleet.url);
      await eventually(async () => expect((await elsewhere(fleet.other, systemChance.uuid())).size).toBe(0));
    });

    it('gives nothing before anybody has noticed: the first wish on a server that took over notices itself', async () => {
      await using fleet = await openFleet();
      const printed = systemChance.uuid();
      const claim = await take(fleet.one.claims, wishFor(printed));
      fleet.one.intends(claim);
      await fleet.one.ends(claim, 'CONFIRMED');
      await forget(fleet, printed);
      await expect(take(fleet.other.claims, wishFor(printed))).rejects.toEqual(isClaimed);
      expect(await rowOf(fleet, printed)).toMatchObject({ state: 'printed', member: fleet.one.id });
    });

    it('is noticed by whoever beat since, though nobody who lost a claim is there yet', async () => {
      await using fleet = await openFleet();
      const { one, other, url } = fleet;
      const document = systemChance.uuid();
      one.intends(await take(one.claims, wishFor(document)));
      await one[Symbol.asyncDispose]();
      // As a backup of a minute ago.
      await postgres.query(
        `DELETE FROM platen.claim; UPDATE platen.member SET beat_at = beat_at - interval '1 minute'`,
        url,
      );
      await reconnect(other, url);
      await expect(take(other.claims, wishFor(document))).rejects.toMatchObject({ code: 'fleet-forgot' });
      const again = wishFor(document, { again: forgottenRelease });
      expect(await take(other.claims, again)).toMatchObject({ releaseId: again.releaseId });
    });

    it('is told what printed, also where somebody asked for it once more meanwhile and nothing came out', async () => {
      await using fleet = await openFleet();
      const { one, other, url } = fleet;
      const document = systemChance.uuid();
      const claim = await take(one.claims, wishFor(document));
      one.intends(claim);
      await one.ends(claim, 'CONFIRMED');
      await one[Symbol.asyncDispose]();
      await forget(fleet, document);
      await reconnect(other, url);
      const again = wishFor(document, { again: forgottenRelease });
      await other.ends(await take(other.claims, again), 'NOOUTPUT');
      await using back = await startMember(url, { kept: one.kept, member: { id: one.id } });
      await eventually(async () =>
        expect(await rowOf(fleet, document)).toMatchObject({ state: 'printed', member: back.id }),
      );
      await expect(take(other.claims, wishFor(document))).rejects.toEqual(isClaimed);
    });

    it('is noticed by its head, too, as after the restore of an older backup, and gives no number twice', async () => {
      await using fleet = await openFleet();
      const document = systemChance.uuid();
      const claim = await take(fleet.one.claims, wishFor(document));
      fleet.one.intends(claim);
      await fleet.one.ends(claim, 'UNKNOWN');
      await postgres.query(
        `DELETE FROM platen.claim; SELECT setval(pg_get_serial_sequence('platen.claim', 'number'), 1, false)`,
        fleet.url,
      );
      await reconnect(fleet.one, fleet.url);
      await eventually(async () => expect(await rowOf(fleet, document)).toMatchObject({ state: 'unknown' }));
      const later = await eventually(() => take(fleet.other.claims, wishFor(systemChance.uuid())));
      expect(later.number).toBeGreaterThan(claim.number);
    });
  });
});
