/**
 * Composes a gateway's report about itself, for people who look at many gateways (F17). It has room for 4 KB. Terminals
 * and conditions that do not fit are left out, the least serious first, and counted. A gateway without a fleet is seen
 * by the same digest.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours } from '../core/duration.ts';
import { printable } from '../core/text/printable.ts';
import type { ConfigStanding, DigestedOutage, GatewayDigest, Hurt } from '../domain/gateway-digest.ts';
import type { Gateways } from '../domain/ports/gateways.ts';
import type { OutboxCounts } from '../domain/ports/ledger.ts';
import type { AcknowledgedCondition } from './acknowledgements.ts';

export interface DigestSources
  extends Pick<
    GatewayDigest,
    'member' | 'name' | 'site' | 'version' | 'startedAt' | 'operations' | 'operationsTls'
  > {
  terminals(): readonly DigestedTerminal[];
  outbox(): OutboxCounts;
  /** How long the oldest record that may be posted has waited; `undefined` if there is none. */
  outboxOldest(): Duration | undefined;
  /** The number of releases that ended as `unknown` since then; ISO 8601, UTC. */
  unknownSince(since: string): number;
  hurt(): Hurt;
  /** Newest first. */
  outages(): readonly DigestedOutage[];
  /** The ends of all certificates that it knows, in wall milliseconds. */
  certificateEnds(): readonly number[];
  /** Most serious first, then oldest first. */
  conditions(): readonly AcknowledgedCondition[];
  config(): ConfigStanding;
  readonly clock: Pick<Clock, 'now'>;
}

interface DigestedTerminal {
  readonly id: string;
  readonly isServed: boolean;
  readonly isReady: boolean;
  /** Why it is not ready, in a word. */
  readonly trouble?: string | undefined;
}

/** Octets, as JSON. */
export const digestRoom = 4096;
/** The limit of each list. A person reads no more about one gateway among many. */
const mostListed = 12;
/** With these limits the fixed part always fits, because a character has at most three octets in UTF-8. */
const longestName = 255;
const longestReason = 300;
const day = hours(24);

export function composeDigest(sources: DigestSources): GatewayDigest {
  const { member, site, version, startedAt, operations, operationsTls, clock } = sources;
  const now = clock.now();
  const { waiting, held, deadLetters } = sources.outbox();
  const oldest = sources.outboxOldest();
  const terminals = sources.terminals();
  const elsewhere = new Set(terminals.filter(({ isServed }) => !isServed).map(({ id }) => id));
  // Faults of those terminals are reported once, by the gateway that serves them.
  const conditions = sources.conditions().filter(({ scope }) => !elsewhere.has(scope));
  const whole: GatewayDigest = {
    member,
    name: cut(sources.name, longestName),
    site,
    version,
    at: isoInstant(now),
    startedAt,
    config: standingOf(sources.config()),
    terminals: terminalsOf(terminals),
    outbox: {
      waiting: waiting + held,
      deadLetters,
      oldest: oldest === undefined ? null : isoInstant(now - oldest),
    },
    unknownOutcomes: sources.unknownSince(isoInstant(now - day)),
    hurt: sources.hurt(),
    outages: sources.outages().slice(0, mostListed),
    certificateDays: daysUntilFirst(sources.certificateEnds(), now),
    conditions: conditions.slice(0, mostListed).map(({ code, severity, scope, since, acknowledged }) => ({
      code,
      severity,
      scope,
      since,
      ...(acknowledged && { acknowledged: true as const }),
    })),
    moreConditions: Math.max(0, conditions.length - mostListed),
    operations,
    operationsTls,
  };
  return fitted(whole);
}

function standingOf({ refused, ...standing }: ConfigStanding): ConfigStanding {
  return { ...standing, refused: refused && { ...refused, why: cut(refused.why, longestReason) } };
}

function terminalsOf(terminals: readonly DigestedTerminal[]): GatewayDigest['terminals'] {
  const served = terminals.filter(({ isServed }) => isServed);
  const troubled = served.filter(({ isReady }) => !isReady);
  return {
    configured: terminals.length,
    served: served.length,
    ready: served.length - troubled.length,
    troubled: troubled.slice(0, mostListed).map(({ id, trouble = 'not-ready' }) => ({ id, state: trouble })),
  };
}

function daysUntilFirst(ends: readonly number[], now: number): number | null {
  return ends.length === 0 ? null : Math.floor((Math.min(...ends) - now) / day);
}

function fitted(digest: GatewayDigest): GatewayDigest {
  const { terminals, conditions, moreConditions, outages = [] } = digest;
  if (Buffer.byteLength(JSON.stringify(digest)) <= digestRoom) return digest;
  // Outages that are over matter least.
  if (outages.length > 0) return fitted({ ...digest, outages: outages.slice(0, -1) });
  // The longer list is cut, because a part of each list tells more than one whole list.
  if (terminals.troubled.length > conditions.length) {
    return fitted({ ...digest, terminals: { ...terminals, troubled: terminals.troubled.slice(0, -1) } });
  }
  return fitted({ ...digest, conditions: conditions.slice(0, -1), moreConditions: moreConditions + 1 });
}

/** A column of `jsonb` takes no half of a character. */
const cut = (text: string, most: number): string => printable(text).slice(0, most).toWellFormed();

export const isSameButForTime = (one: GatewayDigest, other: GatewayDigest): boolean =>
  JSON.stringify(actedUpon(one)) === JSON.stringify(actedUpon(other));

/** The facts on which a person acts. The others change with every release. */
function actedUpon({ at: _, hurt: __, outbox: { deadLetters }, ...digest }: GatewayDigest): object {
  return { ...digest, outbox: { deadLetters } };
}

/** A gateway without a fleet, as the list of many gateways sees it: one gateway, at this moment. */
export const createOwnGateway = (own: () => GatewayDigest): Gateways => ({
  seen: async (abort) => {
    abort.throwIfAborted();
    return [
      {
        digest: own(),
        hasTold: true,
        isSelf: true,
        isBeating: true,
        ageSeconds: 0,
        lastBeatSeconds: 0,
      },
    ];
  },
  // This gateway's own releases are in its own ledger.
  holderOf: async () => undefined,
});
