/**
 * Strikes a fleet again and again on one stage: each run is a document, a badge at one gateway, a fault, and a badge at
 * another one while it lasts. In the end everything lives, and is judged by the records of printers and cloud, and by the
 * engine's rows for what nobody would ever end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isEdge, pagesAt } from './fleet-edges.ts';
import type { Fault, FaultKind } from './fleet-faults.ts';
import { isApart, prepareFault } from './fleet-faults.ts';
import { FleetPlay } from './fleet-play.ts';
import type { Verdict } from './kill-oracle.ts';
import { judge, titleOf, violationsOf } from './kill-oracle.ts';
import { until } from './kill-runs.ts';
import { eventually } from '../support/patience.ts';
import type { Protocol } from './kill-stage.ts';
import { addDocument } from './kill-stage.ts';
import type { Place, ThreeGateways } from './three-gateways.ts';
import { setThreeApart, setThreeAtTheEdges, setThreeGateways } from './three-gateways.ts';

export interface FleetRun {
  readonly fault: Fault;
  /** When it comes: so much of the span from there to the end of a release; a fault at a call has its own moment. */
  readonly since: 'badge' | 'start';
  readonly share: number;
  /** The document has at least so many. */
  readonly bytes: number;
}

export interface StruckRun {
  readonly document: string;
  readonly kind: FaultKind;
  /** A release was in progress at the struck gateway. */
  readonly hit: boolean;
}

export interface FleetReport {
  readonly protocol: Protocol;
  readonly runs: readonly StruckRun[];
  readonly verdict: Verdict;
  readonly violations: readonly string[];
  /** What was cut where a line was. */
  readonly cuts: string;
  /** Milliseconds, with its stage. */
  readonly took: number;
}

export async function strikeOften(protocol: Protocol, runs: readonly FleetRun[]): Promise<FleetReport> {
  const since = performance.now();
  const faults = runs.map(({ fault }) => fault);
  await using stage = await stageFor(faults)(protocol);
  await using play = new FleetPlay(stage);
  for (const place of stage.places) play.startAt(place);
  await allReady(play);
  const spans = await releaseSpans(play);
  const struck: StruckRun[] = [];
  for (const [index, run] of runs.entries()) struck.push(await strike(play, { index, run, spans }));
  await settle(play);
  const verdict = judge(stage);
  return {
    protocol,
    runs: struck,
    verdict,
    violations: [...violationsOf(verdict), ...(await neverEnded(play)), ...(await neverPosted(play))],
    cuts: stage.cuts,
    took: performance.now() - since,
  };
}

function stageFor(faults: readonly Fault[]) {
  if (faults.some(isApart)) return setThreeApart;
  return faults.some(isEdge) ? setThreeAtTheEdges : setThreeGateways;
}

async function strike(
  play: FleetPlay,
  { index, run, spans }: { readonly index: number; readonly run: FleetRun; readonly spans: Spans },
): Promise<StruckRun> {
  const { places } = play.stage;
  // Who was struck in the run before may still be coming back.
  const [place, other] = [placeOf(places, index), placeOf(places, index + 1)];
  const document = `Run ${index}.pdf`;
  const { fault, since, share, bytes } = run;
  await Promise.all([play.isReadyAt(place), play.isReadyAt(other)]);
  addDocument(play.stage, document, bytes, pagesFor(fault));
  using prepared = await prepareFault(play, place, fault);
  play.badgeAt(place);
  if (!('at' in fault)) {
    if (since === 'start') await play.begins(place);
    // The moment is the point: a time is all that it depends on, and the fault meets whatever goes on then.
    await sleep(share * spans[since] * (1 + bytes / 4_000_000));
  }
  const hit = play.isReleasing(place);
  const heal = await prepared.strike();
  if (heal === false) return { document, kind: fault.kind, hit: false };
  play.badgeAt(other);
  await heal();
  return { document, kind: fault.kind, hit: hit || 'at' in fault };
}

/** It is still in progress when another engine has taken over, or an order has come. */
const pagesFor = (fault: Fault): number => {
  if (fault.kind === 'promotion' || fault.kind === 'restore') return 40;
  return isEdge(fault) ? pagesAt[fault.kind] : 1;
};

function placeOf(places: readonly Place[], index: number): Place {
  const place = places[index % places.length];
  if (place === undefined) throw new RangeError('a stage without places');
  return place;
}

/** Milliseconds to the end of a release; its record follows some seconds later, and would leave most faults nothing to strike. */
type Spans = Readonly<Record<FleetRun['since'], number>>;

/** Of this computer as busy as it is; a first release takes longer. */
async function releaseSpans(play: FleetPlay): Promise<Spans> {
  const place = placeOf(play.stage.places, 0);
  let spans: Spans = { badge: 0, start: 0 };
  for (const time of [1, 2]) {
    addDocument(play.stage, `Measured ${time}.pdf`, 0);
    await play.isReadyAt(place);
    const badge = await play.beginsByBadgeAt(place);
    const start = performance.now();
    const isOver = () => play.agentAt(place).times('release ended') >= time;
    await until('a measured release is told', isOver);
    const end = performance.now();
    spans = { badge: end - badge, start: end - start };
  }
  return spans;
}

const allReady = (play: FleetPlay) => Promise.all(play.stage.places.map((place) => play.isReadyAt(place)));

/** Everything is healed and everybody lives; all that may come out does, and all that is owed is posted. */
async function settle(play: FleetPlay): Promise<void> {
  const { cloud, places } = play.stage;
  await allReady(play);
  for (const _badge of [1, 2]) {
    for (const place of places) play.badgeAt(place);
    await allReady(play);
  }
  const isReported = (title: string) => cloud.state.history.some((row) => row.title === title);
  const unreported = () => play.stage.outputs().filter(({ jobName }) => !isReported(titleOf(jobName)));
  // What is still missing after that is for the oracle to tell.
  await until('the history is posted', () => unreported().length === 0).catch(() => undefined);
}

/** The claims that are open although nothing is in hand any more: their documents could be printed nowhere. */
const neverEnded = ({ stage }: FleetPlay): Promise<readonly string[]> =>
  stillThere(
    stage,
    `SELECT 'the claim of ' || document || ' at ' || place || ' is ' || state || ' for ever (F5)' AS sentence
     FROM platen.claim WHERE state IN ('claimed', 'sending')`,
  );

/** The history records that nobody would ever post, or tell of; every member looks as soon as it is back at the engine. */
async function neverPosted({ stage }: FleetPlay): Promise<readonly string[]> {
  await stage.looksAgain();
  return await stillThere(
    stage,
    `SELECT 'the record of ' || document || ' at ' || place || ' is ' || history || ' for ever (F8)' AS sentence
     FROM platen.any_claim WHERE history IN ('owed', 'posting')`,
  );
}

async function stillThere({ sql }: ThreeGateways, statement: string): Promise<readonly string[]> {
  let left: readonly Record<string, unknown>[] = [];
  const looked = eventually(
    async () => {
      left = await sql(statement);
      if (left.length > 0) throw new Error('there is still something');
    },
    { interval: 200 },
  );
  await looked.catch(() => undefined);
  return left.map(({ sentence }) => String(sentence));
}
