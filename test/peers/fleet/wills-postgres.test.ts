/**
 * What gone members of a fleet leave, in a real PostgreSQL: taken over by one, never from a living one, and opened by
 * who has the key (F6 to F8).
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { ClaimWish } from '../../../src/domain/ports/claims.ts';
import type { Heir } from '../../../src/domain/ports/wills.ts';
import { createFleetSealing } from '../../../src/fleet/fleet-sealing.ts';
import { FleetWills } from '../../../src/fleet/wills.ts';
import { notStopped, take, wishFor } from '../../contracts/claims.ts';
import { openBooks } from '../../support/store/books.ts';
import { attempt, inheritance, job, printerUri } from '../../support/store/release-samples.ts';
import { retireMembers } from '../../../src/fleet/members/retirement.ts';
import { addressOf, fleetKey } from '../../support/fleet/fleet-engine.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { createClaimBooks } from '../../../src/store/ledger/claim-books.ts';
import { patience } from '../../support/patience.ts';

needsPostgres()('what a gone member left', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** `entrance` claims and goes; `upstairs` finds it, with a ledger of its own and a desk that only takes notes. */
  async function setScene({ key = fleetKey }: { readonly key?: Secret } = {}) {
    const url = await postgres.newDatabase();
    const entrance = await startMember(url);
    onTestFinished(() => entrance[Symbol.asyncDispose]());
    const heirs = await Promise.all([0, 1].map(() => startHeir(url, key)));
    const [upstairs, further] = heirs;
    if (!upstairs || !further) throw new Error('two were started');
    const sql = (text: string) => postgres.query(text, url);
    const beats = async ({ member }: typeof upstairs, since = '1 hour') =>
      void (await sql(
        `UPDATE platen.member SET until = now() + interval '1 hour', beating_since = now() - interval '${since}'
         WHERE id = '${member.id}'`,
      ));
    for (const heir of heirs) await beats(heir);
    const goes = async (ago = '1 minute') =>
      void (await sql(
        `UPDATE platen.member SET until = now() - interval '${ago}' WHERE id = '${entrance.id}'`,
      ));
    const row = async () => (await sql('SELECT * FROM platen.claim'))[0];
    return { entrance, upstairs, further, sql, beats, goes, row, url };
  }

  async function startHeir(url: string, key: Secret) {
    const member = await startMember(url);
    onTestFinished(() => member[Symbol.asyncDispose]());
    const books = openBooks();
    onTestFinished(() => books[Symbol.dispose]());
    const { log, ...recorded } = recordLog();
    const resumed: string[] = [];
    let printers = [printerUri];
    const busy = new Set<string>();
    const heir: Heir = {
      isBusyWith: (uuid) => busy.has(uuid),
      canAsk: (uri) => printers.includes(uri),
      resume: (attempts) => resumed.push(...attempts.map(({ state }) => state)),
    };
    const { engine } = member.running;
    const { solitude } = member;
    const wills = new FleetWills({
      engine,
      solitude,
      member: member.id,
      ledger: books.ledger,
      books: createClaimBooks(books.database, books.outbox),
      sealing: createFleetSealing({ key, chance: systemChance }),
      unknownHold: () => seconds(0),
      clock: systemClock,
      chance: systemChance,
      log,
    });
    const looks = (...documents: string[]) => {
      wills.asked(documents);
      return wills.look(heir, notStopped.signal);
    };
    return {
      member,
      books,
      wills,
      resumed,
      busy,
      looks,
      recorded,
      hasNoPrinter: () => (printers = []),
    };
  }

  const usualWill = { ...inheritance('INTENT').will, printerUri };
  function wish(more: Partial<ClaimWish['will']> = {}): ClaimWish {
    const documentUuid = systemChance.uuid();
    return wishFor(documentUuid, { will: { ...usualWill, ...more, documentUuid } });
  }
  type Scene = Awaited<ReturnType<typeof setScene>>;
  async function claimed({ entrance }: Scene, wanted = wish()) {
    const claim = await take(entrance.claims, wanted);
    entrance.intends(claim);
    return claim;
  }

  it.each([
    ['had no job yet', {}, 'INTENT'],
    ['was to make its job with its bytes, and had not begun', { inOneStep: true }, 'PLANNED'],
    ['was at a printer of bytes, and had not begun', { printerUri: 'socket://10.0.0.7:9100' }, 'PLANNED'],
    ['was the service’s, and had not begun', { printerUri: undefined }, 'PLANNED'],
  ] as const)('F6: what %s is taken over once, by one', async (_, more, state) => {
    const scene = await setScene();
    const { upstairs, further, goes, row } = scene;
    const claim = await claimed(scene, wish(more));
    await goes();
    await Promise.all([upstairs.looks(claim.documentUuid), further.looks(claim.documentUuid)]);
    const found = [upstairs, further].flatMap(({ books }) => books.ledger.open());
    expect(found).toMatchObject([{ state, claim: { ...claim, version: 2 }, from: scene.entrance.id }]);
    expect([...upstairs.resumed, ...further.resumed]).toEqual([state]);
    expect(await row()).toMatchObject({ version: 2, left_by: scene.entrance.id, state: 'claimed' });
    await expect(scene.entrance.claims.sending(claim, job, notStopped)).rejects.toMatchObject({
      code: 'claim-lost',
    });
  });

  it.each([
    ['has its job', {}, job, { state: 'JOB', job }],
    ['may have made its job', { inOneStep: true }, undefined, { state: 'INTENT', inOneStep: true }],
    [
      'was on its way to a printer of bytes',
      { printerUri: 'socket://10.0.0.7:9100' },
      undefined,
      { state: 'INTENT', inOneStep: false },
    ],
    ['was asked of the service', { printerUri: undefined }, undefined, { state: 'SERVICE-INTENT' }],
  ] as const)('F6: what may have been sent, and %s', async (_, more, itsJob, open) => {
    const scene = await setScene();
    const claim = await claimed(scene, wish(more));
    await scene.entrance.claims.sending(claim, itsJob, notStopped);
    await scene.goes();
    await scene.upstairs.looks(claim.documentUuid);
    expect(scene.upstairs.books.ledger.open()).toMatchObject([open]);
  });

  it('F6: an empty job at a printer that nobody here can ask is left, and the document is free', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    scene.upstairs.hasNoPrinter();
    await scene.goes();
    await scene.upstairs.looks(claim.documentUuid);
    expect(scene.upstairs.books.ledger.open()).toMatchObject([{ state: 'PLANNED' }]);
  });

  it('F8: a living holder is never fenced, whoever asks and however long it takes', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    for (const ago of ['9 seconds', '-4 seconds']) {
      await scene.goes(ago);
      await scene.upstairs.looks(claim.documentUuid);
      expect(await scene.row()).toMatchObject({ version: 1, member: scene.entrance.id });
    }
    await scene.goes('11 seconds');
    await scene.upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 2 });
  });

  it('F8: who has not beaten for half a minute calls nobody gone, however long anybody else has', async () => {
    const scene = await setScene();
    const { upstairs, beats } = scene;
    const claim = await claimed(scene);
    await scene.goes('1 hour');
    await beats(upstairs, '29 seconds');
    await upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 1, member: scene.entrance.id });
    await beats(upstairs, '31 seconds');
    await upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 2, member: upstairs.member.id });
  });

  it.each([
    ['takes no holds', 'beating_since = NULL'],
    ['was late with its beats', `until = now() - interval '1 second'`],
  ])('F8: who %s calls nobody gone', async (_, change) => {
    const scene = await setScene();
    const { upstairs } = scene;
    const claim = await claimed(scene);
    await scene.goes();
    await scene.sql(`UPDATE platen.member SET ${change} WHERE id = '${upstairs.member.id}'`);
    await upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 1, member: scene.entrance.id });
  });

  it('F12: what a member has in hand that may print without the engine is never taken over', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    await scene.entrance[Symbol.asyncDispose]();
    await scene.sql(`INSERT INTO platen.alone (member) VALUES ('${scene.entrance.id}')`);
    await scene.goes('1 hour');
    await scene.upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 1, member: scene.entrance.id });
    await scene.sql('DELETE FROM platen.alone');
    await scene.upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 2 });
  });

  it('F8: unasked it is taken over after ten minutes', async () => {
    const scene = await setScene();
    await claimed(scene);
    await scene.goes('9 minutes');
    await scene.upstairs.looks();
    expect(await scene.row()).toMatchObject({ version: 1 });
    await scene.goes('11 minutes');
    await scene.upstairs.looks();
    expect(await scene.row()).toMatchObject({ version: 2 });
  });

  it('F8: a person who has it in the list asks, and hears where it is meanwhile', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    const { claims, left } = scene.upstairs.member;
    const elsewhere = async () => [...(await claims.elsewhere([claim.documentUuid], notStopped)).values()];
    expect(await elsewhere()).toMatchObject([{ how: 'in-progress', place: 'Entrance' }]);
    expect(left).toEqual([]);
    await scene.goes();
    expect(await elsewhere()).toMatchObject([{ how: 'in-progress', place: 'Entrance' }]);
    expect(left).toEqual([claim.documentUuid]);
  });

  it('a crash between the raised claim and the ledger is seen at the next look', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    const { upstairs, sql } = scene;
    await sql(
      `UPDATE platen.claim SET version = 2, left_by = member, member = '${upstairs.member.id}' WHERE release_id = '${claim.releaseId}'`,
    );
    await upstairs.looks();
    await upstairs.looks();
    expect(upstairs.books.ledger.open()).toMatchObject([{ releaseId: claim.releaseId, state: 'INTENT' }]);
    expect(upstairs.resumed).toEqual(['INTENT']);
  });

  it('a document that is on its way here is left until it is not', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    const { upstairs } = scene;
    upstairs.busy.add(claim.documentUuid);
    await scene.goes();
    await upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 1 });
    upstairs.busy.clear();
    await upstairs.looks(claim.documentUuid);
    expect(upstairs.resumed).toEqual(['INTENT']);
  });

  it('a will that does not open is told once, and left as it is', async () => {
    const scene = await setScene({ key: new Secret(Buffer.alloc(32, 8).toString('base64')) });
    const claim = await claimed(scene);
    await scene.goes();
    for (const _ of [1, 2]) await scene.upstairs.looks(claim.documentUuid);
    expect(await scene.row()).toMatchObject({ version: 1, member: scene.entrance.id });
    expect(scene.upstairs.recorded.records('will cannot be opened')).toHaveLength(1);
    expect(scene.upstairs.books.ledger.open()).toEqual([]);
  });

  it('F6: what is copied into the row of another document is not opened there, and its own is settled as ever', async () => {
    const scene = await setScene();
    const [theirs, mine] = [await claimed(scene), await claimed(scene)];
    await scene.sql(`UPDATE platen.claim AS x SET (release_id, will, job) = (y.release_id, y.will, y.job)
      FROM platen.claim AS y WHERE x.document = '${theirs.documentUuid}' AND y.document = '${mine.documentUuid}'`);
    await scene.goes();
    await scene.upstairs.looks(theirs.documentUuid, mine.documentUuid);
    expect(scene.upstairs.recorded.records('will cannot be opened')).toHaveLength(1);
    expect(scene.upstairs.books.ledger.open()).toMatchObject([{ claim: { ...mine, version: 2 } }]);
    expect(
      await scene.sql(`SELECT version FROM platen.claim WHERE document = '${theirs.documentUuid}'`),
    ).toEqual([{ version: 1 }]);
  });

  it('I8: many that cannot be opened are one line, and one that the engine does not take is set aside', async () => {
    const scene = await setScene();
    const claim = await claimed(scene);
    await scene.sql(`UPDATE platen.claim SET version = 2147483647`);
    await scene.sql(`INSERT INTO platen.claim (document, member, release_id, terminal, place, state, will)
      SELECT gen_random_uuid(), '${scene.entrance.id}', 'made up ' || i, 'lobby', 'Entrance', 'sending', 'x'
      FROM generate_series(1, 1200) AS i`);
    await scene.goes('1 hour');
    for (const _ of [1, 2, 3, 4]) await scene.upstairs.looks(claim.documentUuid);
    expect(scene.upstairs.recorded.records('will cannot be opened').map(({ others }) => others)).toEqual([
      498, 499, 200,
    ]);
    expect(scene.upstairs.recorded.records('will not settled yet')).toMatchObject([
      { releaseId: claim.releaseId, error: { message: expect.stringContaining('integer out of range') } },
    ]);
  });

  it('F9: what left no will may have printed, and stays its own, who records it when it comes back', async () => {
    const { entrance, upstairs, sql, goes } = await setScene();
    const document = systemChance.uuid();
    const claim = { documentUuid: document, releaseId: 'told again', number: 7, version: 1 };
    await sql(`INSERT INTO platen.claim (document, member, release_id, terminal, place, state)
      VALUES ('${document}', '${entrance.id}', 'told again', 'lobby', 'Entrance', 'sending')`);
    await goes();
    await upstairs.looks(document);
    expect(upstairs.resumed).toEqual([]);
    expect(await sql('SELECT member, version, state FROM platen.claim')).toEqual([
      { member: entrance.id, version: 1, state: 'unknown' },
    ]);
    expect(await entrance.claims.isOurs(claim, notStopped)).toBe(true);
    await expect(entrance.claims.sending(claim, undefined, notStopped)).rejects.toMatchObject({
      code: 'claim-lost',
    });
    entrance.owes(claim);
    expect(await entrance.posting(claim.releaseId)).toBe('ours');
  });

  describe('a history record', () => {
    /** Printed, and its record waits. */
    async function owed(scene: Scene, wanted = wish()) {
      const claim = await claimed(scene, wanted);
      await scene.entrance.claims.sending(claim, job, notStopped);
      scene.entrance.owes(claim);
      await scene.entrance.ends(claim, 'CONFIRMED');
      return claim;
    }
    const posting = ({ wills }: Scene['upstairs'], { releaseId }: { readonly releaseId: string }) =>
      wills.posting(releaseId, notStopped);

    it('is sealed in the engine, and neither title nor user is in clear', async () => {
      const scene = await setScene();
      await owed(scene);
      const found = await scene.row();
      expect(found).toMatchObject({ state: 'printed', history: 'owed' });
      const text = Buffer.from(found?.['will'] as Uint8Array).toString('latin1') + JSON.stringify(found);
      for (const personal of [usualWill.history.title, usualWill.history.userName])
        expect(text).not.toContain(personal);
    });

    it('is one of the ledger’s own from then on, to be posted once', async () => {
      const scene = await setScene();
      const claim = await owed(scene);
      const { upstairs, entrance } = scene;
      await scene.goes('11 minutes');
      await upstairs.looks();
      await upstairs.looks();
      const { outbox, ledger } = upstairs.books;
      const { releaseId, documentUuid } = claim;
      expect(outbox.next([])).toMatchObject({ releaseId, record: usualWill.history, isClaimed: true });
      expect(ledger.lastRelease(documentUuid)).toMatchObject({ state: 'HANDED-OVER', releaseId });
      expect(await posting(upstairs, claim)).toBe('ours');
      expect(await scene.row()).toMatchObject({ history: 'posting', version: 2 });
      expect(await entrance.posting(releaseId)).toBe('anothers');
      upstairs.wills.posted(releaseId);
      await expect.poll(scene.row).toMatchObject({ history: 'posted', will: null });
      expect(await entrance.posting(releaseId)).toBe('anothers');
      outbox.accepted(outbox.next([])?.id ?? 0);
      await upstairs.looks();
      expect(outbox.next([])).toBeUndefined();
    });

    it('that was on its way when its member went may have arrived: it is looked for first', async () => {
      const scene = await setScene();
      const claim = await owed(scene);
      expect(await scene.entrance.posting(claim.releaseId)).toBe('ours');
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      expect(scene.upstairs.books.outbox.next([])).toMatchObject({ alikeBefore: 0 });
    });

    it('is not posted while the engine has not heard of the end', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      expect(await scene.entrance.posting(claim.releaseId)).toBe('not-yet');
    });

    it('is told to be posted later where nobody heard of it', async () => {
      const scene = await setScene();
      const claim = await owed(scene);
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      await posting(scene.upstairs, claim);
      const { outbox } = scene.upstairs.books;
      outbox.accepted(outbox.next([])?.id ?? 0);
      await scene.upstairs.looks();
      expect(await scene.row()).toMatchObject({ history: 'posted', will: null });
    });

    it('outlives its claim: of a document that is printed once more the record before is posted as well', async () => {
      const scene = await setScene();
      const first = wish();
      const claim = await owed(scene, first);
      const { upstairs, further, entrance } = scene;
      const again = { ...first, releaseId: 'b'.repeat(32), again: claim.releaseId };
      const second = await take(further.member.claims, again);
      await further.member.ends(second, 'CONFIRMED');
      expect(await scene.row()).toMatchObject({ release_id: second.releaseId, history: 'none' });
      expect(await entrance.posting(claim.releaseId)).toBe('ours');
      await scene.goes('11 minutes');
      await upstairs.looks();
      expect(upstairs.books.outbox.next([])).toMatchObject({ releaseId: claim.releaseId });
      expect(await posting(upstairs, claim)).toBe('ours');
      expect(await entrance.posting(claim.releaseId)).toBe('anothers');
      upstairs.wills.posted(claim.releaseId);
      await expect
        .poll(() => scene.sql('SELECT history, will FROM platen.former_claim'))
        .toEqual([{ history: 'posted', will: null }]);
    });

    it('is posted by its heir where the document was to be printed again and nothing came out, and so put back', async () => {
      const scene = await setScene();
      const first = wish();
      const claim = await owed(scene, first);
      const { upstairs, further, sql } = scene;
      const again = { ...first, releaseId: 'd'.repeat(32), again: claim.releaseId };
      await further.member.ends(await take(further.member.claims, again), 'NOOUTPUT');
      const [back] = await sql(
        `SELECT release_id, number > ${claim.number} AS "isYounger" FROM platen.claim`,
      );
      expect(back).toEqual({ release_id: claim.releaseId, isYounger: true });
      await scene.goes('11 minutes');
      await upstairs.looks();
      expect(upstairs.books.outbox.next([])).toMatchObject({ releaseId: claim.releaseId });
    });

    it('that came back to its first member, whose release had ended without it, is posted by that one', async () => {
      const scene = await setScene();
      const { upstairs, further, sql } = scene;
      const { ledger, outbox } = upstairs.books;
      const planned = attempt();
      const { releaseId, document } = { ...planned.ticket };
      const documentUuid = systemChance.uuid();
      const will = { ...usualWill, documentUuid };
      ledger.plan({
        ...planned,
        ticket: { ...planned.ticket, document: { ...document, uuid: documentUuid } },
      });
      upstairs.member.owes({ documentUuid, releaseId });
      const claim = await take(upstairs.member.claims, wishFor(documentUuid, { releaseId, will }));
      ledger.intend(releaseId, printerUri, { claim });
      await sql(
        `UPDATE platen.claim SET version = 2, left_by = member, member = '${further.member.id}', state = 'unknown', history = 'owed'`,
      );
      const end = { state: 'UNKNOWN', problem: 'claim-lost', history: 'successor' } as const;
      ledger.end(releaseId, { ...end, deletionOwed: false, holdFor: seconds(0) });
      await sql(
        `UPDATE platen.member SET until = now() - interval '1 hour' WHERE id = '${further.member.id}'`,
      );
      await upstairs.looks();
      expect(outbox.next([])).toMatchObject({ releaseId, record: usualWill.history });
      expect(await scene.row()).toMatchObject({ version: 3, history: 'owed', member: upstairs.member.id });
      outbox.accepted(outbox.next([])?.id ?? 0);
      await upstairs.looks();
      expect(outbox.next([])).toBeUndefined();
      expect(await scene.row()).toMatchObject({ history: 'posted', will: null });
    });

    it('I11: that its first member left, and its heir left in turn, comes back to it', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      const { upstairs, further } = scene;
      await scene.goes();
      await upstairs.looks(claim.documentUuid);
      await scene.sql(
        `UPDATE platen.member SET until = now() - interval '1 minute' WHERE id = '${upstairs.member.id}'`,
      );
      await further.looks(claim.documentUuid);
      expect(further.books.ledger.open()).toMatchObject([
        { from: upstairs.member.id, claim: { ...claim, version: 3 } },
      ]);
    });
  });

  describe('the pages that a release left out, printed by another one (I2)', () => {
    const counting = (pages: number) => ({ history: { ...usualWill.history, totalPages: pages } });

    /** Of twelve pages six came out at the entrance; the others are on their way there by now. */
    async function halfPrinted(scene: Scene) {
      const { entrance } = scene;
      const wanted = wish(counting(12));
      const half = await claimed(scene, wanted);
      entrance.owes(half);
      await entrance.ends(half, 'PARTIAL');
      const { documentUuid, will } = wanted;
      const again = { again: half.releaseId, will: { ...will, ...counting(6) } };
      const restWish = wishFor(documentUuid, again);
      entrance.printsRestOf(restWish, [{ releaseId: half.releaseId, pages: 6 }]);
      const rest = await take(entrance.claims, restWish);
      entrance.intends(rest);
      await entrance.claims.sending(rest, job, notStopped);
      return { half, rest };
    }

    const cutsOf = ({ sql }: Scene) => sql('SELECT release_id, pages FROM platen.cut_record');
    function dueAt({ books: { outbox } }: Scene['upstairs']) {
      const due: (readonly [string, number | undefined])[] = [];
      for (let row = outbox.next([]); row; row = outbox.next([])) {
        due.push([row.releaseId, row.record.totalPages]);
        outbox.accepted(row.id);
      }
      return due;
    }

    it('are counted once by its heir: its will is cut with its record', async () => {
      const scene = await setScene();
      const { entrance, upstairs, goes } = scene;
      const { half, rest } = await halfPrinted(scene);
      entrance.owes(rest);
      await entrance.ends(rest, 'CONFIRMED');
      await goes('11 minutes');
      await upstairs.looks();
      expect(dueAt(upstairs)).toEqual([
        [half.releaseId, 6],
        [rest.releaseId, 6],
      ]);
      upstairs.wills.posted(half.releaseId);
      await expect.poll(() => cutsOf(scene)).toEqual([]);
    });

    it('are counted once also where the heir finds out that they came out', async () => {
      const scene = await setScene();
      const { upstairs, goes } = scene;
      const { half, rest } = await halfPrinted(scene);
      await goes('11 minutes');
      await upstairs.looks();
      const { ledger } = upstairs.books;
      ledger.end(rest.releaseId, { state: 'CONFIRMED', deletionOwed: false, holdFor: seconds(0) });
      expect(dueAt(upstairs)).toEqual([
        [half.releaseId, 6],
        [rest.releaseId, 6],
      ]);
    });

    it('that certainly did not come out leave the will as it was', async () => {
      const scene = await setScene();
      const { entrance, upstairs, goes } = scene;
      const { half, rest } = await halfPrinted(scene);
      await entrance.ends(rest, 'NOOUTPUT');
      await goes('11 minutes');
      await upstairs.looks();
      expect(dueAt(upstairs)).toEqual([[half.releaseId, 12]]);
    });

    it('its heir looks for the record as it was on its way', async () => {
      const scene = await setScene();
      const { entrance, upstairs, goes } = scene;
      const { half } = await halfPrinted(scene);
      // The ledger has cut it, and the engine has not heard of the end yet.
      expect(await entrance.wills.posting(half.releaseId, { ...notStopped, pages: 6 })).toBe('ours');
      await goes('11 minutes');
      await upstairs.looks();
      const row = upstairs.books.outbox.next([]);
      expect(row).toMatchObject({ releaseId: half.releaseId, alikeBefore: 0, record: { totalPages: 6 } });
    });

    it('its heir, who has its record already, hears of them before it is posted', async () => {
      const scene = await setScene();
      const { entrance, upstairs, goes } = scene;
      const { half, rest } = await halfPrinted(scene);
      const { releaseId } = half;
      const { member, wills } = upstairs;
      await scene.sql(`UPDATE platen.former_claim SET member = '${member.id}', left_by = '${entrance.id}'`);
      await entrance.ends(rest, 'CONFIRMED');
      await goes('-4 seconds');
      expect(await wills.posting(releaseId, { ...notStopped, pages: 12 })).toEqual({ pages: 6 });
      expect(await wills.posting(releaseId, { ...notStopped, pages: 6 })).toBe('ours');
    });

    it('are no reason to change what its heir may have posted', async () => {
      const scene = await setScene();
      const { entrance, upstairs } = scene;
      const { half, rest } = await halfPrinted(scene);
      const { releaseId } = half;
      const { member, wills } = upstairs;
      await scene.sql(`UPDATE platen.former_claim SET member = '${member.id}', left_by = '${entrance.id}'`);
      expect(await wills.posting(releaseId, { ...notStopped, pages: 12 })).toBe('ours');
      await entrance.ends(rest, 'CONFIRMED');
      expect(await cutsOf(scene)).toEqual([{ release_id: releaseId, pages: 12 }]);
      expect(await wills.posting(releaseId, { ...notStopped, pages: 12 })).toBe('ours');
    });
  });

  describe('F6, I2: what hands write in the engine', () => {
    const printed = `state = 'printed', history = 'owed', deletion_owed = true`;
    const notProven = ({ recorded }: Scene['upstairs']) => recorded.records('claim not proven');
    const reported = async ({ upstairs }: Scene, { documentUuid }: { readonly documentUuid: string }) =>
      (await upstairs.member.claims.elsewhere([documentUuid], notStopped)).get(documentUuid);

    /** Its successor looks twice, and tells once. */
    async function isLeftAlone(scene: Scene, claim: { readonly documentUuid: string }) {
      const { upstairs } = scene;
      await scene.goes('11 minutes');
      for (const _ of [1, 2]) await upstairs.looks(claim.documentUuid);
      expect(upstairs.books.outbox.next([])).toBeUndefined();
      expect([upstairs.books.ledger.open(), upstairs.resumed]).toEqual([[], []]);
      expect(await reported(scene, claim)).toEqual(expect.objectContaining({ how: 'may-have-printed' }));
      expect(await reported(scene, claim)).not.toHaveProperty('deletionOwed');
      expect(notProven(upstairs)).toHaveLength(1);
    }

    it.each([
      ['it had been claimed', false, undefined],
      ['it was on its way to a printer of bytes', true, undefined],
      ['it had its job', true, job],
    ])('a print that never came out is neither recorded nor deleted, where %s', async (_, isSent, itsJob) => {
      const scene = await setScene();
      const claim = await claimed(scene);
      if (isSent) await scene.entrance.claims.sending(claim, itsJob, notStopped);
      await scene.sql(`UPDATE platen.claim SET ${printed}`);
      await isLeftAlone(scene, claim);
      expect(await scene.row()).toMatchObject({ member: scene.entrance.id, version: 1 });
      expect(await scene.entrance.claims.isOurs(claim, notStopped)).toBe(true);
    });

    it.each([
      ['a proof that no answer has room for', `decode(repeat('00', 20000000), 'hex')`, `NULL`, '7'],
      ['a will that no answer has room for', `NULL`, `decode(repeat('00', 20000000), 'hex')`, '7'],
      ['a number that nobody counts to', `NULL`, `'x'`, '1152921504606846976'],
    ])('%s keeps nothing else from being settled', async (_, proof, will, number) => {
      const scene = await setScene();
      const claim = await claimed(scene);
      const made = systemChance.uuid();
      for (const member of [scene.entrance, scene.upstairs.member])
        await scene.sql(`INSERT INTO platen.claim (document, member, release_id, terminal, place, state, proof, will, number, left_by)
          OVERRIDING SYSTEM VALUE VALUES ('${member === scene.entrance ? made : systemChance.uuid()}', '${member.id}',
            '${member.id}', 'lobby', 'Entrance', 'sending', ${proof}, ${will}, ${number} + ${Number(member === scene.entrance)},
            '${systemChance.uuid()}')`);
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      const open = scene.upstairs.books.ledger.open();
      expect(open.map((one) => one.claim?.documentUuid)).toContain(claim.documentUuid);
      expect([...(await scene.upstairs.member.claims.elsewhere([made], notStopped)).keys()]).toEqual([made]);
      await take(scene.upstairs.member.claims, wish());
      await scene.upstairs.member.recollection.tell((statement, values) =>
        scene.upstairs.member.running.engine.ask(statement, values, { within: patience() }),
      );
    });

    it('a proof that something is added to is none, and what it stands beside is settled as ever', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      await scene.entrance.claims.sending(claim, job, notStopped);
      await scene.sql(`UPDATE platen.claim SET proof = proof || decode(repeat('00', 300), 'hex')`);
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      expect(scene.upstairs.books.ledger.open()).toMatchObject([{ state: 'JOB', job }]);
    });

    it('a deletion that its member did not owe is not done', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      await scene.entrance.ends(claim, 'CONFIRMED');
      await scene.sql('UPDATE platen.claim SET deletion_owed = true');
      expect(await reported(scene, claim)).toMatchObject({ how: 'printed' });
      expect(await reported(scene, claim)).not.toHaveProperty('deletionOwed');
    });

    it('a claim that nobody ever took is asked about', async () => {
      const scene = await setScene();
      const documentUuid = systemChance.uuid();
      await scene.sql(`INSERT INTO platen.claim (document, member, release_id, terminal, place, state, deletion_owed)
        VALUES ('${documentUuid}', '${scene.entrance.id}', 'made up', 'lobby', 'Entrance', 'printed', true)`);
      expect(await reported(scene, { documentUuid })).toMatchObject({ how: 'may-have-printed' });
      expect(await reported(scene, { documentUuid })).not.toHaveProperty('deletionOwed');
    });

    it('a proof of another document is none', async () => {
      const scene = await setScene();
      const [theirs, mine] = [await claimed(scene), await claimed(scene)];
      scene.entrance.owes(theirs);
      await scene.entrance.ends(theirs, 'CONFIRMED');
      await scene.sql(`UPDATE platen.claim AS x SET ${printed}, proof = y.proof
        FROM platen.claim AS y WHERE x.document = '${mine.documentUuid}' AND y.document = '${theirs.documentUuid}'`);
      await scene.sql(`DELETE FROM platen.claim WHERE document = '${theirs.documentUuid}'`);
      await isLeftAlone(scene, mine);
    });

    it('a proof of an earlier claim of the document is none', async () => {
      const scene = await setScene();
      const wanted = wish();
      const first = await claimed(scene, wanted);
      scene.entrance.owes(first);
      await scene.entrance.ends(first, 'CONFIRMED');
      const [before] = await scene.sql(`SELECT encode(proof, 'hex') AS proof FROM platen.claim`);
      const again = { ...wanted, releaseId: 'b'.repeat(32), again: first.releaseId };
      const second = await claimed(scene, again);
      await scene.sql('DELETE FROM platen.former_claim; DELETE FROM platen.repeated_claim');
      await scene.sql(
        `UPDATE platen.claim SET ${printed}, proof = decode('${String(before?.['proof'])}', 'hex')`,
      );
      await isLeftAlone(scene, second);
    });

    it('a proof of another holder is none', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      scene.entrance.owes(claim);
      await scene.entrance.ends(claim, 'CONFIRMED');
      await scene.sql(`UPDATE platen.claim SET member = '${systemChance.uuid()}'`);
      await isLeftAlone(scene, claim);
    });

    it('a proof that is taken away is none', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      scene.entrance.owes(claim);
      await scene.entrance.ends(claim, 'CONFIRMED');
      await scene.sql('UPDATE platen.claim SET proof = NULL');
      await isLeftAlone(scene, claim);
    });

    it('a cut that nobody made takes no pages from a record', async () => {
      const scene = await setScene();
      const { entrance, further } = scene;
      const wanted = wish();
      const claim = await claimed(scene, wanted);
      entrance.owes(claim);
      await entrance.ends(claim, 'CONFIRMED');
      const again = { ...wanted, releaseId: 'c'.repeat(32), again: claim.releaseId };
      await further.member.ends(await take(further.member.claims, again), 'CONFIRMED');
      await scene.sql(`INSERT INTO platen.cut_record (release_id, pages) VALUES ('${claim.releaseId}', 1)`);
      expect(await entrance.wills.posting(claim.releaseId, { ...notStopped, pages: 6 })).toBe('ours');
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      const row = scene.upstairs.books.outbox.next([]);
      expect(row).toMatchObject({ releaseId: claim.releaseId, record: { totalPages: 6 } });
    });
  });

  describe('F4: what a member of an older version left, which proves nothing', () => {
    const older = ({ sql }: Scene, change: string) => sql(`UPDATE platen.claim SET proof = NULL, ${change}`);

    it('is asked about where it has its job', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      await scene.entrance.claims.sending(claim, job, notStopped);
      await older(scene, `state = 'sending'`);
      await scene.goes();
      await scene.upstairs.looks(claim.documentUuid);
      expect(scene.upstairs.books.ledger.open()).toMatchObject([{ state: 'JOB', job }]);
      expect(scene.upstairs.resumed).toEqual(['JOB']);
    });

    it.each(['claimed', 'sending'])('may have been printed where it was %s and has none', async (state) => {
      const scene = await setScene();
      const claim = await claimed(scene);
      await older(scene, `state = '${state}'`);
      await scene.goes();
      for (const _ of [1, 2]) await scene.upstairs.looks(claim.documentUuid);
      expect(await scene.row()).toMatchObject({
        state: 'unknown',
        history: 'none',
        member: scene.entrance.id,
      });
      expect(scene.upstairs.books.ledger.open()).toEqual([]);
      expect(scene.upstairs.recorded.records('claim not proven')).toHaveLength(1);
      scene.entrance.owes(claim);
      expect(await scene.entrance.posting(claim.releaseId)).toBe('ours');
    });

    it('is recorded by itself when it comes back, and stays as it was until then', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      await older(scene, `state = 'printed', history = 'owed'`);
      await scene.goes('11 minutes');
      await scene.upstairs.looks();
      expect(scene.upstairs.books.outbox.next([])).toBeUndefined();
      expect(await scene.row()).toMatchObject({ state: 'printed', history: 'owed', version: 1 });
      expect(await scene.entrance.posting(claim.releaseId)).toBe('ours');
    });

    it('and took over from a member of this one, is settled as that one proved it', async () => {
      const scene = await setScene();
      const claim = await claimed(scene);
      scene.entrance.owes(claim);
      await scene.entrance.ends(claim, 'CONFIRMED');
      await scene.sql(
        `UPDATE platen.claim SET version = 2, left_by = member, member = '${systemChance.uuid()}'`,
      );
      await scene.upstairs.looks();
      expect(scene.upstairs.books.outbox.next([])).toMatchObject({ releaseId: claim.releaseId });
    });
  });

  describe('F9: that is retired', () => {
    const fleetAt = async (url: string) => {
      const address = addressOf(url);
      return (name: string) =>
        retireMembers(name, { address, key: fleetKey, clock: systemClock }, notStopped);
    };

    it('is waited for no more after a forgetting, and what it had in hand is settled unasked', async () => {
      const scene = await setScene();
      const { entrance, upstairs, sql, goes, url } = scene;
      const claim = await claimed(scene);
      const reported = systemChance.uuid();
      await entrance[Symbol.asyncDispose]();
      await sql(`INSERT INTO platen.claim (document, member, release_id, terminal, place, state)
        VALUES ('${reported}', '${entrance.id}', 'told again', 'lobby', 'Entrance', 'sending')`);
      await sql(
        `UPDATE platen.fleet SET forgot = 1; UPDATE platen.member SET told = 1 WHERE id <> '${entrance.id}'`,
      );
      const never = wish();
      await expect(take(upstairs.member.claims, never)).rejects.toMatchObject({ code: 'fleet-forgot' });
      await goes();
      const retire = await fleetAt(url);
      expect(await retire(entrance.id)).toMatchObject([
        { isRetired: true, inHand: 1, lost: 1, owed: 0, wasAlone: false },
      ]);
      await take(upstairs.member.claims, never);
      await upstairs.looks();
      expect(upstairs.books.ledger.open()).toMatchObject([{ releaseId: claim.releaseId, from: entrance.id }]);
      expect(await sql(`SELECT state FROM platen.claim WHERE document = '${reported}'`)).toEqual([
        { state: 'unknown' },
      ]);
    });

    it('is not one that beats, whatever name it has; the machine that it replaced is', async () => {
      const { entrance, further, sql, url } = await setScene();
      const retire = await fleetAt(url);
      const beating = { isRetired: false, isSettled: true };
      expect(await retire('Gateway')).toMatchObject([beating, beating, beating]);
      await sql(`UPDATE platen.member SET until = now() - interval '1 minute' WHERE id = '${entrance.id}'`);
      const retired = (await retire('gateway')).filter(({ isRetired }) => isRetired);
      expect(retired).toHaveLength(1);
      expect(await sql(`SELECT 1 FROM platen.member WHERE id = '${further.member.id}'`)).toHaveLength(1);
      expect(await retire('nobody')).toEqual([]);
    });

    it('and runs on all the same enters the roll anew before it is given a claim', async () => {
      const scene = await setScene();
      const { entrance, sql, goes, url } = scene;
      await goes();
      const retire = await fleetAt(url);
      await retire(entrance.id);
      await take(entrance.claims, wish());
      expect(await sql(`SELECT 1 FROM platen.member WHERE id = '${entrance.id}'`)).toHaveLength(1);
    });

    it('was alone, and keeps nobody waiting', async () => {
      const { entrance, sql, goes, url } = await setScene();
      await entrance[Symbol.asyncDispose]();
      await sql(`INSERT INTO platen.alone (member) VALUES ('${entrance.id}')`);
      await goes();
      const retire = await fleetAt(url);
      expect(await retire(entrance.id)).toMatchObject([{ wasAlone: true }]);
      expect(await sql('SELECT * FROM platen.alone')).toEqual([]);
    });
  });
});
