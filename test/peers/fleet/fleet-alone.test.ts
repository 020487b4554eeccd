/** A fleet of one member never needs the engine, and costs nobody who joins it a second print (F12). */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { forgottenRelease } from '../../../src/domain/release.ts';
import { isClaimed, notStopped, take, wishFor } from '../../contracts/claims.ts';
import type { CutLine } from '../../support/cut-line.ts';
import { layLine } from '../../support/cut-line.ts';
import type { FleetMember, MemberChoices } from '../../support/fleet/fleet-member.ts';
import { keptBy, startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { eventually } from '../../support/patience.ts';

const forgot = expect.objectContaining({ code: 'fleet-forgot' }) as Error;
const becomes = async ({ solitude }: FleetMember, alone: boolean) =>
  await expect.poll(() => solitude.isAlone()).toBe(alone);

needsPostgres()('a fleet of one member', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function opens(url: string, choices: MemberChoices = {}): Promise<FleetMember> {
    const member = await startMember(url, { kept: keptBy(undefined), ...choices });
    onTestFinished(() => member[Symbol.asyncDispose]());
    return member;
  }

  /** Its way to the engine can be cut, for it alone. */
  async function setScene() {
    const url = await postgres.newDatabase();
    const line = await layLine(postgres.port);
    onTestFinished(() => line[Symbol.asyncDispose]());
    const through = url.replace(`:${postgres.port}/`, `:${line.port}/`);
    const first = await opens(through);
    await becomes(first, true);
    const rows = (text: string) => postgres.query(text, url);
    return { url, through, line, first, rows };
  }

  async function cuts(line: CutLine, { running }: FleetMember): Promise<void> {
    line.cut();
    await running.until('away');
  }

  async function prints(member: FleetMember, document: string): Promise<void> {
    const claim = await take(member.claims, wishFor(document));
    member.intends(claim);
    await member.claims.sending(claim, undefined, notStopped);
    member.records(claim, 'HANDED-OVER');
    member.claims.ended(claim, 'HANDED-OVER');
  }

  it('prints while the engine is killed, and tells it afterwards', async () => {
    const { first, rows } = await setScene();
    const [printed, broken] = [systemChance.uuid(), systemChance.uuid()];
    await postgres.kill();
    await first.running.until('away');
    await prints(first, printed);
    first.intends(await take(first.claims, wishFor(broken)));
    await expect(take(first.claims, wishFor(printed))).rejects.toEqual(isClaimed);
    expect(await first.posting('any release')).toBe('ours');
    await postgres.start();
    await expect
      .poll(() => rows('SELECT document, state, place FROM platen.claim ORDER BY state'))
      .toEqual([
        { document: printed, state: 'printed', place: 'the lobby' },
        { document: broken, state: 'sending', place: 'the lobby' },
      ]);
    expect(first.solitude.isAlone()).toBe(true);
  });

  it('that is started while the engine is away prints by its word', async () => {
    const { first, through, line } = await setScene();
    const { kept, id } = first;
    line.cut();
    await first[Symbol.asyncDispose]();
    const again = await opens(through, { kept, isCutOff: true, member: { id } });
    await prints(again, systemChance.uuid());
  });

  it('is joined: who comes while the first is there is given claims as soon as it has told all', async () => {
    const { first, url, rows } = await setScene();
    const second = await opens(url);
    const document = systemChance.uuid();
    await take(second.claims, wishFor(document));
    expect([first.kept.word, second.kept.word]).toEqual(['over', undefined]);
    expect(await rows('SELECT * FROM platen.alone')).toEqual([]);
    await expect(take(first.claims, wishFor(document))).rejects.toEqual(isClaimed);
  });

  it('is joined while it is cut off: nothing is given unasked before it is back, and then it needs the engine', async () => {
    const { first, url, line } = await setScene();
    const [printed, free, asked] = [systemChance.uuid(), systemChance.uuid(), systemChance.uuid()];
    // Free once in the engine, which hears nothing of what follows.
    await first.ends(await take(first.claims, wishFor(free)), 'NOOUTPUT');
    await cuts(line, first);
    const second = await opens(url);
    await prints(first, printed);
    await prints(first, free);
    const found = await second.claims.elsewhere([printed, free], notStopped);
    const doubtful = { how: 'may-have-printed', releaseId: forgottenRelease };
    expect([found.get(printed), found.get(free)]).toMatchObject([doubtful, doubtful]);
    await expect(take(second.claims, wishFor(printed))).rejects.toEqual(forgot);
    await expect(take(second.claims, wishFor(free))).rejects.toEqual(forgot);
    // A person was told, and wants it all the same.
    await take(second.claims, wishFor(asked, { again: forgottenRelease }));

    line.mend();
    await becomes(first, false);
    await eventually(() => take(second.claims, wishFor(systemChance.uuid())));
    await expect(take(second.claims, wishFor(printed))).rejects.toEqual(isClaimed);
    await expect(take(second.claims, wishFor(free))).rejects.toEqual(isClaimed);
    await expect(take(first.claims, wishFor(asked))).rejects.toEqual(isClaimed);
    await prints(first, systemChance.uuid());
    await cuts(line, first);
    const soon = { signal: AbortSignal.timeout(500) };
    await expect(first.claims.take(wishFor(systemChance.uuid()), soon)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('sends nothing by a claim of its own when it is alone no more', async () => {
    const { first, url, line } = await setScene();
    await cuts(line, first);
    const claim = await take(first.claims, wishFor(systemChance.uuid()));
    await opens(url);
    line.mend();
    await becomes(first, false);
    await expect(first.claims.sending(claim, undefined, notStopped)).rejects.toMatchObject({
      code: 'claim-lost',
    });
  });

  it('F6: has on its way what it sent by a claim of the engine, and announced to nobody', async () => {
    const { first, url, line, rows } = await setScene();
    const claim = await take(first.claims, wishFor(systemChance.uuid()));
    first.intends(claim);
    await cuts(line, first);
    await first.claims.sending(claim, undefined, notStopped);
    await opens(url);
    expect(await rows('SELECT state FROM platen.claim')).toEqual([{ state: 'claimed' }]);
    line.mend();
    await becomes(first, false);
    await expect.poll(() => rows('SELECT state FROM platen.claim')).toEqual([{ state: 'sending' }]);
  });

  it('that was joined once is never alone again, though the other one is not on the roll any more', async () => {
    const { first, url, rows, through, line } = await setScene();
    const second = await opens(url);
    await becomes(first, false);
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await rows(`DELETE FROM platen.member WHERE id = '${second.id}'`);
    const again = await opens(through, { kept: first.kept, member: { id: first.id } });
    await again.claims.elsewhere([systemChance.uuid()], notStopped);
    await prints(again, systemChance.uuid());
    await cuts(line, again);
    expect(again.solitude.isAlone()).toBe(false);
  });

  it('is not alone where another one has printed, though nobody else is on the roll', async () => {
    const { first, url, rows } = await setScene();
    await prints(first, systemChance.uuid());
    await expect.poll(() => rows("SELECT 1 FROM platen.claim WHERE state = 'printed'")).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await rows('DELETE FROM platen.member; DELETE FROM platen.alone');
    const next = await opens(url);
    await prints(next, systemChance.uuid());
    expect([next.kept.word, await rows('SELECT * FROM platen.alone')]).toEqual([undefined, []]);
  });

  it('of two that come at the same moment none prints without the engine', async () => {
    const url = await postgres.newDatabase();
    const both = await Promise.all([opens(url), opens(url)]);
    await Promise.all(both.map((one) => prints(one, systemChance.uuid())));
    expect(both.map(({ solitude }) => solitude.isAlone())).toEqual([false, false]);
    expect(await postgres.query('SELECT * FROM platen.alone', url)).toEqual([]);
  });

  it('keeps out members that know nothing of it', async () => {
    const { rows } = await setScene();
    expect(await rows('SELECT minimum FROM platen.fleet')).toEqual([{ minimum: 2 }]);
  });
});
