/** The claims of one member of a fleet for a test, with books that a test writes and an engine of its own. */
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { Conditions } from '../../../src/domain/condition.ts';
import type {
  ClaimBooks,
  ClaimedAttempt,
  ClaimedRelease,
  CutRecord,
} from '../../../src/domain/ports/claims.ts';
import type { Heir, RecordStanding } from '../../../src/domain/ports/wills.ts';
import type { EndState, LastRelease } from '../../../src/domain/release.ts';
import { outcomeOf } from '../../../src/domain/release.ts';
import type { KeptFleet } from '../../../src/fleet/engine/allegiance.ts';
import { FleetClaims } from '../../../src/fleet/claims.ts';
import type { AloneWord, Solitude } from '../../../src/fleet/solitude.ts';
import { createSolitude } from '../../../src/fleet/solitude.ts';
import { createEmbeddedClaims } from '../../../src/release/claiming.ts';
import type { Recollection } from '../../../src/fleet/recollection.ts';
import { createRecollection } from '../../../src/fleet/recollection.ts';
import { createFleetSealing } from '../../../src/fleet/fleet-sealing.ts';
import { FleetWills } from '../../../src/fleet/wills.ts';
import type { EngineChoices, RunningEngine } from './fleet-engine.ts';
import { fleetKey, runEngine } from './fleet-engine.ts';
import { recordLog } from '../recorded-log.ts';
import { patience, eventually } from '../patience.ts';

export interface FleetMember extends AsyncDisposable {
  readonly id: string;
  readonly running: RunningEngine;
  readonly claims: FleetClaims;
  readonly solitude: Solitude;
  readonly recollection: Recollection;
  readonly wills: FleetWills;
  readonly kept: Kept;
  /** The condition of an engine that has forgotten, as long as it stands. */
  forgetting(): string | undefined;
  /** Documents that a person wanted, and a gone member had in hand. */
  readonly left: readonly string[];
  /** What its ledger has. */
  readonly attempts: Map<string, ClaimedAttempt>;
  /** Its ledger has an intent with this claim. */
  intends(claim: ClaimedRelease & { readonly number: number }): void;
  /** Its ledger has it so; nobody is told of it. */
  records(release: ClaimedRelease, state: ClaimedAttempt['state']): void;
  /** Its history record waits in the outbox. */
  owes(release: ClaimedRelease): void;
  /** Its document is to be deleted in the service. */
  owesDeletion(release: ClaimedRelease): void;
  /** Its ledger has it that it prints what these left out. */
  printsRestOf(release: ClaimedRelease, cuts: readonly CutRecord[]): void;
  /** Its ledger has it that a person asked for it, told that it may have printed elsewhere. */
  repeats(release: ClaimedRelease): void;
  /** It takes over what gone members left of these documents, and its ledger inherits it. */
  looks(...documents: readonly string[]): Promise<readonly ClaimedRelease[]>;
  /** Whose that is, as its courier asks. */
  posting(releaseId: string): Promise<RecordStanding>;
  /** As a release ends: the ledger first, then the claims, and the engine has heard of it. */
  ends(release: ClaimedRelease, state: EndState): Promise<void>;
}

const deskWithoutPrinters: Heir = { isBusyWith: () => false, canAsk: () => false, resume: () => {} };

export interface MemberChoices extends EngineChoices {
  /** Of a member that was there before; unless said, of one that is never alone. */
  readonly kept?: Kept;
  /** The engine is not waited for. */
  readonly isCutOff?: boolean;
}

/** What its state directory keeps. */
export interface Kept {
  readonly attempts: Map<string, ClaimedAttempt>;
  word: AloneWord | undefined;
  /** The last beat that was answered. */
  beat: string | undefined;
  fleet: KeptFleet | undefined;
}

export const keptBy = (word: AloneWord | undefined): Kept => ({
  attempts: new Map(),
  word,
  beat: undefined,
  fleet: undefined,
});

