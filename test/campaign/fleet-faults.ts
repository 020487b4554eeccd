/** What befalls a fleet while a document is let out at one of its gateways, and how it is healed (F1, F5 to F9, F12). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Way } from '../support/cut-line.ts';
import type { Copy } from '../support/fleet/postgres.ts';
import { settled, unsettled } from '../support/fleet/postgres.ts';
import { beat, untilAsked } from './fleet-beats.ts';
import type { EdgeFault, EdgeKind } from './fleet-edges.ts';
import { edgeKinds, isEdge, prepareEdge } from './fleet-edges.ts';
import type { FleetPlay } from './fleet-play.ts';
import { until } from './kill-runs.ts';
import type { FatalCall } from '../support/agent/mortal-agent.ts';
import { signallingBefore } from '../support/agent/mortal-agent.ts';
import type { Place } from './three-gateways.ts';

/** `cut`: as a line that is pulled; a way: it is silent that way, and what was said arrives when it is mended. */
export type Cut = 'cut' | Way;

export type Fault =
  | { readonly kind: 'kill'; readonly at?: FatalCall }
  | { readonly kind: 'pause'; readonly at?: FatalCall; readonly span: number }
  /** From the engine, of the struck gateway or of all. */
  | { readonly kind: 'cut'; readonly how: Cut; readonly whom: 'one' | 'all'; readonly span: number }
  | { readonly kind: 'engine-kill'; readonly span: number }
  /** Of a standby that has what the engine had before the document was claimed. */
  | { readonly kind: 'promotion' }
  /** Of a backup of before the document was claimed. `isLate`: the struck gateway finds the engine after the others. */
  | { readonly kind: 'restore'; readonly isLate: boolean }
  /** A kill, and the gateway comes back when others have settled all that it left (F6 to F8). */
  | { readonly kind: 'vanish' }
  /** Its only cable; or its power goes, and nobody hears of its end. */
  | { readonly kind: ApartKind; readonly span: number }
  | EdgeFault;

/** Of gateways that have a network of their own each. */
export const apartKinds = ['unplugged', 'power'] as const;
type ApartKind = (typeof apartKinds)[number];
export const isApart = ({ kind }: Fault): boolean => apartKinds.some((one) => one === kind);

export type UsualKind = Exclude<Fault['kind'], EdgeKind | ApartKind>;
export type FaultKind = Fault['kind'];
export const usualKinds = ['kill', 'pause', 'cut', 'engine-kill', 'promotion', 'restore', 'vanish'] as const;
export const faultKinds: readonly FaultKind[] = [...usualKinds, ...edgeKinds, ...apartKinds];

/** Heals it. */
export type Healing = () => Promise<void>;

/** Before the badge. */
export interface Prepared extends Disposable {
  /** At its moment, or by the call that has come already: `false`, when that did not come. */
  strike(): Promise<Healing | false>;
}

/** Milliseconds by which a gateway finds a restored engine after the others. */
const restLate = 3000;

/** How long a fault lasts is a part of it: it is a time, on the clocks of gateways and engine. */
export async function prepareFault(play: FleetPlay, place: Place, fault: Fault): Promise<Prepared> {
  const { stage } = play;
  if (isEdge(fault)) return prepareEdge(play, place, fault);
  const nothing = { [Symbol.dispose]: () => {} };
  const at = 'at' in fault ? fault.at : undefined;
  if (at !== undefined && (fault.kind === 'kill' || fault.kind === 'pause')) {
    const agent = play.agentAt(place);
    const tracing = await agent.trace(signallingBefore(at, fault.kind === 'kill' ? 'KILL' : 'STOP'));
    return {
      [Symbol.dispose]: () => tracing[Symbol.dispose](),
      async strike() {
        const hasCome = () => agent.hasEnded() || agent.isStopped();
        await until('the call comes or alice leaves', () => hasCome() || play.hasLeft(place));
        if (!hasCome()) return false;
        return fault.kind === 'kill' ? kill(play, place) : () => wake(play, place, fault.span);
      },
    };
  }
  const copy = await copyFor(play, fault);
  return {
    ...nothing,
    async strike() {
      switch (fault.kind) {
        case 'kill':
          return kill(play, place);
        case 'vanish':
          return vanish(play, place);
        case 'unplugged':
          return unplug(play, place, fault.span);
        case 'power':
          return cutPower(play, place, fault.span);
        case 'pause':
          play.agentAt(place).signal('SIGSTOP');
          return () => wake(play, place, fault.span);
        case 'cut':
          return cut(fault.whom === 'one' ? [place] : stage.places, fault);
        case 'engine-kill':
          await stage.postgres.kill();
          return async () => {
            await sleep(fault.span);
            await stage.postgres.start();
          };
        default:
          return replaceEngine(play, place, { fault, copy });
      }
    },
  };
}

