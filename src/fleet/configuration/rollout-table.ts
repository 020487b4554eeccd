/**
 * Roll-outs in the engine (F16); all ages are by the engine's clock. The order is signed; its progress is not. A change
 * of the progress names the revision that was seen, so the second of two changes does nothing.
 */
import { z } from 'zod';
import type { Signed } from '../../config/pushed/signature.ts';
import type { Statement } from '../engine/line.ts';
import { elapsed, shown } from '../engine/shown.ts';
import type { Ask } from './version-table.ts';

export const rolloutStates = ['running', 'paused', 'halted', 'finished'] as const;

const rolloutShape = z.object({
  number: z.number(),
  order: z.object({ body: z.string(), signature: z.string(), signer: z.string() }),
  state: z.enum(rolloutStates),
  step: z.number(),
  revision: z.number(),
  /** Milliseconds since the step began. */
  stepAge: z.number(),
  /** Milliseconds since all of the step were well; `null`: they are not. */
  soakingFor: z.number().nullable(),
  /** Gateways that were there at the order. */
  total: z.number(),
  /** The gateway that made it halt. */
  gateway: z.string().nullable(),
  why: z.string().nullable(),
});

export type Rollout = Readonly<z.output<typeof rolloutShape>>;

const wishShape = rolloutShape.extend({
  /** Its place among the gateways that were there at the order; `null`: it was not there. */
  rank: z.number().nullable(),
});

/** The newest roll-out as it concerns one gateway. */
export type Wish = Readonly<z.output<typeof wishShape>>;

const gatewayShape = z.object({
  member: z.string(),
  name: z.string(),
  rank: z.number(),
  well: z.number(),
  /** Milliseconds; `null`: as many terminals are well as at the order. */
  lowFor: z.number().nullable(),
  /** From its last digest; `null`: it has sent none. */
  told: z
    .object({
      /** Milliseconds. */
      age: z.number(),
      version: z.number().nullable(),
      refused: z.object({ version: z.number(), why: z.string() }).nullable().catch(null),
      well: z.number(),
      /** False: it names no signers. */
      follows: z.boolean().nullish().catch(null),
    })
    .nullable(),
});

/** A gateway of the sample, and the facts of its digest. */
export type RolloutGateway = Readonly<z.output<typeof gatewayShape>>;

export interface Progress {
  readonly state: Rollout['state'];
  readonly step: number;
  /** `true`: all gateways of the step are well, from now on or from before. */
  readonly soaks: boolean;
  readonly halt?: { readonly gateway: string; readonly why: string };
}

