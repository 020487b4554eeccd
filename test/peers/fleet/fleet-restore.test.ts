/** A real backup of the engine that is restored is noticed, however young it is and whoever was restarted since (F9, I1). */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import type { FleetMember, MemberChoices } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';

const forgot = expect.objectContaining({ code: 'fleet-forgot' }) as Error;

needsPostgres()('an engine that is restored', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function opens(url: string, choices: MemberChoices = {}): Promise<FleetMember> {
    const member = await startMember(url, choices);
    onTestFinished(() => member[Symbol.asyncDispose]());
    return member;
  }

  it('from a backup of this very moment asks about what was claimed since, though nobody beat since', async () => {
    const url = await postgres.newDatabase();
    const [gone, there] = [await opens(url), await opens(url)];
    const document = systemChance.uuid();
    // Both have heard of every claim until then.
    await take(there.claims, wishFor(systemChance.uuid()));
    const copy = await postgres.copy();
    const claim = await take(gone.claims, wishFor(document));
    await expect.poll(() => there.recollection.highest()).toBe(claim.number);
    await gone[Symbol.asyncDispose]();
    await postgres.kill();
    await postgres.startFrom(copy, 'restored');
    await there.running.until('up');
    await expect(take(there.claims, wishFor(document))).rejects.toEqual(forgot);
  });

  it.each(['x', '', '1e300', '9223372036854775807'])(
    'is not what a notice of anybody says (%j), and claims are given as ever',
    async (payload) => {
      const url = await postgres.newDatabase();
      const there = await opens(url);
      await postgres.query(`SELECT pg_notify('platen_claimed', '${payload}')`, url);
      // Of the same line, and so after it.
      await postgres.query(`SELECT pg_notify('platen_claimed', '7')`, url);
      await expect.poll(() => there.recollection.highest()).toBe(7);
    },
  );

  it('says who has not told yet, and what to do about it, until that member is retired', async () => {
    const url = await postgres.newDatabase();
    const gone = await opens(url, { member: { name: 'gateway-c' } });
    const there = await opens(url, { member: { name: 'gateway-a' } });
    const copy = await postgres.copy();
    const claim = await take(gone.claims, wishFor(systemChance.uuid()));
    await expect.poll(() => there.recollection.highest()).toBe(claim.number);
    await gone[Symbol.asyncDispose]();
    await postgres.kill();
    await postgres.startFrom(copy, 'restored');
    const sentence =
      'gateway-c has not reported the prints there yet. Until then Platen asks people before documents print. Start it, or retire gateways that will not come back: platen fleet retire NAME';
    await expect.poll(() => there.forgetting()).toBe(sentence);
    await postgres.query(`DELETE FROM platen.member WHERE name = 'gateway-c'`, url);
    await expect.poll(() => there.forgetting()).toBeUndefined();
    await take(there.claims, wishFor(systemChance.uuid()));
  });

  it('while the members were restarted is noticed by a beat that is kept', async () => {
    const url = await postgres.newDatabase();
    const [gone, before] = [await opens(url), await opens(url)];
    const { kept, running } = before;
    const copy = await postgres.copy();
    const document = systemChance.uuid();
    await take(gone.claims, wishFor(document));
    await createHoldTable(running.engine, running.member).beat([], notStopped.signal);
    await before[Symbol.asyncDispose]();
    await gone[Symbol.asyncDispose]();
    await postgres.kill();
    await postgres.startFrom(copy, 'restored');
    const there = await opens(url, { kept, member: { id: before.id } });
    await expect(take(there.claims, wishFor(document))).rejects.toEqual(forgot);
  });
});
