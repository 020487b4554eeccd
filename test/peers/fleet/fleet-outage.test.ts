/**
 * An outage for all: of the lines to the engine, of the engine, or by another server that takes over. The first member that is
 * back has heard nobody, and leaves to the living what they have in hand until they had as long to come back (F8).
 */
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { layLine } from '../../support/cut-line.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { job } from '../../support/store/release-samples.ts';

needsPostgres()('what a living member has in hand', () => {
  let postgres: Postgres;
  // Each is killed, or replaced.
  beforeEach(async () => {
    postgres = await startPostgres();
  });
  afterEach(() => postgres[Symbol.asyncDispose]());

  async function startBehindLine(url: string) {
    const line = await layLine(postgres.port);
    onTestFinished(() => line[Symbol.asyncDispose]());
    const member = await startMember(url.replace(`:${postgres.port}/`, `:${line.port}/`));
    onTestFinished(() => member[Symbol.asyncDispose]());
    const { running } = member;
    const table = createHoldTable(running.engine, running.member);
    const { looks } = member;
    return {
      member,
      line,
      beats: () => table.beat([], notStopped.signal),
      async comesBack() {
        line.mend();
        await running.until('up');
        await table.beat([], notStopped.signal);
      },
      /** It beats, and takes over what it may. */
      async looks(document: string) {
        await table.beat([], notStopped.signal);
        return await looks(document);
      },
    };
  }

  /** `entrance` has a document on its way to a printer; all have been beating for an hour. */
  async function setScene() {
    const url = await postgres.newDatabase();
    const [entrance, upstairs] = [await startBehindLine(url), await startBehindLine(url)];
    for (const { beats } of [entrance, upstairs]) await beats();
    const sql = (text: string) => postgres.query(text, url);
    await sql(`UPDATE platen.member SET beating_since = now() - interval '1 hour'`);
    const wish = wishFor(systemChance.uuid());
    const { documentUuid } = wish;
    const claim = await take(entrance.member.claims, { ...wish, will: { ...wish.will, documentUuid } });
    entrance.member.intends(claim);
    await entrance.member.claims.sending(claim, job, notStopped);
    return {
      entrance,
      upstairs,
      claim,
      sql,
      row: async () => (await sql('SELECT member, version FROM platen.claim'))[0],
      /** Of the engine: nobody has asked it anything meanwhile. */
      unheardFor: (span: string) =>
        sql(
          `UPDATE platen.member SET beat_at = beat_at - interval '${span}', until = until - interval '${span}'`,
        ),
      /** With a beat every second of whoever is back. */
      passes: (span: string) =>
        sql(`UPDATE platen.member SET beating_since = beating_since - interval '${span}',
          until = CASE WHEN until < now() THEN until - interval '${span}' ELSE until END`),
    };
  }
  type Scene = Awaited<ReturnType<typeof setScene>>;

  async function cutAll({ entrance, upstairs }: Scene): Promise<void> {
    for (const { line } of [entrance, upstairs]) line.cut();
    for (const { member } of [entrance, upstairs]) await member.running.until('away');
  }

  /** So short that `upstairs` has not missed a beat; `entrance` finds the new server late. */
  async function replaced({ entrance, upstairs, sql }: Scene, replace: () => Promise<void>): Promise<void> {
    await sql(`UPDATE platen.member SET until = now() + CASE id WHEN '${upstairs.member.id}'
      THEN interval '1 hour' ELSE interval '-1 minute' END`);
    entrance.line.cut();
    await replace();
    await upstairs.member.running.until('up');
  }

  const outages: readonly (readonly [string, (scene: Scene) => Promise<void>])[] = [
    [
      'all lines to the engine were cut',
      async (scene) => {
        await cutAll(scene);
        await scene.unheardFor('11 minutes');
      },
    ],
    [
      'all lines were cut, and only for a moment',
      async (scene) => {
        await cutAll(scene);
        await scene.sql(
          `UPDATE platen.member SET until = now() - interval '1 minute' WHERE id = '${scene.entrance.member.id}'`,
        );
      },
    ],
    [
      'the engine was started again, and fast',
      (scene) =>
        replaced(scene, async () => {
          await postgres.kill();
          await scene.upstairs.member.running.until('away');
          await postgres.start();
        }),
    ],
    [
      'a standby was promoted, and fast',
      async (scene) => {
        const copy = await postgres.copy();
        await replaced(scene, async () => {
          await postgres.kill();
          await scene.upstairs.member.running.until('away');
          await postgres.startFrom(copy, 'promoted');
        });
        await scene.sql(
          `UPDATE platen.member SET until = now() - interval '1 minute' WHERE id = '${scene.entrance.member.id}'`,
        );
      },
    ],
  ];

  it.each(outages)(
    'F8: stays its own when it comes back within half a minute after %s',
    async (_, outage) => {
      const scene = await setScene();
      const { entrance, upstairs, claim, row, passes } = scene;
      await outage(scene);
      await upstairs.comesBack();
      // What the test itself takes comes on top.
      for (const span of ['0 seconds', '15 seconds', '5 seconds']) {
        await passes(span);
        expect(await upstairs.looks(claim.documentUuid)).toEqual([]);
      }
      await entrance.comesBack();
      await passes('1 hour');
      expect(await upstairs.looks(claim.documentUuid)).toEqual([]);
      expect(await row()).toEqual({ member: entrance.member.id, version: 1 });
      await entrance.member.claims.sending(claim, job, notStopped);
    },
  );

  it.each(outages)(
    'F8: is settled by another one when it has not come back half a minute after %s',
    async (_, outage) => {
      const scene = await setScene();
      const { upstairs, claim, row, passes } = scene;
      await outage(scene);
      await upstairs.comesBack();
      await passes('31 seconds');
      expect(await upstairs.looks(claim.documentUuid)).toMatchObject([{ releaseId: claim.releaseId }]);
      expect(await row()).toEqual({ member: upstairs.member.id, version: 2 });
    },
  );

  it('F8: is left alone by whoever was cut off once more within the half minute', async () => {
    const scene = await setScene();
    const { entrance, upstairs, claim, row, passes } = scene;
    await cutAll(scene);
    await scene.unheardFor('11 minutes');
    await upstairs.comesBack();
    await passes('20 seconds');
    upstairs.line.cut();
    await upstairs.member.running.until('away');
    await upstairs.comesBack();
    await passes('20 seconds');
    expect(await upstairs.looks(claim.documentUuid)).toEqual([]);
    expect(await row()).toEqual({ member: entrance.member.id, version: 1 });
  });

  it('F8: is left alone by a look that was on its way when the engine stood still, and arrives before any beat', async () => {
    const scene = await setScene();
    const { entrance, upstairs, claim, row } = scene;
    upstairs.line.silence('there');
    const looking = upstairs.member.looks(claim.documentUuid);
    await scene.unheardFor('1 minute');
    upstairs.line.mend();
    expect(await looking).toEqual([]);
    expect(await row()).toEqual({ member: entrance.member.id, version: 1 });
  });
});
