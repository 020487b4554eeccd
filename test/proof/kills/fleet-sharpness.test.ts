/**
 * The fleet's tests are sharp: with each of these faults planted into its claims, a document is let out twice in a
 * scene of two members and a real PostgreSQL; without it, it is let out once (F1, F5, F6).
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { Claim, ClaimWish } from '../../../src/domain/ports/claims.ts';
import type { Statement } from '../../../src/fleet/engine/line.ts';
import { notStopped, wishFor } from '../../contracts/claims.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';

interface Scene {
  readonly postgres: Postgres;
  readonly url: string;
  start(): Promise<FleetMember>;
}

interface Planted {
  readonly fault: string;
  plant(): void;
  /** How often the document is let out to a printer, nobody having said a word. */
  play(scene: Scene): Promise<number>;
  /** Of the engine. */
  readonly settings?: readonly string[];
}

type Statements = Readonly<Record<string, unknown>>;

function inStatement(name: 'takeClaim' | 'announceSending' | 'endClaim', from: string, to: string): void {
  vi.doMock(import('../../../src/fleet/claim-statements.ts'), async (original) => {
    const real = await original();
    return { ...real, [name]: changed(real, { name, from, to }) };
  });
}

function changed(
  statements: Statements,
  { name, from, to }: Readonly<Record<'name' | 'from' | 'to', string>>,
): Statement {
  const real = statements[name] as Statement;
  const text = real.text.replace(from, to);
  if (text === real.text) throw new Error(`${name} has no such part any more: ${from}`);
  return { ...real, text };
}

/** Who takes over only looks; the claim is still the gone member's until its successor has settled it. */
function raisedLast(): void {
  vi.doMock(import('../../../src/fleet/will-statements.ts'), async (original) => {
    const real = await original();
    const raiseClaim = {
      ...real.raiseClaim,
      text: `SELECT $1::text AS release_id WHERE ($2::integer, $3::uuid, $4::uuid, $5::uuid, $6::text, $9::boolean) IS NOT NULL
        AND coalesce($7::bytea, $8::bytea) IS NOT NULL`,
    };
    const ownClaim = {
      ...real.ownClaim,
      text: changed(real, {
        name: 'ownClaim',
        from: 'member = $2::uuid AND left_by IS NOT NULL',
        to: '$2::uuid IS NOT NULL',
      }).text.replace('left_by AS', 'member AS'),
    };
    return { ...real, raiseClaim, ownClaim };
  });
  inStatement('endClaim', 'AND member = $2::uuid', 'AND $2::uuid IS NOT NULL');
}