export async function startMember(url: string, choices: MemberChoices = {}): Promise<FleetMember> {
  const { kept = keptBy('over'), isCutOff = false, ...engineChoices } = choices;
  const keptBeat = { read: () => kept.beat, write: (at: string) => void (kept.beat = at) };
  const allegiance = { read: () => kept.fleet, keep: (fleet: KeptFleet) => void (kept.fleet = fleet) };
  const running = runEngine(url, { keptBeat, allegiance, ...engineChoices });
  const { engine, memberId } = running;
  if (!isCutOff) await running.until('up');
  const { attempts } = kept;
  const repeated = new Set<string>();
  const cutBy = new Map<string, readonly CutRecord[]>();
  const books: ClaimBooks = {
    durable: () => Promise.resolve(),
    highest: () => Math.max(0, ...[...attempts.values()].map(({ number }) => number)),
    all: () => [...attempts.values()].filter(({ number }) => number > 0),
    every: () => [...attempts.values()].filter(({ state }) => state !== 'PLANNED'),
    of(releaseId) {
      const known = attempts.get(releaseId);
      const before = [...attempts.values()]
        .filter((one) => one.documentUuid === known?.documentUuid && one.releaseId !== releaseId)
        .findLast(({ state }) => state !== 'NOOUTPUT' && state in outcomeOf)?.state as EndState | undefined;
      const reported = before ?? (repeated.has(releaseId) ? 'UNKNOWN' : undefined);
      const cuts = cutBy.get(releaseId);
      return (
        known && {
          ...known,
          leftHistory: false,
          ...(reported && { before: reported }),
          ...(cuts && { cuts }),
        }
      );
    },
  };
  const { log } = recordLog();
  const { clock = systemClock } = choices;
  const sealing = createFleetSealing({ key: fleetKey, chance: systemChance });
  const tools = {
    member: memberId,
    books,
    clock,
    log,
    proofs: sealing,
    placeOf: (terminal: string) => `the ${terminal}`,
  };
  const record = { read: () => kept.word, write: (word: AloneWord) => void (kept.word = word) };
  const solitude = createSolitude({ record, ...tools });
  engine.onState((state) => {
    if (state.is === 'away' && state.problem.code === 'fleet-differs') solitude.end();
  });
  const left: string[] = [];
  const inherited: ClaimedRelease[] = [];
  const lastRelease = (uuid: string, { but }: { readonly but?: string } = {}): LastRelease | undefined =>
    [...attempts.values()].findLast(
      ({ documentUuid, releaseId }) => documentUuid === uuid && releaseId !== but,
    );
  let forgetting: string | undefined;
  const conditions: Conditions = {
    raise: ({ detail }) => (forgetting = detail),
    clear: () => (forgetting = undefined),
  };
  const recollection = createRecollection({ conditions, ...tools });
  const claims = new FleetClaims({
    engine,
    sealing,
    solitude,
    alone: createEmbeddedClaims({ ledger: { lastRelease } }),
    recollection,
    onLeft: (documents) => left.push(...documents),
    ...tools,
  });
  const take = claims.take.bind(claims);
  // Of what is not in its ledger a member says that nobody knows more.
  claims.take = (wish, given) => {
    if (!attempts.has(wish.releaseId)) records(wish, 'PLANNED');
    return take(wish, given);
  };
  const wills = new FleetWills({
    engine,
    sealing,
    solitude,
    unknownHold: () => seconds(0),
    chance: systemChance,
    ...tools,
    ledger: { inherit: ({ claim }) => inherited.push(claim), open: () => [], durable: async () => {} },
  });
  const stop = new AbortController();
  const service = claims.service.run(stop.signal);

  function records({ version = 1, ...release }: ClaimedRelease, state: ClaimedAttempt['state']): void {
    const before = attempts.get(release.releaseId);
    const startedAt = new Date().toISOString();
    attempts.set(release.releaseId, {
      number: 0,
      version,
      terminal: 'lobby',
      startedAt,
      owesHistory: false,
      deletionOwed: false,
      ...before,
      ...release,
      state,
    });
  }

  return {
    forgetting: () => forgetting,
    id: memberId,
    running,
    claims,
    attempts,
    left,
    records,
    kept,
    recollection,
    solitude,
    wills,
    owes(release) {
      records(release, 'SENT');
      const known = attempts.get(release.releaseId);
      if (known) attempts.set(release.releaseId, { ...known, owesHistory: true });
    },
    owesDeletion(release) {
      records(release, 'SENT');
      const known = attempts.get(release.releaseId);
      if (known) attempts.set(release.releaseId, { ...known, deletionOwed: true });
    },
    printsRestOf(release, cuts) {
      records(release, 'PLANNED');
      cutBy.set(release.releaseId, cuts);
    },
    repeats: ({ releaseId }) => void repeated.add(releaseId),
    async looks(...documents) {
      wills.asked(documents);
      await wills.look(deskWithoutPrinters, new AbortController().signal);
      return inherited.splice(0);
    },
    posting: (releaseId) => wills.posting(releaseId, { signal: new AbortController().signal }),
    intends: (claim) => records(claim, 'INTENT'),
    async ends(release, state) {
      records(release, state);
      claims.ended(release, state);
      await eventually(async () => {
        const statement = {
          name: 'is open',
          text: "SELECT 1 FROM platen.claim WHERE release_id = $1 AND state IN ('claimed', 'sending')",
        };
        const open = await engine.ask(statement, [release.releaseId], { within: patience() });
        if (open.length > 0) throw new Error('the engine has not heard of the end yet');
      });
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await service;
      await running[Symbol.asyncDispose]();
    },
  };
}
