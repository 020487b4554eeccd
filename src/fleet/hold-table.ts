/**
 * The statements of the holds, on rows of `platen.member` and `platen.hold` (F11). Every deed is one statement. A hold
 * has no time of its own: it is good while its holder beats, so a beat writes one row, however much the member holds.
 */
import { z } from 'zod';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Member, Servable } from '../domain/ports/holds.ts';
import { plainSerial } from '../domain/output-port.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Engine } from './engine/engine.ts';
import type { Row, Statement } from './engine/line.ts';
import type { Member as Self } from './engine/membership.ts';
import { memberTtl } from './engine/membership.ts';
import { elapsed, shown } from './engine/shown.ts';
import type { BeatSeen, GroupSeen } from './moves.ts';

/** A terminal that another member of the site has with other printers. */
export interface Differing {
  readonly terminal: string;
  /** The name of that member. */
  readonly other: string;
}

/** `groups` are printers, and terminals by their serial numbers (`terminalHold`). */
export interface HoldTable {
  /** The member lives, and is set up for these groups. */
  beat(groups: readonly string[], signal: AbortSignal): Promise<BeatSeen>;
  /** Gives the groups that were taken; others may have been faster. It needs them as they were seen. */
  take(
    groups: readonly GroupSeen[],
    signal: AbortSignal,
  ): Promise<readonly { readonly group: string; readonly epoch: number }[]>;
  giveUp(groups: readonly string[], signal: AbortSignal): Promise<void>;
  /** So that commands find a terminal by its name. */
  setUp(terminals: readonly Servable[], signal: AbortSignal): Promise<void>;
  /** Those that other serving members have with another printer. */
  differing(terminals: readonly Servable[], signal: AbortSignal): Promise<readonly Differing[]>;
  /** Gives up all; the member takes none until it beats again. */
  leave(signal: AbortSignal): Promise<void>;
  /** Called when a member of the site is new, or gave something up. */
  onNews(listener: () => void): Disposable;
}

/** A larger roll comes with every tenth beat only: it is just shown to people. */
const smallRoll = 32;
const rollEvery = 10;
/** Shorter than the time after which the holds run out. */
const beatWithin: Duration = seconds(2);
export const holdChannel = 'platen_hold';

const terminalMark = 'terminal ';

/** A printer may get another address tomorrow, and be reached by two until then. So its terminal is held, too. */
export const terminalHold = ({ serialNumber }: Pick<Servable, 'serialNumber'>): string =>
  terminalMark + plainSerial(serialNumber);

const now = 'clock_timestamp()';
/** On a member's row: it lives, and takes free holds. */
const serves = `until > ${now} AND beating_since IS NOT NULL`;

/**
 * `self` locks the member's row and reads its present state. A member that takes a lapsed hold shares that lock until
 * it has the hold, so a late member cannot miss it. A new member calls the others, because they are alone no more. A
 * member that has entered without naming its groups may be set up for all. The preferred member of a group is the
 * member that a person has named, while it serves; else the member with the highest random weight. For a terminal,
 * which goes with its printer, it can be any member. On a large site only the few members that are set up for the same
 * printers are looked at. $7 whether the roll is wanted. `OFFSET 0`: each hold is found by its key, also by a plan that
 * was made while the table was empty.
 */