const planted: readonly Planted[] = [
  {
    fault: 'leases alone: who holds the terminal prints',
    plant: () => inStatement('takeClaim', "WHERE c.state = 'free' AND", "WHERE true OR c.state = 'free' AND"),
    async play({ start }) {
      await using entrance = await start();
      await using upstairs = await start();
      const document = systemChance.uuid();
      return letOut(await prints(entrance, wishFor(document)), await prints(upstairs, wishFor(document)));
    },
  },
  {
    fault: 'a claim with expiry',
    plant: () =>
      inStatement(
        'takeClaim',
        "WHERE c.state = 'free' AND",
        "WHERE c.at < clock_timestamp() - interval '1 minute' OR c.state = 'free' AND",
      ),
    async play({ start, postgres, url }) {
      await using asleep = await start();
      await using other = await start();
      const document = systemChance.uuid();
      const first = await prints(asleep, wishFor(document));
      await postgres.query(`UPDATE platen.claim SET at = at - interval '1 hour'`, url);
      return letOut(first, await prints(other, wishFor(document)));
    },
  },
  {
    fault: 'synchronous_commit = off is taken',
    settings: ['synchronous_commit=off', 'wal_writer_delay=10s'],
    plant: () =>
      vi.doMock(import('../../../src/fleet/engine/durability.ts'), async (original) => ({
        ...(await original()),
        requireDurable: () => {},
      })),
    async play({ start, postgres }) {
      const document = systemChance.uuid();
      let first: boolean;
      {
        await using gone = await start();
        // What made the schema is on the disk.
        await postgres.query('CHECKPOINT');
        first = await prints(gone, wishFor(document));
        await postgres.kill();
      }
      await postgres.start();
      await using other = await start();
      return letOut(first, await prints(other, wishFor(document)));
    },
  },
  {
    fault: 'the job is told without compare-and-set',
    plant: () =>
      inStatement(
        'announceSending',
        'AND member = $2::uuid AND release_id = $3::text AND version = $4::integer',
        'AND ($2::uuid, $3::text, $4::integer) IS NOT NULL',
      ),
    async play({ start, postgres, url }) {
      await using asleep = await start();
      await using other = await start();
      const document = systemChance.uuid();
      const claim = await asleep.claims.take(wishFor(document), notStopped);
      asleep.intends(claim);
      // Nothing was sent: the successor raises it, and the document is free again.
      await postgres.query(
        `UPDATE platen.claim SET version = version + 1, member = '${other.id}', state = 'free'`,
        url,
      );
      return letOut(await prints(other, wishFor(document)), await sends(asleep, claim));
    },
  },
  {
    fault: 'fencing before raising the version',
    plant: raisedLast,
    async play({ start, postgres, url }) {
      await using asleep = await start();
      await using other = await start();
      const document = systemChance.uuid();
      const wish = wishFor(document);
      const claim = await asleep.claims.take(
        { ...wish, will: { ...wish.will, documentUuid: document } },
        notStopped,
      );
      asleep.intends(claim);
      await postgres.query(
        `UPDATE platen.member SET until = until - interval '1 minute' WHERE id = '${asleep.id}';
         UPDATE platen.member SET until = until + interval '1 hour', beating_since = now() - interval '1 hour' WHERE id = '${other.id}'`,
        url,
      );
      const [found] = await other.looks(document);
      if (!found) throw new Error('nothing was left');
      // No job is to be seen. It wakes in this very moment, before the document is told to be free.
      const first = await sends(asleep, claim);
      await other.ends(found, 'NOOUTPUT');
      return letOut(first, await prints(other, wishFor(document)));
    },
  },
];

const letOut = (...printed: readonly boolean[]): number => printed.filter(Boolean).length;

async function prints(member: FleetMember, wish: ClaimWish): Promise<boolean> {
  try {
    const claim = await member.claims.take(wish, notStopped);
    member.intends(claim);
    return await sends(member, claim);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'document-claimed') return false;
    throw error;
  }
}

async function sends(member: FleetMember, claim: Claim): Promise<boolean> {
  try {
    await member.claims.sending(claim, undefined, notStopped);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'claim-lost') return false;
    throw error;
  }
}

async function playOn({ play }: Planted, postgres: Postgres): Promise<number> {
  const { startMember } = await import('../../support/fleet/fleet-member.ts');
  const url = await postgres.newDatabase();
  return await play({ postgres, url, start: () => startMember(url) });
}

afterEach(() => {
  vi.doUnmock('../../../src/fleet/claim-statements.ts');
  vi.doUnmock('../../../src/fleet/will-statements.ts');
  vi.doUnmock('../../../src/fleet/engine/durability.ts');
  vi.resetModules();
});

needsPostgres()('a document of a fleet', () => {
  let durable: Postgres;
  beforeAll(async () => {
    durable = await startPostgres();
  });
  afterAll(() => durable[Symbol.asyncDispose]());

  it.each(planted)('is let out twice where somebody plants: $fault', async (one) => {
    vi.resetModules();
    one.plant();
    await using own = one.settings && (await startPostgres(one.settings));
    expect(await playOn(one, own ?? durable)).toBe(2);
  });

  it.each(planted)('is let out once in the same scene without: $fault', async (one) => {
    // An engine that does not hold what it told is refused (fleet-engine-settings.test.ts).
    expect(await playOn(one, durable)).toBe(1);
  });
});
