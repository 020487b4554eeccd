/**
 * The data of the administrators' page (F17): `/fleet`, all gateways that can be seen from here; `/codes/CODE`, a
 * release or an outage; and `/releases/CODE`, one release of this gateway. No answer holds a person's data.
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
  /** Of a release or an outage, as it is on a screen; `undefined`: it is not known. */
  find(code: string): Promise<CodeAnswer | undefined>;
}

interface Seen {
  readonly gateways: Gateways;
  /** Only this gateway, which can be seen even if the others cannot. */
  readonly alone: Gateways;
  readonly releases: Overview['releases'];
  readonly deeds: Deeds;
  outage(reference: string): ToldOutage | undefined;
  readonly clock: Pick<Clock, 'deadline'>;
}

/** Longer than the fleet's own limits; a user does not wait longer for an engine that hangs. */
const patience = seconds(8);

export function createOverview({ gateways, alone, releases, deeds, outage, clock }: Seen): Overview {
  /** Pages that ask at the same time share one look. */
  let looking: ReturnType<Overview['fleet']> | undefined;
  const look = async (): ReturnType<Overview['fleet']> => {
    const limit = clock.deadline(patience);
    try {
      return { gateways: (await gateways.seen(limit)).map(withTroubles), problem: null };
    } catch (error) {
      if (!isProblem(error) && !limit.aborted) throw error;
      const { code, message: detail, advice } = asProblem(error, 'fleet-engine-away', 'no answer in time');
      const self = await alone.seen(clock.deadline(patience));
      return { gateways: self.map(withTroubles), problem: { code, detail, advice } };
    }
  };
  const fleet = () => (looking ??= look().finally(() => (looking = undefined)));

  async function find(code: string): Promise<CodeAnswer | undefined> {
    const release = releaseCode.test(code) ? releases.find(code) : undefined;
    if (release) return { is: 'release', release: releaseAnswer(release) };
    const reference = referenceIn(code);
    const own = reference === undefined ? undefined : outage(reference);
    if (own) return { is: 'outage', outage: own };
    return reference === undefined ? releasedElsewhere(code) : outageElsewhere(reference);
  }

  async function releasedElsewhere(code: string): Promise<CodeAnswer | undefined> {
    if (!releaseCode.test(code)) return undefined;
    // While the engine is away, other members are not known.
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

export const withTroubles = (seen: SeenGateway): ToldGateway => ({ ...seen, troubles: troublesOf(seen) });

/** With brackets, dashes and blanks. */
const longestCode = 100;

/** The eight digits of a screen, or up to the whole id: a shorter code could be guessed. */
const releaseCode = /^[0-9a-f]{8,32}$/;

/** `mayTell`: a caller that gets here has shown a token or a certificate. */
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
    return found ? releaseAnswer(found) : reply.code(404).send();
  });
}

/** Sends an answer as gzip if the caller accepts that: a thousand gateways are half a megabyte of similar text. */
const packed = promisify(gzip);
/** For a smaller answer it is not worth it. */
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

/** A release of the ledger for administrators: when, where and how it went, without the person and the document. */
function releaseAnswer(found: FoundRelease): ReleaseAnswer {
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

/** The ledger may hold a problem of an earlier version. */
const adviceOf = (problem: string): string =>
  Object.entries(problemKinds).find(([code]) => code === problem)?.[1].advice ?? '';