const beat: Statement = {
  name: 'member beats',
  text: `
WITH self AS MATERIALIZED (
  SELECT until <= ${now} AS lapsed, beating_since IS NULL OR groups <> $5::text[] AS news FROM platen.member
  WHERE id = $1::uuid AND incarnation = $2::uuid FOR UPDATE
), beat AS (
  UPDATE platen.member AS m SET groups = $5::text[], beat_at = ${now}, until = ${now} + $6 * interval '1 millisecond',
    beating_since = CASE WHEN self.lapsed OR NOT isfinite(m.beating_since) THEN ${now} ELSE coalesce(m.beating_since, ${now}) END
  FROM self WHERE m.id = $1::uuid RETURNING beating_since, beat_at
), told AS (
  SELECT pg_notify('${holdChannel}', $4) FROM self WHERE news OR lapsed
), peer AS MATERIALIZED (
  SELECT id, ${shown('name')}, groups, beating_since, ${serves} AS serves FROM platen.member
  WHERE site = $4 AND id <> $1::uuid AND groups && $5::text[]
), candidate AS (
  SELECT "group", id, name, beating_since, serves FROM peer, unnest(groups) AS its ("group")
  UNION ALL
  SELECT unnest($5::text[]), $1::uuid, $3, beating_since, true FROM beat
), wanted AS (
  SELECT candidate.*, bool_or(id = $1::uuid) OVER its AS is_ours, bool_or(id <> $1::uuid) OVER its AS is_shared
  FROM candidate WINDOW its AS (PARTITION BY "group")
), preferred AS (
  SELECT DISTINCT ON ("group") wanted.* FROM wanted
  LEFT JOIN platen.wish ON wish.site = $4 AND wish."group" = wanted."group" AND wish.member = wanted.id
  WHERE is_ours
  ORDER BY "group", serves DESC, wish.member IS NULL,
    CASE WHEN NOT starts_with(wanted."group", '${terminalMark}') THEN sha256(convert_to(wanted."group" || ' ' || id, 'UTF8')) END DESC
), seen AS (
  SELECT p."group", coalesce(h.epoch, 0) AS epoch, ${shown('holder.name', 'holder')},
    CASE
      WHEN h.member = $1::uuid AND h.incarnation = $2::uuid THEN 'own'
      WHEN holder.id IS NULL THEN 'free'
      WHEN holder.until > ${now} THEN 'held'
      ELSE 'lapsed' END AS state,
    greatest(0, ${elapsed('coalesce(holder.until, h.since, clock_timestamp())')}) AS "freeFor",
    p.id = $1::uuid AS "isPreferred", p.name AS preferred,
    ${elapsed('p.beating_since')} AS "preferredFor",
    p.is_shared OR EXISTS (SELECT FROM platen.member
      WHERE site = $4 AND id <> $1::uuid AND beating_since IS NULL AND until > ${now}) AS "isShared"
  FROM preferred p
  LEFT JOIN LATERAL (SELECT * FROM platen.hold WHERE site = $4 AND "group" = p."group" OFFSET 0) AS h ON true
  LEFT JOIN platen.member holder ON holder.id = h.member AND holder.incarnation = h.incarnation
)
SELECT (SELECT lapsed FROM self) AS "hadLapsed",
  EXISTS (SELECT FROM platen.member WHERE id = $1::uuid AND incarnation <> $2::uuid AND until > ${now}) AS "isTwice",
  (SELECT count(*) FROM told) AS told,
  (SELECT ${elapsed('beating_since')} FROM beat) AS "beatingFor", (SELECT beat_at::text FROM beat) AS "beatAt",
  coalesce((SELECT json_agg(seen) FROM seen), '[]') AS groups,
  CASE WHEN $7::boolean THEN (
    SELECT coalesce(json_agg(json_build_object('name', left(name, 255), 'lastBeat', ${elapsed('beat_at')}, 'isBeating', ${serves})), '[]')
    FROM platen.member WHERE site = $4 AND id <> $1::uuid) END AS peers,
  coalesce((SELECT json_agg(left(site, 255)) FROM platen.member
    WHERE id <> $1::uuid AND lower(name) = lower($3) AND until > ${now}), '[]') AS namesakes`,
};

/** Compares with the epoch that was seen, so the second of two takers changes nothing. */
const take: Statement = {
  name: 'holds taken',
  text: `
WITH wish AS MATERIALIZED (
  SELECT $3 AS site, * FROM unnest($4::text[], $5::bigint[]) AS w ("group", epoch)
), lapsed AS MATERIALIZED (
  SELECT id, incarnation FROM platen.member
  WHERE until <= ${now} AND id IN (SELECT member FROM platen.hold JOIN wish USING (site, "group"))
  FOR SHARE SKIP LOCKED
)
INSERT INTO platen.hold AS h (site, "group", member, incarnation, epoch, since)
SELECT site, "group", $1::uuid, $2::uuid, epoch + 1, ${now} FROM wish
WHERE EXISTS (SELECT FROM platen.member WHERE id = $1::uuid AND incarnation = $2::uuid AND ${serves})
ORDER BY "group"
ON CONFLICT (site, "group") DO UPDATE SET
  member = excluded.member, incarnation = excluded.incarnation, epoch = excluded.epoch, since = excluded.since
WHERE h.epoch = excluded.epoch - 1 AND (
  h.member IS NULL
  OR EXISTS (SELECT FROM lapsed WHERE lapsed.id = h.member AND lapsed.incarnation = h.incarnation)
  OR NOT EXISTS (SELECT FROM platen.member m WHERE m.id = h.member AND m.incarnation = h.incarnation))
RETURNING h."group", h.epoch`,
};

const giveUp: Statement = {
  name: 'holds given up',
  text: `
WITH given AS (
  UPDATE platen.hold SET member = NULL, incarnation = NULL, since = ${now}
  WHERE member = $1::uuid AND incarnation = $2::uuid AND "group" = ANY ($3::text[])
  RETURNING "group"
)
SELECT pg_notify('${holdChannel}', $4) FROM (SELECT count(*) AS n FROM given) AS counted WHERE n > 0`,
};

const setUp: Statement = {
  name: 'set-up told',
  text: `INSERT INTO platen.set_up AS s (member, terminals)
    SELECT id, $3::jsonb FROM platen.member WHERE id = $1::uuid AND incarnation = $2::uuid
    ON CONFLICT (member) DO UPDATE SET terminals = excluded.terminals`,
};

/**
 * Members with the same serial number and another printer. If the terminal has the same name there, its printer is
 * known: two printers may have changed places.
 */
