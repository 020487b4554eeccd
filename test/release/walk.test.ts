/** The release machine, walked by a machine: every state and every transition of it, and no way back to a second send. */
import type { ActorLogic, AnyEventObject, AnyStateNode, AnyTransitionDefinition, SnapshotFrom } from 'xstate';
import type { AdjacencyMap, AdjacencyValue } from 'xstate/graph';
import { getAdjacencyMap, getStateNodes } from 'xstate/graph';
import { describe, expect, it } from 'vitest';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import type { Conversion, SpooledDocument } from '../../src/domain/ports/printing.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';
import type { JobReport, OpenState } from '../../src/domain/release.ts';
import { outcomeOf } from '../../src/domain/release.ts';
import type { ReleaseContext, ReleaseInput, ReleaseWish, ReleaseDeps } from '../../src/release/context.ts';
import { endStateOf } from '../../src/release/context.ts';
import { releaseMachine } from '../../src/release/machine.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { completed, fault, job, lost, ticketFor } from './release-bench.ts';

type Snapshot = SnapshotFrom<typeof releaseMachine>;
type Event = Parameters<typeof releaseMachine.transition>[1];
type Scope = Parameters<typeof releaseMachine.transition>[2];

const clock = createSteeredClock();
const now = clock.monotonic();
const document = { [Symbol.dispose]: () => {} } as Partial<SpooledDocument> as SpooledDocument;
const plan = { jobName: job.jobName, format: 'application/pdf' };
const conversion = { format: 'image/pwg-raster' } as Partial<Conversion> as Conversion;
const aborted: JobReport = { state: 'aborted', reasons: [], impressionsCompleted: 1 };
const forgotten: JobReport = { state: 'processing', reasons: [], letGo: 'forgotten' };

/** What each step may have learned; one that is not named learned nothing. */
const learned: Readonly<Record<string, readonly Partial<ReleaseContext>[]>> = {
  checkBalance: [
    { cleared: { at: now, isCharged: false } },
    { cleared: { at: now, isCharged: true } },
    { cleared: { at: now - 60_000, isCharged: false } },
  ],
  download: [{ document }],
  prepare: [{ plan }, { plan: { ...plan, conversion } }, { plan: { ...plan, inOneStep: true } }],
  convert: [{ document }],
  claim: [{ claim: { documentUuid: 'one', releaseId: '1', number: 7, version: 1 } }],
  askForClaim: [{}, { isLeftToSuccessor: true }],
  createJob: [{ job }],
  send: [{ sent: 'all' }],
  print: [{ sent: 'all', job }],
  sendBytes: [undefined, completed, aborted, forgotten].map((report) => ({ sent: 'all', report })),
  recordIntent: [{ intendedAt: now }],
  recordServiceIntent: [{ deliveredBy: 'service' }],
  recordRefusal: [{ deliveredBy: 'printer' }],
  lookAtDelivery: [undefined, 'UNKNOWN', 'HANDED-OVER', 'CONFIRMED'].map(
    (verdict) => ({ verdict }) as Partial<ReleaseContext>,
  ),
  follow: [completed, aborted, forgotten].map((report) => ({ report })),
  cancel: [{ report: undefined }, { report: aborted }],
  find: [{ job: undefined }, { job }],
};

const faults: readonly Error[] = [
  fault('cloud-busy'),
  fault('document-cut'),
  fault('document-not-waiting'),
  fault('printer-not-ready', { delivery: 'not-sent' }),
  fault('printer-refused-job'),
  fault('printer-stalled', lost),
  fault('outcome-unknown', lost),
  new Error('a slip of our own'),
];

/** What may be said meanwhile; who asks whether a job stands asks while there is one. */
const words: readonly AnyEventObject[] = [
  { type: 'STOP', because: fault('release-abandoned') },
  { type: 'WAIT', wait: 'busy' },
  { type: 'LEFT_OUT' },
  { type: 'PAGES', impressions: 1 },
];
const wordsOfJobs: readonly AnyEventObject[] = [
  { type: 'CAME_ON' },
  { type: 'STANDING' },
  { type: 'OWNER_LEFT' },
];

const jobStates = ['sending', 'sendingBytes', 'following'];

/** The outermost one. */
const stateOf = ({ value }: Snapshot): string =>
  typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');

function eventsAt(snapshot: Snapshot): readonly AnyEventObject[] {
  const { context } = snapshot;
  const ends = { recordEnd: [{ outcome: outcomeOf[endStateOf(context)] }] };
  const nodes: readonly AnyStateNode[] = snapshot._nodes;
  const come = nodes.flatMap(({ invoke, ownEvents }) => [
    ...invoke.flatMap(({ id, src }) => [
      ...({ ...learned, ...ends }[typeof src === 'string' ? src : ''] ?? [{}]).map((output) => ({
        type: `xstate.done.actor.${id}`,
        output,
      })),
      ...faults.map((error) => ({ type: `xstate.error.actor.${id}`, error })),
    ]),
    ...ownEvents.filter((type) => type.startsWith('xstate.after.')).map((type) => ({ type })),
  ]);
  return [...come, ...words, ...(jobStates.includes(stateOf(snapshot)) ? wordsOfJobs : [])];
}

