/**
 * The digests of the members of a fleet (F17), in rows of `platen.digest`: this one writes its own, and commands and
 * pages read all. It is sent every half minute, and soon after a change that calls for a person. Nothing depends on it,
 * so a digest that cannot be sent is sent later.
 */
import { z } from 'zod';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, minutes, seconds } from '../../core/duration.ts';
import { restOrWake, Wake } from '../../core/periodic.ts';
import type { Progress, Service } from '../../core/service.ts';
import { compared } from '../../core/text/compared.ts';
import type { Env } from '../../domain/env.ts';
import type { GatewayDigest } from '../../domain/gateway-digest.ts';
import type { Gateways, SeenGateway } from '../../domain/ports/gateways.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import type { Engine } from '../engine/engine.ts';
import type { Row, Statement } from '../engine/line.ts';
import type { Member } from '../engine/membership.ts';
import { elapsed, shown } from '../engine/shown.ts';
import type { Visit } from '../engine/visit.ts';

const reportEvery = seconds(30);
/** Several changes come together. */
const afterChange = seconds(1);
/** A limit for a state that flaps. */
const atMostEvery = seconds(5);
const answerWithin = seconds(5);
const longestRound = minutes(2);

/** The condition keeps out a process that was replaced by another one. */
const tell: Statement = {
  name: 'digest told',
  text: `INSERT INTO platen.digest AS d (member, at, body)
    SELECT id, clock_timestamp(), $3::jsonb FROM platen.member WHERE id = $1::uuid AND incarnation = $2::uuid
    ON CONFLICT (member) DO UPDATE SET at = excluded.at, body = excluded.body`,
};

/** Rows in one statement: the beats of this member come in between, also on a slow way to the engine. */
const atOnce = 200;
/** No fleet has so many. */
const mostSeen = 20_000;
const noMember = '00000000-0000-0000-0000-000000000000';
/**
 * For one digest, and for all in one answer, which shares the line with claims. The small ones come first, so that a
 * large one keeps no other out.
 */
const mostOctets = { one: 65_536, all: 8 * 2 ** 20 };

/** The next members, also without a digest or with one that is too large. */
const look: Statement = {
  name: 'digests seen',
  text: `SELECT m.id, ${shown('m.name')}, ${shown('m.site')}, ${shown('m.version')}, m.until > clock_timestamp() AS "isBeating",
      greatest(0, ${elapsed('m.beat_at')} / 1000) AS "lastBeat",
      ${elapsed('d.at')} / 1000 AS "age",
      CASE WHEN d.octets <= ${mostOctets.one} AND d.together <= ${mostOctets.all} THEN d.body END AS body
    FROM platen.member m LEFT JOIN (
      SELECT member, at, body, octets, sum(octets) OVER (ORDER BY octets, member) AS together
      FROM platen.digest, LATERAL octet_length(body::text) AS octets
      WHERE member IN (SELECT id FROM platen.member WHERE id > $1::uuid ORDER BY id LIMIT ${atOnce})) d ON d.member = m.id
    WHERE m.id > $1::uuid ORDER BY m.id LIMIT ${atOnce}`,
};

export interface FleetDigestsDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly engine: Pick<Engine, 'ask' | 'onState'>;
  readonly member: Pick<Member, 'id' | 'incarnation'>;
  own(): GatewayDigest;
  /** They differ in something that calls for a person. */
  isNews(before: GatewayDigest, now: GatewayDigest): boolean;
}

