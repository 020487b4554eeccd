/**
 * The size of the engine's tables, and the claims open and records owed in them, of all members: for the administrator.
 */
import { z } from 'zod';
import type { Statement } from './engine/line.ts';
import type { Ask } from './patience.ts';
import { isOpen, isOwed } from './will-statements.ts';

/** A record is posted within seconds of its release; the service may be away for a moment. In a busy fleet some are always owed. */
const inTime = '5 minutes';

const load: Statement = {
  name: 'engine load',
  text: `
    SELECT (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 FROM pg_class
        WHERE relnamespace = to_regnamespace('platen') AND relkind = 'r') AS octets,
      (SELECT count(*) FROM platen.claim WHERE ${isOpen}) AS "openClaims",
      owed.*
    FROM (SELECT count(*) AS "owedRecords",
        count(*) FILTER (WHERE at < clock_timestamp() - interval '${inTime}') AS "overdueRecords"
      FROM platen.any_claim WHERE NOT (${isOpen}) AND ${isOwed}) AS owed`,
};
const shape = z.object({
  octets: z.number(),
  openClaims: z.int(),
  owedRecords: z.int(),
  overdueRecords: z.int(),
});
export type EngineLoad = z.output<typeof shape>;

export async function engineLoad(ask: Ask): Promise<EngineLoad> {
  const [row] = await ask(load, []);
  return shape.parse(row);
}
