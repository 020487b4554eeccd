/**
 * This member on the roll, the table `member`: it enters at every connect, and leaves when it stops in order.
 * `holds.ts` makes the beats in between.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Line, Statement } from './line.ts';

export interface Member {
  /** A UUID that the state directory keeps. */
  readonly id: string;
  /** A UUID of this process. */
  readonly incarnation: string;
  /** For people. */
  readonly name: string;
  readonly site: string;
  readonly version: string;
}

/** F11: this long after its last beat, by the engine's clock, a member holds nothing any more. */
export const memberTtl: Duration = seconds(5);

/** Tells a member, by its id, that it was taken off the roll. If the member is still running, it enters again. */
export const retiredChannel = 'platen_retired';

/**
 * With another line it begins to beat again, and goes on serving if its beats have not ended. A second process with the
 * same id, for example from a copied state directory, is refused while the first one beats: the two would settle each
 * other's documents. If the engine does not know a beat that it answered, it has forgotten (F9), however little, and
 * says so to every member.
 */
const enter: Statement = {
  name: 'member entered',
  text: `WITH forgotten AS (
    UPDATE platen.fleet SET life = 'another one' WHERE $8::timestamptz IS NOT NULL
      AND NOT EXISTS (SELECT FROM platen.member WHERE id = $1 AND beat_at >= $8)),
  entered AS (
    INSERT INTO platen.member AS m (id, incarnation, name, site, version, level, beat_at, until)
    VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp(), clock_timestamp() + $7 * interval '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, name = excluded.name, site = excluded.site,
      version = excluded.version, level = excluded.level, beat_at = excluded.beat_at, until = excluded.until,
      beating_since = CASE WHEN m.incarnation = excluded.incarnation AND m.until > clock_timestamp()
        AND m.beating_since IS NOT NULL THEN excluded.beat_at END
    WHERE m.incarnation = excluded.incarnation OR m.until <= clock_timestamp()
    RETURNING beat_at)
  SELECT (SELECT beat_at::text FROM entered) AS "enteredAt",
    (SELECT beat_at::text FROM platen.member WHERE id = $1) AS "beatBefore"`,
};
const leave: Statement = {
  name: 'member left',
  text: 'UPDATE platen.member SET until = clock_timestamp() WHERE id = $1 AND incarnation = $2',
};

const shape = z.object({ enteredAt: z.string().nullable(), beatBefore: z.string().nullable() });

/** The last beat that was answered, over restarts of the process; it may be a little old. */
export interface KeptBeat {
  read(): string | undefined;
  write(at: string): void;
}

/** The pause between two writes: flash memory wears out. */
const keptEvery = seconds(10);

export interface Membership {
  /**
   * Throws `fleet-member-twice` if another process with this id goes on beating. Throws `fleet-engine-away` if that is
   * not known yet, as after a crash: those beats end within `memberTtl`.
   */
  enter(line: Line, level: number, deadline: AbortSignal): Promise<void>;
  beaten(at: string): void;
  /** Writes the last beat; called when the process ends. */
  keep(): void;
  leave(line: Line, deadline: AbortSignal): Promise<void>;
}

export function createMembership(
  { id, incarnation, name, site, version }: Member,
  { keptBeat, clock }: { readonly keptBeat: KeptBeat; readonly clock: Clock },
): Membership {
  let othersBeat: string | undefined;
  let lastBeat = keptBeat.read();
  let keptAt = Number.NEGATIVE_INFINITY;
  const keep = (): void => {
    if (lastBeat !== undefined) keptBeat.write(lastBeat);
    keptAt = clock.monotonic();
  };
  const beaten = (at: string): void => {
    lastBeat = at;
    if (clock.monotonic() - keptAt >= keptEvery) keep();
  };
  return {
    beaten,
    keep,
    async enter(line, level, deadline) {
      const values = [id, incarnation, name, site, version, level, memberTtl, lastBeat ?? null];
      const [row] = await line.ask(enter, values, deadline);
      const { enteredAt, beatBefore } = shape.parse(row);
      if (enteredAt !== null) {
        othersBeat = undefined;
        beaten(enteredAt);
        return;
      }
      const isBeating = othersBeat !== undefined && othersBeat !== beatBefore;
      othersBeat = beatBefore ?? undefined;
      throw isBeating
        ? new Problem(
            'fleet-member-twice',
            `another process uses the identity of the member ${id}, and is still running`,
          )
        : new Problem('fleet-engine-away', `an earlier process of the member ${id} may not have ended yet`, {
            delivery: 'not-sent',
          });
    },
    async leave(line, deadline) {
      await line.ask(leave, [id, incarnation], deadline);
    },
  };
}