/** Two snapshots are one where nothing that is decided by differs. */
function known({ value, context }: Snapshot): string {
  const { triesLeft, restartsLeft, document: here, cleared, plan: planned, problem } = context;
  const { deliveredBy, requestsLeft, sent, report, verdict, outcome, hasStood } = context;
  const { isOwnerGone, standingSince, wasLeftStanding, claim } = context;
  return JSON.stringify([
    value,
    here ? 'here' : [triesLeft, restartsLeft],
    outcome ?? [deliveredBy, requestsLeft, sent, report, verdict, hasStood, context.job !== undefined],
    cleared,
    [planned?.conversion !== undefined, planned?.inOneStep, problem?.code === 'outcome-unknown'],
    [isOwnerGone, standingSince, wasLeftStanding],
    claim !== undefined,
  ]);
}

const taken = new Set<AnyTransitionDefinition>();

/** Writes down every transition that is taken meanwhile. */
function watching<Result>({ system }: Scope, move: () => Result): Result {
  const watch = system.inspect((inspected) => {
    if (inspected.type !== '@xstate.microstep') return;
    for (const transition of inspected._transitions) taken.add(transition);
  });
  const result = move();
  watch.unsubscribe();
  return result;
}

const watched: ActorLogic<Snapshot, Event, ReleaseInput> = Object.create(releaseMachine, {
  getInitialSnapshot: {
    value: (scope: Scope, input: ReleaseInput) =>
      watching(scope, () => releaseMachine.getInitialSnapshot(scope, input)),
  },
  transition: {
    value: (snapshot: Snapshot, event: Event, scope: Scope) =>
      watching(scope, () => releaseMachine.transition(snapshot, event, scope)),
  },
});

type Place = AdjacencyValue<Snapshot, Event>;

interface Way {
  readonly from: string;
  readonly event: AnyEventObject;
  readonly to: string;
}

interface Walk {
  readonly start: string;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly ways: readonly Way[];
}

function walk(wish: ReleaseWish, world: Partial<ReleaseDeps> = {}, kind: 'jobs' | 'bytes' = 'jobs'): Walk {
  const printer = { kind, uri: 'ipp://printer/ipp/print' } as ReturnType<ReleaseDeps['printer']>;
  const usual = { delivery: 'local', finish: 'delete', requireConfirmation: false } as const;
  const input: ReleaseInput = {
    wish,
    terminal: 'lobby',
    world: { printer: () => printer, clock, ...usual, ...world } as Partial<ReleaseDeps> as ReleaseDeps,
    log: recordLog().log,
    turn: { come: async () => {}, [Symbol.dispose]: () => {} },
    refusal: () => undefined,
    lastOutputAt: () => now,
  };
  const map: AdjacencyMap<Snapshot, Event> = getAdjacencyMap(watched, {
    input,
    events: eventsAt as (snapshot: Snapshot) => readonly Event[],
    serializeState: known,
    serializeEvent: ({ type, ...rest }) => `${type} ${JSON.stringify(rest)} ${nameOf(rest)}`,
    limit: 200_000,
  });
  const places: readonly (readonly [string, Place])[] = Object.entries(map);
  return {
    start: places[0]?.[0] ?? '',
    snapshots: new Map(places.map(([place, { state }]) => [place, state])),
    ways: places.flatMap(([from, { transitions }]) =>
      Object.values(transitions).map(({ event, state }) => ({ from, event, to: known(state) })),
    ),
  };
}

const nameOf = (rest: object): string => ('error' in rest ? String(rest.error) : '');

const ofNew = (...world: readonly [Partial<ReleaseDeps>?, ('jobs' | 'bytes')?]): Walk =>
  walk({ kind: 'new', ticket: ticketFor('one') }, ...world);

const newWalks: readonly Walk[] = [
  ofNew(),
  ofNew({ finish: 'keep' }),
  ofNew({}, 'bytes'),
  ofNew({ requireConfirmation: true }, 'bytes'),
  ofNew({ delivery: 'cloud' }),
  ofNew({ delivery: 'cloud-then-local', requireConfirmation: true }),
];

const openStates: readonly OpenState[] = [
  'PLANNED',
  'SERVICE-INTENT',
  'SERVICE-REFUSED',
  'FETCHED',
  'INTENT',
  'JOB',
  'SENT',
];

const claim = { documentUuid: 'one', releaseId: '1', number: 7, version: 1 };
const attempt: OpenAttempt = {
  releaseId: '1',
  terminal: 'lobby',
  documentUuid: 'one',
  jobName: job.jobName,
  job,
  state: 'INTENT',
  printerUri: 'ipp://printer/ipp/print',
};

const resumedWalks: readonly Walk[] = openStates.flatMap((state) =>
  ([{}, { inOneStep: true }, { printerUri: 'ipp://another/' }, { claim }] as const).flatMap((found) =>
    (['jobs', 'bytes'] as const).flatMap((kind) =>
      [true, false].map((isAskedAbout) =>
        walk({ kind: 'resumed', attempt: { ...attempt, state, ...found }, isAskedAbout }, {}, kind),
      ),
    ),
  ),
);