export class FleetDigests {
  readonly service: Service = {
    name: 'digest',
    run: (signal, progress) => this.#run(signal, progress),
  };
  readonly #deps: FleetDigestsDeps;
  readonly #wake = new Wake();
  #lastReport: GatewayDigest | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(deps: FleetDigestsDeps) {
    this.#deps = deps;
  }

  /** Called when the digest may have changed. The call is cheap. */
  changed(): void {
    this.#wake.ring();
  }

  async #run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { engine, clock, chance } = this.#deps;
    using _ = engine.onState(({ is }) => {
      // The engine may know less than before, or be another engine.
      this.#lastReport = undefined;
      if (is === 'up') this.#wake.ring();
    });
    while (!signal.aborted) {
      progress?.(longestRound);
      this.#wake.answered();
      await this.#tell(signal);
      const due =
        clock.monotonic() + chance.jitter(this.#lastReport === undefined ? atMostEvery : reportEvery);
      do {
        await this.#rest(milliseconds(due - clock.monotonic()), signal);
      } while (!signal.aborted && clock.monotonic() < due && !this.#hasNews());
    }
  }

  /** Rests for the span, or until a moment after a change. */
  async #rest(span: Duration, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const begunAt = clock.monotonic();
    await restOrWake(span, { clock, wake: this.#wake }, signal);
    if (signal.aborted || clock.monotonic() >= begunAt + span) return;
    const soonest = Math.max(afterChange, this.#toldAt + atMostEvery - clock.monotonic());
    await restOrWake(milliseconds(soonest), { clock, wake: undefined }, signal);
    this.#wake.answered();
  }

  #hasNews(): boolean {
    return this.#lastReport === undefined || this.#deps.isNews(this.#lastReport, this.#deps.own());
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const { engine, member, clock, log, own } = this.#deps;
    this.#lastReport = undefined;
    const begunAt = clock.monotonic();
    const digest = own();
    try {
      const values = [member.id, member.incarnation, JSON.stringify(digest)];
      await engine.ask(tell, values, { signal, within: answerWithin });
      this.#lastReport = digest;
      this.#toldAt = begunAt;
    } catch (error) {
      // The engine reports its own absence.
      if (!signal.aborted)
        log.debug('digest not told', { error: error instanceof Error ? error : undefined });
    }
  }
}

type Ask = (statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

/** Release ids are hexadecimal: all that begin with the prefix come before prefix + 'g'. */
const holder: Statement = {
  name: 'holder of a release',
  text: `SELECT DISTINCT release_id, member FROM platen.any_claim
    WHERE release_id >= $1::text AND release_id < $1::text || 'g' ORDER BY release_id LIMIT 2`,
};
const holderShape = z.array(z.object({ member: z.string() }));

export const createFleetGateways = (engine: Pick<Engine, 'ask'>, self: Pick<Member, 'id'>): Gateways => ({
  async holderOf(idPrefix, signal) {
    const found = holderShape.parse(await engine.ask(holder, [idPrefix], { signal, within: answerWithin }));
    return found.length === 1 ? found[0]?.member : undefined;
  },
  seen: (signal) =>
    seenBy((statement, values) => engine.ask(statement, values, { signal, within: answerWithin }), self.id),
});

/** For a command, which is no member. */
export const gatewaysBy = ({ ask }: Pick<Visit, 'ask'>): Promise<readonly SeenGateway[]> => seenBy(ask);

async function seenBy(ask: Ask, self?: string): Promise<readonly SeenGateway[]> {
  const seen: SeenGateway[] = [];
  for (let last = noMember; seen.length < mostSeen; last = seen.at(-1)?.digest.member ?? last) {
    const rows = await ask(look, [last]);
    seen.push(...rows.map((row) => seenIn(row, self)));
    if (rows.length < atOnce) break;
  }
  return seen.toSorted((one, other) => compared(placeOf(one), placeOf(other)));
}

const placeOf = ({ digest: { site, name, member } }: SeenGateway): string => [site, name, member].join('\n');

function seenIn(row: Row, self: string | undefined): SeenGateway {
  const { body, age, lastBeat, isBeating, ...entry } = seenShape.parse(row);
  const { data: report } = digestShape.safeParse(body);
  const { id: member, ...known } = entry;
  return {
    digest: report ? { ...report, ...known, member } : emptyDigest(entry),
    hasTold: report !== undefined,
    isBeating,
    isSelf: entry.id === self,
    ageSeconds: report && age !== null ? Math.max(0, age) : lastBeat,
    lastBeatSeconds: lastBeat,
  };
}

const emptyDigest = ({
  id: member,
  ...entry
}: Pick<GatewayDigest, 'name' | 'site' | 'version'> & { readonly id: string }): GatewayDigest => ({
  member,
  ...entry,
  at: '',
  startedAt: '',
  config: { version: null, wanted: null, refused: null },
  terminals: { configured: 0, served: 0, ready: 0, troubled: [] },
  outbox: { waiting: 0, deadLetters: 0, oldest: null },
  unknownOutcomes: 0,
  certificateDays: null,
  conditions: [],
  moreConditions: 0,
  operations: null,
  operationsTls: false,
});

const count = z.int().nonnegative();
const text = z.string();
const hurtCounts = z.object({ failed: count, unknown: count, refused: count });
/** HOST:PORT and nothing more: people follow it, and Prometheus sends its token there. */
const reachedAt = z.string().regex(/^[^\s/@?#\\]+:\d{1,5}$/);

/** The shape of a digest in the engine. Another version may have written it, with codes that are new to this one. */
export const digestShape: z.ZodType<GatewayDigest> = z.object({
  member: z.uuid(),
  name: text,
  site: text,
  version: text,
  at: text,
  startedAt: text,
  config: z.object({
    version: z.int().nullable(),
    wanted: z.int().nullable(),
    refused: z.object({ version: z.int(), why: text }).nullable(),
    follows: z.boolean().optional(),
  }),
  terminals: z.object({
    configured: count,
    served: count,
    ready: count,
    troubled: z.array(z.object({ id: text, state: text })),
  }),
  outbox: z.object({ waiting: count, deadLetters: count, oldest: text.nullable() }),
  unknownOutcomes: count,
  certificateDays: z.int().nullable(),
  hurt: z.object({ hour: hurtCounts, day: hurtCounts, line: z.array(count).max(24) }).optional(),
  outages: z
    .array(z.object({ reference: text, terminal: text, since: text, over: text.nullable() }))
    .optional(),
  conditions: z.array(
    z.object({
      code: z.custom<ProblemCode>((code) => typeof code === 'string'),
      severity: z.enum(['warning', 'error']),
      scope: text,
      since: text,
      acknowledged: z.literal(true).optional(),
    }),
  ),
  moreConditions: count,
  operations: reachedAt.nullable().catch(null),
  operationsTls: z.boolean(),
});

export const seenShape = z.object({
  id: text,
  name: text,
  site: text,
  version: text,
  isBeating: z.boolean(),
  /** Seconds. */
  lastBeat: z.number(),
  age: z.number().nullable(),
  body: z.unknown(),
});
