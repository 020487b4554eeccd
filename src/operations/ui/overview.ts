/**
 * The data of the administrators' page (F17): `/fleet`, all gateways that can be seen from here, and `/releases/CODE`, one
 * release of this gateway. Nothing of a person in either.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { troublesOf } from '../../domain/gateway-troubles.ts';
import type { Gateways, SeenGateway } from '../../domain/ports/gateways.ts';
import type { FoundRelease, ReleaseRegister } from '../../domain/ports/ledger.ts';
import { asProblem, isProblem } from '../../domain/problem/problem.ts';
import { idIn, referenceIn } from '../../domain/terminal/screen-code.ts';
import { isWithdrawn } from '../../domain/release-trace.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import { shortReleaseId } from '../../domain/release.ts';
import type { CodeAnswer, FleetAnswer, ReleaseAnswer, ToldGateway, ToldOutage } from './answers.ts';
import type { Deeds } from './deeds.ts';
import { serveDeeds } from './deeds.ts';

export interface Overview {
  fleet(): Promise<Omit<FleetAnswer, 'mayTell'>>;
  readonly deeds: Deeds;
  readonly releases: Pick<ReleaseRegister, 'find'>;
  /** Of a release or an outage, as it stands on a screen; `undefined`: nobody knows it. */
  find(code: string): Promise<CodeAnswer | undefined>;
}

interface Seen {
  readonly gateways: Gateways;
  /** This one, which is seen whatever becomes of the others. */
  readonly alone: Gateways;
  readonly releases: Overview['releases'];
  readonly deeds: Deeds;
  /** Of this gateway. */
  outage(reference: string): ToldOutage | undefined;
  readonly clock: Pick<Clock, 'deadline'>;
}

/** Longer than the fleet's own limits: whoever looks waits no longer for an engine that hangs. */
const patience = seconds(8);

export function createOverview({ gateways, alone, releases, deeds, outage, clock }: Seen): Overview {
  /** Pages that ask at the same time are answered by one look. */
  let looking: ReturnType<Overview['fleet']> | undefined;
  const look = async (): ReturnType<Overview['fleet']> => {
    const limit = clock.deadline(patience);
    try {
      return { gateways: (await gateways.seen(limit)).map(told), problem: null };
    } catch (error) {
      if (!isProblem(error) && !limit.aborted) throw error;
      const { code, message: detail, advice } = asProblem(error, 'fleet-engine-away', 'no answer in time');
      const self = await alone.seen(clock.deadline(patience));
      return { gateways: self.map(told), problem: { code, detail, advice } };
    }
  };
  const fleet = () => (looking ??= look().finally(() => (looking = undefined)));

  async function find(code: string): Promise<CodeAnswer | undefined> {
    const release = releaseCode.test(code) ? releases.find(code) : undefined;
    if (release) return { is: 'release', release: toldRelease(release) };
    const reference = referenceIn(code);
    const own = reference === undefined ? undefined : outage(reference);
    if (own) return { is: 'outage', outage: own };
    return reference === undefined ? releasedElsewhere(code) : outageElsewhere(reference);
  }

  async function releasedElsewhere(code: string): Promise<CodeAnswer | undefined> {
    if (!releaseCode.test(code)) return undefined;
    // While the engine is away nobody else is known.
    const member = await gateways.holderOf(code, clock.deadline(patience)).catch(() => undefined);
    return member === undefined ? undefined : { is: 'elsewhere', member, outage: null };
  }

  async function outageElsewhere(reference: string): Promise<CodeAnswer | undefined> {
    for (const { digest, isSelf } of (await fleet()).gateways) {
      const found = digest.outages?.find((one) => one.reference === reference);
      if (!found) continue;
      const { member } = digest;
      const known = { ...found, reason: null };
      return isSelf ? { is: 'outage', outage: known } : { is: 'elsewhere', member, outage: known };
    }
    return undefined;
  }

  return { releases, deeds, fleet, find };
}

export const told = (seen: SeenGateway): ToldGateway => ({ ...seen, troubles: troublesOf(seen) });

/** With brackets, dashes and blanks. */
const longestCode = 100;

/** As it stands on a screen, eight digits, or the whole id: what is shorter could be guessed. */
const releaseCode = /^[0-9a-f]{8,32}$/;

/** `mayTell`: whoever gets here has shown a token or a certificate. */
export function serveOverview(
  app: FastifyInstance,
  { fleet, find, releases, deeds }: Overview,
  { mayTell }: Pick<FleetAnswer, 'mayTell'>,
): void {
  app.get('/fleet', async (request, reply) => sendPacked(request, reply, { ...(await fleet()), mayTell }));
  serveDeeds(app, deeds, mayTell);
  app.get<{ Params: { code: string } }>('/codes/:code', async ({ params: { code } }, reply) => {
    const found = code.length > longestCode ? undefined : await find(idIn(code));
    return found ?? reply.code(404).send();
  });
  app.get<{ Params: { code: string } }>('/releases/:code', async ({ params: { code } }, reply) => {
    const found = releaseCode.test(code) ? releases.find(code) : undefined;
    return found ? toldRelease(found) : reply.code(404).send();
  });
}

/** An answer as gzip where the caller takes that: a thousand gateways are half a megabyte of much the same. */
const packed = promisify(gzip);
/** Less is not worth it. */
const worthIt = 4096;
/** RFC 9110, 12.5.3; `gzip;q=0` is a refusal. */
const takesGzip = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/;

async function sendPacked(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): Promise<FastifyReply> {
  const body = Buffer.from(JSON.stringify(answer));
  void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  if (body.length < worthIt || !takesGzip.test(headers['accept-encoding'] ?? '')) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(await packed(body, { level: 1 }));
}

/** A release of the ledger as administrators read it: when, where and how it went, and nothing of whom or of what. */
function toldRelease(found: FoundRelease): ReleaseAnswer {
  const { row, events, trace } = found;
  const { releaseId, terminal, state, startedAt, problem } = row;
  return {
    releaseId,
    code: shortReleaseId(releaseId),
    terminal,
    state,
    startedAt,
    printer: printerOf(events),
    outcome: row.outcome ?? null,
    confirmation: row.confirmation ?? null,
    pages: row.pages ?? null,
    problem: problem === undefined ? null : { code: problem, advice: adviceOf(problem) },
    endedAt: row.endedAt ?? null,
    tookMs: row.tookMs ?? null,
    history: historyOf(found),
    events: events.map(({ state: passed, at }) => ({ state: passed, at })),
    stages: trace?.steps ?? [],
  };
}

function historyOf({ history, events }: FoundRelease): ReleaseAnswer['history'] {
  if (history) return history.rejected === undefined ? 'waiting' : 'refused';
  return isWithdrawn(events) ? 'withdrawn' : 'accepted';
}

function printerOf(events: FoundRelease['events']): string | null {
  const uri = events.findLast(({ facts }) => 'printerUri' in facts)?.facts['printerUri'];
  return typeof uri === 'string' ? uri : null;
}

/** A ledger may tell of a problem that an earlier version had. */
const adviceOf = (problem: string): string =>
  Object.entries(problemKinds).find(([code]) => code === problem)?.[1].advice ?? '';