const differing: Statement = {
  name: 'settings compared',
  text: `SELECT DISTINCT ON (own.terminal) own.terminal, ${shown('m.name', 'other')}
    FROM unnest($3::text[], $4::text[], $5::text[]) AS own (terminal, hold, "group")
    JOIN platen.member m ON m.site = $2 AND m.id <> $1::uuid AND m.groups && $4::text[] AND own.hold = ANY (m.groups)
    LEFT JOIN platen.set_up s ON s.member = m.id
    WHERE m.until > ${now} AND m.beating_since IS NOT NULL
      AND coalesce(s.terminals ->> own.terminal <> own."group", NOT own."group" = ANY (m.groups))
    ORDER BY own.terminal, m.name`,
};
const differingShape = z.object({ terminal: z.string(), other: z.string() });

/** Its releases may still be under way: `until` stays as it is. */
const leave: Statement = {
  name: 'all holds given up',
  text: `
WITH self AS (
  UPDATE platen.member SET beating_since = NULL WHERE id = $1::uuid AND incarnation = $2::uuid
), given AS (
  UPDATE platen.hold SET member = NULL, incarnation = NULL, since = ${now}
  WHERE member = $1::uuid AND incarnation = $2::uuid
)
SELECT pg_notify('${holdChannel}', $3)`,
};

const beatShape = z.object({
  hadLapsed: z.boolean(),
  beatingFor: z.number(),
  beatAt: z.string(),
  groups: z.array(
    z.object({
      group: z.string(),
      epoch: z.number(),
      holder: z.string().nullable(),
      state: z.enum(['own', 'held', 'lapsed', 'free']),
      freeFor: z.number(),
      isPreferred: z.boolean(),
      preferred: z.string().nullable(),
      preferredFor: z.number(),
      isShared: z.boolean(),
    }),
  ),
  peers: z.array(z.object({ name: z.string(), lastBeat: z.number(), isBeating: z.boolean() })).nullable(),
  namesakes: z.array(z.string()),
});
const takenShape = z.object({ group: z.string(), epoch: z.number() });

export function createHoldTable(
  engine: Pick<Engine, 'ask' | 'onNotice' | 'beaten' | 'enterAgain'>,
  self: Self,
): HoldTable {
  const { id, incarnation, name, site } = self;
  const ask = (
    statement: Statement,
    more: readonly unknown[],
    signal: AbortSignal,
  ): Promise<readonly Row[]> =>
    engine.ask(statement, [id, incarnation, ...more], { signal, within: beatWithin });
  let roll: readonly Member[] = [];
  let beats = 0;
  return {
    async beat(groups, signal) {
      const wantsRoll = roll.length <= smallRoll || beats % rollEvery === 0;
      beats += 1;
      const [row] = await ask(beat, [name, site, groups, memberTtl, wantsRoll], signal);
      if (row?.['hadLapsed'] === null && row['isTwice'] === false) {
        engine.enterAgain();
        throw new Problem(
          'fleet-engine-away',
          `the roll has no row of this process of the member ${name}: it enters again`,
          {
            delivery: 'not-sent',
          },
        );
      }
      if (row?.['hadLapsed'] === null) {
        throw new Problem(
          'fleet-member-twice',
          `another process now uses the identity of the member ${name} (${id})`,
        );
      }
      const seen = beatShape.parse(row);
      engine.beaten(seen.beatAt);
      if (seen.peers) roll = rollOf(seen.peers, name);
      return seenIn(seen, roll);
    },
    async take(groups, signal) {
      const wish = [site, groups.map(({ group }) => group), groups.map(({ epoch }) => epoch)];
      return (await ask(take, wish, signal)).map((row) => takenShape.parse(row));
    },
    async giveUp(groups, signal) {
      await ask(giveUp, [groups, site], signal);
    },
    async setUp(terminals, signal) {
      const groups = Object.fromEntries(terminals.map(({ terminal, group }) => [terminal, group]));
      await ask(setUp, [JSON.stringify(groups)], signal);
    },
    async differing(terminals, signal) {
      const own = [
        terminals.map(({ terminal }) => terminal),
        terminals.map(terminalHold),
        terminals.map(({ group }) => group),
      ];
      const rows = await engine.ask(differing, [id, site, ...own], { signal, within: beatWithin });
      return rows.map((row) => differingShape.parse(row));
    },
    async leave(signal) {
      await ask(leave, [site], signal);
    },
    onNews: (listener) => engine.onNotice(holdChannel, (of) => of === site && listener()),
  };
}

const seenIn = (
  row: Omit<z.infer<typeof beatShape>, 'beatAt' | 'peers'>,
  members: readonly Member[],
): BeatSeen => ({
  hadLapsed: row.hadLapsed,
  namesakes: row.namesakes,
  beatingFor: milliseconds(row.beatingFor),
  groups: row.groups.map(({ holder, freeFor, preferred, preferredFor, ...seen }) => ({
    ...seen,
    holder: holder ?? undefined,
    freeFor: milliseconds(freeFor),
    preferred: preferred ?? undefined,
    preferredFor: milliseconds(preferredFor),
  })),
  members,
});

const rollOf = (peers: NonNullable<z.infer<typeof beatShape>['peers']>, ownName: string): readonly Member[] =>
  [
    { name: ownName, isSelf: true, lastBeat: milliseconds(0), isBeating: true },
    ...peers.map((peer) => ({ ...peer, isSelf: false, lastBeat: milliseconds(peer.lastBeat) })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
