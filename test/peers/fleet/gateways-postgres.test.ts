/** The members of a fleet as one of them sees all, on a PostgreSQL of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SeenGateway } from '../../../src/domain/ports/gateways.ts';
import { FleetDigests, createFleetGateways } from '../../../src/fleet/members/digests.ts';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { RunningEngine } from '../../support/fleet/fleet-engine.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { sampleDigest } from '../../support/fleet/sample-digest.ts';
import { gatewaysContract } from '../../contracts/gateways.ts';

needsPostgres()('the gateways of a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const notStopped = () => new AbortController().signal;
  const sight = ({ engine, memberId }: RunningEngine): Promise<readonly SeenGateway[]> =>
    createFleetGateways(engine, { id: memberId }).seen(notStopped());

  /** A member that tells of itself. */
  async function telling(url: string, name: string) {
    await using opened = new AsyncDisposableStack();
    const incarnation = systemChance.uuid();
    const running = opened.use(runEngine(url, { member: { name, incarnation, site: 'annex' } }));
    await running.until('up');
    const own = sampleDigest({
      member: running.memberId,
      name,
      site: 'annex',
      version: '1.0.0',
      unknownOutcomes: 3,
    });
    const digests = new FleetDigests({
      engine: running.engine,
      member: { id: running.memberId, incarnation },
      own: () => own,
      isNews: () => false,
      log: recordLog().log,
      clock: systemClock,
      chance: systemChance,
    });
    const stop = new AbortController();
    const service = digests.service.run(stop.signal);
    opened.defer(async () => {
      stop.abort();
      await service;
    });
    await expect.poll(async () => (await sight(running)).find(({ isSelf }) => isSelf)?.hasTold).toBe(true);
    const held = opened.move();
    return { running, own, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  gatewaysContract(async () => {
    const member = await telling(await postgres.newDatabase(), 'gateway-a');
    return {
      gateways: createFleetGateways(member.running.engine, { id: member.running.memberId }),
      own: member.own,
      [Symbol.asyncDispose]: () => member[Symbol.asyncDispose](),
    };
  });

  it('F17: who has never told anything is seen, and so is who is gone, each by the clock of the engine', async () => {
    const url = await postgres.newDatabase();
    await using reported = await telling(url, 'gateway-b');
    await using silent = runEngine(url, { member: { name: 'gateway-a', site: 'main' } });
    const gone = runEngine(url, { member: { name: 'gateway-c', site: 'main' } });
    await Promise.all([silent, gone].map((member) => member.until('up')));
    await gone[Symbol.asyncDispose]();
    await postgres.query(
      `UPDATE platen.member SET beat_at = beat_at - interval '3 h' WHERE name = 'gateway-c';
       UPDATE platen.digest SET at = at - interval '40 s'`,
      url,
    );
    const seen = await sight(silent);
    expect(seen.map(({ digest }) => `${digest.site}/${digest.name}`)).toEqual([
      'annex/gateway-b',
      'main/gateway-a',
      'main/gateway-c',
    ]);
    expect(seen).toMatchObject([
      { hasTold: true, isBeating: true, isSelf: false, digest: reported.own },
      { hasTold: false, isBeating: true, isSelf: true, digest: { version: '1.0.0', conditions: [] } },
      { hasTold: false, isBeating: false, isSelf: false },
    ]);
    expect(seen[0]?.ageSeconds).toBeGreaterThanOrEqual(40);
    expect(seen[2]?.lastBeatSeconds).toBeGreaterThanOrEqual(3 * 3600);
  });

  it('F17: what another version told in another form is as if it had told nothing, and codes of its own stay', async () => {
    const url = await postgres.newDatabase();
    await using member = await telling(url, 'gateway-a');
    const code = '"printer-on-fire"';
    await postgres.query(
      `UPDATE platen.digest SET body = jsonb_set(body, '{conditions}',
         '[{"code": ${code}, "severity": "error", "scope": "lobby", "since": "2026-11-21T11:00:00.000Z"}]')`,
      url,
    );
    const [newer] = await sight(member.running);
    expect(newer?.digest.conditions).toMatchObject([{ code: 'printer-on-fire', scope: 'lobby' }]);
    await postgres.query(
      `UPDATE platen.digest SET body = body || '{"name": "another", "site": "else"}'`,
      url,
    );
    // What is said of it twice is as the roll has it.
    expect(await sight(member.running)).toMatchObject([{ digest: { name: 'gateway-a', site: 'annex' } }]);
    await postgres.query(`UPDATE platen.digest SET body = '{"conditions": "many"}'`, url);
    expect(await sight(member.running)).toMatchObject([{ hasTold: false, digest: { name: 'gateway-a' } }]);
  });

  it('F17: a thousand are seen by statements that each take a moment, in one order', async () => {
    const url = await postgres.newDatabase();
    await using one = runEngine(url, { member: { name: 'gateway-m', site: 'main' } });
    await one.until('up');
    await postgres.query(
      `INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until)
        SELECT gen_random_uuid(), gen_random_uuid(), 'gateway-' || n, 'annex', '1.0.0', 2, now(), now()
        FROM generate_series(1000, 1999) n`,
      url,
    );
    const rows: number[] = [];
    const seen = await createFleetGateways(
      {
        async ask(...asked) {
          const answer = await one.engine.ask(...asked);
          rows.push(answer.length);
          return answer;
        },
      },
      { id: one.memberId },
    ).seen(notStopped());
    const names = Array.from({ length: 1000 }, (_, n) => `gateway-${1000 + n}`);
    expect(seen.map(({ digest: { name } }) => name)).toEqual([...names, 'gateway-m']);
    expect(Math.max(...rows)).toBeLessThanOrEqual(200);
  });

  it('a member that is taken off the roll takes its digest with it', async () => {
    const url = await postgres.newDatabase();
    await using _ = await telling(url, 'gateway-a');
    await postgres.query(`DELETE FROM platen.member WHERE name = 'gateway-a'`, url);
    expect(await postgres.query('SELECT 1 FROM platen.digest', url)).toEqual([]);
  });
});
