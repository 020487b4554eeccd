/** An engine that is lost and begun anew, empty: nobody takes it for the fleet's until a person says so (F9, I1). */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { Secret } from '../../../src/core/secret.ts';
import { acceptFleet } from '../../../src/fleet/acceptance.ts';
import type { FleetKeys } from '../../../src/fleet/engine/fleet-keys.ts';
import { createHeadcount } from '../../../src/fleet/members/headcount.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { addressOf, allegianceOf, fleetKey } from '../../support/fleet/fleet-engine.ts';
import type { FleetMember, Kept, MemberChoices } from '../../support/fleet/fleet-member.ts';
import { keptBy, startMember } from '../../support/fleet/fleet-member.ts';
import { recordLog } from '../../support/recorded-log.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';

const differs = { code: 'fleet-differs' };

needsPostgres()('an engine that is begun anew', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function opens(url: string, choices: MemberChoices = {}): Promise<FleetMember> {
    const member = await startMember(url, choices);
    onTestFinished(() => member[Symbol.asyncDispose]());
    return member;
  }

  async function beginAnew(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await postgres.query(`CREATE DATABASE ${name}`);
  }

  const accept = (url: string, { fleet }: Kept, keys: FleetKeys = { key: fleetKey }) =>
    acceptFleet(
      fleet ?? { fleetId: '', members: [] },
      { address: addressOf(url), ...keys, clock: systemClock, chance: systemChance },
      notStopped,
    );

  const isEmpty = async (url: string): Promise<boolean> =>
    (await postgres.query(`SELECT to_regnamespace('platen') IS NULL AS "isEmpty"`, url))[0]?.['isEmpty'] ===
    true;

  const isShown = async (member: FleetMember): Promise<void> =>
    await expect.poll(() => member.running.condition()).toMatchObject(differs);

  it('is refused by who belongs to another fleet, and is left as it is', async () => {
    const url = await postgres.newDatabase();
    const member = await opens(url);
    await beginAnew(url);
    await isShown(member);
    expect(member.running.condition()?.detail).toBe(
      `127.0.0.1:${postgres.port} has no fleet in it: it is empty, or was begun anew. This gateway belongs to the fleet ${member.kept.fleet?.fleetId}`,
    );
    expect(await isEmpty(url)).toBe(true);
    // Over a restart, too.
    await member[Symbol.asyncDispose]();
    const again = await opens(url, { kept: member.kept, isCutOff: true });
    await isShown(again);
    expect(await isEmpty(url)).toBe(true);
  });

  it('by a gateway that was in none before is not followed by the others', async () => {
    const url = await postgres.newDatabase();
    const member = await opens(url);
    await beginAnew(url);
    await isShown(member);
    const founder = await opens(url);
    await expect
      .poll(() => member.running.condition()?.detail)
      .toContain(`is of the fleet ${founder.kept.fleet?.fleetId}`);
    expect(await postgres.query('SELECT id FROM platen.member', url)).toEqual([{ id: founder.id }]);
  });

  it('ends the word of a member that was alone: it prints no more by its ledger (F12)', async () => {
    const url = await postgres.newDatabase();
    const member = await opens(url, { kept: keptBy(undefined) });
    await expect.poll(() => member.kept.word).toBe('alone');
    await beginAnew(url);
    await isShown(member);
    expect(member.kept.word).toBe('over');
  });

  it('asks about every document of before once a person has accepted it, until all members have told', async () => {
    const url = await postgres.newDatabase();
    const [gone, there] = [await opens(url), await opens(url)];
    const claim = await take(gone.claims, wishFor(systemChance.uuid()));
    gone.intends(claim);
    await gone[Symbol.asyncDispose]();
    const { fleetId } = there.kept.fleet ?? {};
    const members = [gone, there].map(({ id }) => ({ id, name: id.slice(0, 4), site: 'main' }));
    there.kept.fleet = { fleetId: fleetId ?? '', members };
    await beginAnew(url);
    await isShown(there);
    const accepted = await accept(url, there.kept);
    expect(accepted).toMatchObject({ is: 'begun', awaited: members.map(({ name }) => name).toSorted() });
    await there.running.until('up');
    expect(there.kept.fleet.fleetId).toBe(accepted.fleet);
    const forgot = expect.objectContaining({ code: 'fleet-forgot' }) as Error;
    await expect(take(there.claims, wishFor(claim.documentUuid))).rejects.toEqual(forgot);
    // Who was away joins it by itself, and tells what it has in hand.
    const back = await opens(url, { kept: gone.kept, member: { id: gone.id } });
    await expect
      .poll(() => take(there.claims, wishFor(claim.documentUuid)).catch((error: unknown) => error))
      .toMatchObject({ code: 'document-claimed' });
    await take(there.claims, wishFor(systemChance.uuid()));
    expect(back.kept.fleet?.fleetId).toBe(accepted.fleet);
    expect(await accept(url, there.kept)).toMatchObject({ is: 'ours' });
  });

  it('is accepted while the key is changed, whichever of the two the other gateways have', async () => {
    const next = new Secret(Buffer.alloc(32, 8).toString('base64'));
    const url = await postgres.newDatabase();
    const member = await opens(url);
    await beginAnew(url);
    const both = { key: next, previousKey: fleetKey };
    expect(await accept(url, member.kept, both)).toMatchObject({ is: 'begun' });
    expect(await accept(url, member.kept, { key: fleetKey })).toMatchObject({ is: 'accepted' });
    await member.running.until('up');
    await beginAnew(url);
    await isShown(member);
    await opens(url);
    expect(await accept(url, member.kept, both)).toMatchObject({ is: 'accepted' });
    await beginAnew(url);
    await accept(url, member.kept, { key: next });
    await expect(accept(url, member.kept)).rejects.toMatchObject({ code: 'fleet-key-differs' });
  });

  it('is noticed with the members that were there, whom their member keeps with its fleet', async () => {
    const url = await postgres.newDatabase();
    const [other, member] = [await opens(url), await opens(url)];
    const { engine } = member.running;
    const allegiance = allegianceOf(member.kept.fleet);
    const { log } = recordLog();
    const world = { clock: systemClock, chance: systemChance, log };
    const headcount = createHeadcount({
      engine,
      allegiance,
      kept: { read: () => 1, keep: () => {} },
      ...world,
    });
    const stop = new AbortController();
    const running = headcount.run(stop.signal);
    await expect
      .poll(() => allegiance.read()?.members.map(({ id }) => id))
      .toEqual([other.id, member.id].toSorted());
    stop.abort();
    await running;
  });

  it('is followed by no word that the key of the fleet did not prove', async () => {
    const url = await postgres.newDatabase();
    const member = await opens(url);
    await beginAnew(url);
    await isShown(member);
    await opens(url);
    await postgres.query(
      `INSERT INTO platen.former_fleet VALUES ('${member.kept.fleet?.fleetId}', now(), sha256('forged'))`,
      url,
    );
    await expect.poll(() => member.running.condition()?.detail).toContain('is of the fleet');
    const other = new Secret(Buffer.alloc(32, 9).toString('base64'));
    await expect(accept(url, member.kept, { key: other })).rejects.toMatchObject({
      code: 'fleet-key-differs',
    });
    await accept(url, member.kept);
    await member.running.until('up');
  });
});