const allWalks: readonly Walk[] = [...newWalks, ...resumedWalks];

const nodes: readonly AnyStateNode[] = getStateNodes(releaseMachine.root);

const stateAt = ({ snapshots }: Walk, place: string): string => {
  const snapshot = snapshots.get(place);
  return snapshot ? stateOf(snapshot) : '';
};

/** A document goes out, by us or by the service. */
const isSend = (state: string): boolean =>
  ['sending', 'sendingAtOnce', 'sendingBytes', 'delivering'].includes(state);

/** All places from which there is a way to one of these, and these. */
function behind({ ways }: Walk, ends: readonly string[]): ReadonlySet<string> {
  const waysTo = Map.groupBy(ways, ({ to }) => to);
  const places = new Set(ends);
  for (const place of places) for (const { from } of waysTo.get(place) ?? []) places.add(from);
  return places;
}

const placesAt = (one: Walk, isMeant: (state: string) => boolean): readonly string[] =>
  [...one.snapshots.keys()].filter((place) => isMeant(stateAt(one, place)));

describe('the walk of a release', () => {
  it('comes to every state, and passes through those in which nothing waits', () => {
    const passing = ['release.deciding', 'release.handedOver', 'release.leavingIt', 'release.resuming'];
    const reached = new Set(
      allWalks.flatMap(({ snapshots }) =>
        [...snapshots.values()].flatMap(({ _nodes }) => _nodes.map(({ id }) => id)),
      ),
    );
    const missed = nodes.map(({ id }) => id).filter((id) => !reached.has(id));
    expect(missed.toSorted()).toEqual(passing);
  });

  it('takes every transition', () => {
    const all = nodes.flatMap(({ transitions, always = [] }) => [...transitions.values(), always].flat());
    const missed = all.filter((transition) => !taken.has(transition));
    expect(all.length).toBeGreaterThan(100);
    expect(missed.map(({ source, eventType, target }) => [source.id, eventType, target?.[0]?.id])).toEqual(
      [],
    );
  });

  it('has an end wherever it is', () => {
    for (const one of allWalks) {
      const ended = placesAt(one, (state) => state === 'done' || state === 'leftOpen');
      expect(behind(one, ended).size).toBe(one.snapshots.size);
    }
  });
});

describe('a document goes out once (I1)', () => {
  it('after it began to go out, or may have, no way leads to a second send, whatever comes', () => {
    for (const one of newWalks) {
      const mayStillSend = behind(one, placesAt(one, isSend));
      const left = one.ways.filter(
        ({ from, to }) => isSend(stateAt(one, from)) && stateAt(one, from) !== stateAt(one, to),
      );
      expect(left.length).toBeGreaterThan(0);
      const again = left.filter(({ event, to }) => mayStillSend.has(to) && !isRefusalOfTheService(event));
      expect(again).toEqual([]);
    }
  });

  it('while it goes out nothing but words leaves it there: no send is begun anew', () => {
    for (const one of newWalks) {
      const stays = one.ways.filter(
        ({ from, to }) => isSend(stateAt(one, from)) && stateAt(one, from) === stateAt(one, to),
      );
      expect(stays.filter(({ event }) => event.type.startsWith('xstate.'))).toEqual([]);
    }
  });

  it('and not before its intent is durable', () => {
    for (const one of newWalks) {
      const isIntent = (state: string) => state.startsWith('intending');
      const ways = one.ways.filter(({ from }) => !isIntent(stateAt(one, from)));
      const withoutIntent = behind({ ...one, ways }, placesAt(one, isSend));
      expect(withoutIntent.has(one.start)).toBe(false);
    }
  });

  it('and not before it is claimed, nor unless its claim still holds right before (F5, F6)', () => {
    for (const one of newWalks) {
      for (const step of ['claiming', 'announcing']) {
        const ways = one.ways.filter(({ from }) => stateAt(one, from) !== step);
        const without = behind({ ...one, ways }, placesAt(one, isSend));
        expect(without.has(one.start)).toBe(false);
      }
    }
  });

  it('and never of what a restart found open', () => {
    for (const one of resumedWalks)
      expect(placesAt(one, (state) => isSend(state) || state === 'creatingJob')).toEqual([]);
  });
});

it('what has its intent is not given up by a stop', () => {
  for (const one of newWalks) {
    const intended = one.ways.filter(({ from }) => one.snapshots.get(from)?.context.intendedAt !== undefined);
    const stopped = intended.filter(({ event }) => event.type === 'STOP');
    expect(stopped.filter(({ from, to }) => from !== to)).toEqual([]);
  }
});

it('what is cancelled has a job that is known to be ours', () => {
  for (const one of allWalks) {
    const places = placesAt(one, (state) => state === 'cancelling');
    expect(places.filter((place) => one.snapshots.get(place)?.context.job === undefined)).toEqual([]);
  }
});

/** Only what it is known not to have taken on is asked of it again, or printed here. */
const isRefusalOfTheService = ({ type, error }: AnyEventObject): boolean =>
  type.endsWith('.release.delivering') && isProblem(error) && error.delivery !== 'perhaps';