async function copyFor({ stage }: FleetPlay, { kind }: Fault): Promise<Copy | undefined> {
  if (kind !== 'promotion' && kind !== 'restore') return undefined;
  const copy = await stage.postgres.copy();
  // Of a backup that is younger than that nobody can notice what it has lost.
  await beat(stage);
  return copy;
}

async function kill(play: FleetPlay, place: Place): Promise<Healing> {
  await play.agentAt(place).kill();
  // A refresh that was under way may be repeated once (INVARIANTS.md B.2, step 6).
  play.stage.cloud.forgiveReuse();
  // Each kill is to hit a release: a document of two crashes would be set aside (E, Restart; `kill.test.ts`).
  rmSync(join(place.stateDir, 'suspects.json'), { force: true });
  return async () => play.startAt(place);
}

/** Alice has badged elsewhere at once, and was told that it is being printed; she comes again when the engine calls it gone. */
async function vanish(play: FleetPlay, place: Place): Promise<Healing> {
  const heal = await kill(play, place);
  const { sql, places, looksAgain } = play.stage;
  const id = `(SELECT id FROM platen.member WHERE name = '${place.member}')`;
  const left = () =>
    sql(`SELECT document FROM platen.any_claim
      WHERE member = ${id} AND (state IN ('claimed', 'sending') OR history IN ('owed', 'posting'))`);
  const isGone = `SELECT 1 FROM platen.member WHERE id = ${id} AND until < clock_timestamp() - interval '10 s'`;
  return async () => {
    await sql(settled);
    await untilAsked('a gateway is gone', async () => (await sql(isGone)).length > 0);
    const heir = places.find((other) => other !== place);
    if (heir === undefined) throw new RangeError('a fleet of one');
    await play.isReadyAt(heir);
    play.badgeAt(heir);
    await untilAsked('what a gateway had in hand is taken over', async () => {
      const open = await sql(
        `SELECT FROM platen.claim WHERE member = ${id} AND state IN ('claimed', 'sending')`,
      );
      return open.length === 0;
    });
    // What had ended and is owed nobody asks for: it is posted after ten minutes.
    await sql(`UPDATE platen.member SET until = until - interval '10 minutes' WHERE id = ${id}`);
    if ((await left()).length > 0) await looksAgain();
    await untilAsked('what a gateway left is settled', async () => (await left()).length === 0);
    await sql(unsettled);
    await heal();
  };
}

async function wake(play: FleetPlay, place: Place, span: number): Promise<void> {
  await sleep(span);
  play.agentAt(place).signal('SIGCONT');
  play.stage.cloud.forgiveReuse();
}

function cut(places: readonly Place[], { how, span }: Extract<Fault, { kind: 'cut' }>): Healing {
  for (const { line } of places) {
    if (how === 'cut') line.cut();
    else line.silence(how);
  }
  return async () => {
    await sleep(span);
    for (const { line } of places) line.mend();
  };
}

/** While it is out, who badges there is served by nobody, and told so. */
function unplug(play: FleetPlay, place: Place, span: number): Healing {
  place.line.cut();
  return async () => {
    await play.isAnsweredAt(place);
    await sleep(span);
    place.line.mend();
  };
}

async function cutPower(play: FleetPlay, place: Place, span: number): Promise<Healing> {
  place.line.cut();
  const heal = await kill(play, place);
  return async () => {
    await sleep(span);
    place.line.mend();
    await heal();
  };
}

/** It is another one at once: whoever badges next finds it. */
async function replaceEngine(
  { stage }: FleetPlay,
  { line }: Place,
  { fault, copy }: { readonly fault: Fault; readonly copy: Copy | undefined },
): Promise<Healing> {
  if (copy === undefined) throw new Error('nothing was copied');
  const isLate = fault.kind === 'restore' && fault.isLate;
  if (isLate) line.cut();
  await stage.postgres.kill();
  await stage.postgres.startFrom(copy, fault.kind === 'promotion' ? 'promoted' : 'restored');
  return async () => {
    if (isLate) await sleep(restLate);
    line.mend();
  };
}