export interface RolloutTable {
  /** The newest; `undefined` before the first order. */
  wish(member: string, signal: AbortSignal): Promise<Wish | undefined>;
  /** The newest roll-out that is running, if no other member has looked after it for that many milliseconds. */
  turn(every: number, signal: AbortSignal): Promise<Rollout | undefined>;
  /** The first so many by rank, without those that have left the fleet. */
  gateways(number: number, first: number, signal: AbortSignal): Promise<readonly RolloutGateway[]>;
  /** `low`: gateways with fewer well terminals than at the order. `well`: gateways that have as many again. */
  mark(number: number, low: readonly string[], well: readonly string[], signal: AbortSignal): Promise<void>;
  /** False if it has gone on since that revision. */
  progress(
    rollout: Pick<Rollout, 'number' | 'revision'>,
    to: Progress,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Called when another member or a command has changed something. */
  onNews(listener: () => void): Disposable;
}

const channel = 'platen_rollout';
const now = 'clock_timestamp()';
const columns = `r.number, json_build_object('body', r.body, 'signature', r.signature, 'signer', r.signer) AS "order",
  r.state, r.step, r.revision, ${elapsed('r.step_at')} AS "stepAge", ${elapsed('r.soaking_since')} AS "soakingFor",
  (SELECT count(*) FROM platen.rollout_gateway a WHERE a.number = r.number) AS total, r.gateway, r.why`;
const newest = '(SELECT max(number) FROM platen.rollout)';

const wish: Statement = {
  name: 'roll-out',
  text: `SELECT ${columns}, g.rank FROM platen.rollout r
    LEFT JOIN platen.rollout_gateway g ON g.number = r.number AND g.member = $1::uuid
    WHERE r.number = ${newest}`,
};
/** A `looked_at` after now means that the engine's clock was set back since. */
const turn: Statement = {
  name: 'roll-out looked after',
  text: `UPDATE platen.rollout r SET looked_at = ${now}
    WHERE r.number = ${newest} AND r.state = 'running'
      AND (r.looked_at IS NULL OR r.looked_at > ${now} OR r.looked_at < ${now} - $1 * interval '1 millisecond')
    RETURNING ${columns}`,
};
/**
 * A count in a digest. Another version, or a person in the database, may have written that. In another form it counts
 * as nothing, and stops no gateway.
 */
export const countIn = (body: string, path: string): string =>
  `CASE WHEN ${body}#>>'{${path}}' ~ '^[0-9]{1,9}$' THEN (${body}#>>'{${path}}')::int END`;
/** Terminals that another member serves count as well here: terminals move, and that is no trouble of this gateway. */
export const wellIn = (body: string): string =>
  `coalesce(${countIn(body, 'terminals,configured')} - ${countIn(body, 'terminals,served')} + ${countIn(body, 'terminals,ready')}, 0)`;
/** The roll-out does not wait for a gateway that was taken off the roll. */
const gateways: Statement = {
  name: 'gateways of a roll-out',
  text: `SELECT g.member, ${shown('g.name')}, g.rank, g.well, ${elapsed('g.low_since')} AS "lowFor",
      CASE WHEN d.member IS NOT NULL THEN json_build_object('age', ${elapsed('d.at')},
        'version', ${countIn('d.body', 'config,version')}, 'refused', d.body#>'{config,refused}',
        'follows', d.body#>'{config,follows}', 'well', ${wellIn('d.body')}) END AS told
    FROM platen.rollout_gateway g JOIN platen.member m ON m.id = g.member
      LEFT JOIN platen.digest d ON d.member = g.member
    WHERE g.number = $1 AND g.rank < $2 ORDER BY g.rank`,
};
const mark: Statement = {
  name: 'gateways marked',
  text: `UPDATE platen.rollout_gateway
    SET low_since = CASE WHEN member = ANY ($2::uuid[]) THEN coalesce(low_since, ${now}) END
    WHERE number = $1 AND (member = ANY ($2::uuid[]) OR member = ANY ($3::uuid[]))`,
};
const progress: Statement = {
  name: 'roll-out goes on',
  text: `WITH gone AS (
      UPDATE platen.rollout SET state = $3, revision = revision + 1, gateway = $6, why = $7,
        step_at = CASE WHEN step = $4 THEN step_at ELSE ${now} END, step = $4,
        soaking_since = CASE WHEN $5 AND step = $4 THEN coalesce(soaking_since, ${now}) END
      WHERE number = $1 AND revision = $2 RETURNING number)
    SELECT pg_notify('${channel}', '') FROM gone`,
};

/** `onNotice` is from the engine's line; commands hear no notices. */
export function createRolloutTable(
  ask: Ask,
  onNotice: (channel: string, listener: () => void) => Disposable,
): RolloutTable {
  return {
    async wish(member, signal) {
      const [row] = await ask(wish, [member], signal);
      return row && wishShape.parse(row);
    },
    async turn(every, signal) {
      const [row] = await ask(turn, [every], signal);
      return row && rolloutShape.parse(row);
    },
    async gateways(number, first, signal) {
      const rows = await ask(gateways, [number, first], signal);
      return rows.map((row) => gatewayShape.parse(row));
    },
    async mark(number, low, well, signal) {
      await ask(mark, [number, low, well], signal);
    },
    async progress({ number, revision }, { state, step, soaks, halt }, signal) {
      const values = [number, revision, state, step, soaks, halt?.gateway ?? null, halt?.why ?? null];
      return (await ask(progress, values, signal)).length > 0;
    },
    onNews: (listener) => onNotice(channel, listener),
  };
}

export interface Orders {
  /** All orders, the oldest first. */
  all(signal: AbortSignal): Promise<readonly Signed[]>;
  /** Every gateway that beats takes part. False if another order with that number was first. */
  give(number: number, order: Signed, signal: AbortSignal): Promise<boolean>;
  pause(rollout: Pick<Rollout, 'number' | 'revision'>, signal: AbortSignal): Promise<boolean>;
  /** The person who resumes has looked, so from now on the comparison is with the present number of well terminals. */
  resume(rollout: Pick<Rollout, 'number' | 'revision'>, signal: AbortSignal): Promise<boolean>;
  newest(signal: AbortSignal): Promise<Rollout | undefined>;
}

const all: Statement = {
  name: 'orders',
  text: 'SELECT body, signature, signer FROM platen.rollout ORDER BY number',
};
const theNewest: Statement = {
  name: 'newest roll-out',
  text: `SELECT ${columns} FROM platen.rollout r WHERE r.number = ${newest}`,
};
const give: Statement = {
  name: 'order given',
  text: `WITH given AS (
      INSERT INTO platen.rollout (number, body, signature, signer, state)
      VALUES ($1, $2, $3, $4, 'running') ON CONFLICT DO NOTHING RETURNING number
    ), there AS (
      INSERT INTO platen.rollout_gateway (number, member, name, rank, well)
      SELECT given.number, m.id, m.name,
        row_number() OVER (ORDER BY sha256(convert_to('platen rollout ' || m.id, 'UTF8'))) - 1,
        ${wellIn('d.body')}
      FROM given, platen.member m LEFT JOIN platen.digest d ON d.member = m.id
      WHERE m.until > ${now}
      ON CONFLICT (number, member) DO UPDATE SET name = excluded.name, rank = excluded.rank, well = excluded.well, low_since = NULL
    )
    SELECT pg_notify('${channel}', '') FROM given`,
};
const pause: Statement = {
  name: 'roll-out paused',
  text: `WITH paused AS (
      UPDATE platen.rollout SET state = 'paused', revision = revision + 1
      WHERE number = $1 AND revision = $2 AND state = 'running' RETURNING number)
    SELECT pg_notify('${channel}', '') FROM paused`,
};
const resume: Statement = {
  name: 'roll-out resumed',
  text: `WITH resumed AS (
      UPDATE platen.rollout SET state = 'running', revision = revision + 1, step_at = ${now}, soaking_since = NULL,
        gateway = NULL, why = NULL
      WHERE number = $1 AND revision = $2 AND state IN ('paused', 'halted') RETURNING number
    ), measured AS (
      UPDATE platen.rollout_gateway g SET low_since = NULL, well = least(g.well, ${wellIn('d.body')})
      FROM platen.digest d, resumed WHERE g.number = resumed.number AND d.member = g.member
    )
    SELECT pg_notify('${channel}', '') FROM resumed`,
};

const signedRow = rolloutShape.shape.order;

export const createOrders = (ask: Ask): Orders => ({
  async all(signal) {
    return (await ask(all, [], signal)).map((row) => signedRow.parse(row));
  },
  async give(number, { body, signature, signer }, signal) {
    return (await ask(give, [number, body, signature, signer], signal)).length > 0;
  },
  async pause({ number, revision }, signal) {
    return (await ask(pause, [number, revision], signal)).length > 0;
  },
  async resume({ number, revision }, signal) {
    return (await ask(resume, [number, revision], signal)).length > 0;
  },
  async newest(signal) {
    const [row] = await ask(theNewest, [], signal);
    return row && rolloutShape.parse(row);
  },
});
