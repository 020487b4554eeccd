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
import type { HistoryRecord } from '../../src/domain/history.ts';
import type { Claim } from '../../src/domain/ports/claims.ts';
import type { Learned, Known, ReleaseInput, ReleaseWish, ReleaseDeps } from '../../src/release/context.ts';
import { endStateOf, knownIn } from '../../src/release/context.ts';
import { faultDuring, isJobNext } from '../../src/release/faults.ts';
import { releaseMachine } from '../../src/release/machine.ts';
import { leftToSuccessor } from '../../src/release/recovery.ts';
import { handedOver } from '../../src/release/sending.ts';
import { Telling } from '../../src/release/telling.ts';
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
const history = {} as HistoryRecord;
const claimed: Claim = { documentUuid: 'one', releaseId: '1', number: 7, version: 1 };

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
const words: readonly AnyEventObject[] = [{ type: 'STOP', because: fault('release-abandoned') }];
const wordsOfJobs: readonly AnyEventObject[] = [
  { type: 'CAME_ON' },
  { type: 'STANDING' },
  { type: 'OWNER_LEFT' },
];

const jobStates = ['sending', 'following'];

/** The outermost one. */
const stateOf = ({ value }: Snapshot): string => value;

type During = Parameters<typeof faultDuring>[0];

/** Every fault, after so much was learned. */
const faultsAfter = (during: During, context: Known, ...learned: readonly Learned[]) =>
  learned.flatMap((before) =>
    faults.map((error) => ({ ...before, ...faultDuring(during, { ...context, ...before }, error) })),
  );

/** What the function of each state may have learned; one that is not named learned nothing. What they do is played elsewhere. */
function learnedBy(src: string, context: Known): readonly Learned[] {
  const printer = context.world.printer();
  switch (src) {
    case 'resume':
      return [{}, leftToSuccessor(context)];
    case 'getReady': {
      if (context.history === undefined) return faultsAfter('gettingReady', context, {});
      if (context.deliveredBy === 'service') return faultsAfter('gettingReady', context, {});
      const isHere = context.world.delivery === 'local' || context.isRefusedByService;
      const plans = [plan, { ...plan, conversion }, { ...plan, inOneStep: true }];
      const ready = isHere ? plans.map((one) => ({ document, plan: one })) : [{}];
      return [
        ...ready.map((facts) => ({ ...facts, claim: claimed })),
        ...faultsAfter('gettingReady', context, {}, { document }),
      ];
    }
    case 'commit': {
      if (context.world.delivery !== 'local' && !context.isRefusedByService)
        return [
          { deliveredBy: 'service' },
          ...faultsAfter('committing', context, {}, { deliveredBy: 'service' }),
        ];
      const intended = { intendedAt: now };
      const done = isJobNext(context) ? { ...intended, job } : intended;
      return [done, ...faultsAfter('committing', context, {}, intended, done)];
    }
    case 'sendOut': {
      if (printer.kind === 'bytes') {
        const said = [completed, aborted].map((report) => ({ sent: 'all' as const, report }));
        return [...said, { sent: 'all', ...handedOver(context) }, ...faultsAfter('sending', context, {})];
      }
      const all = { sent: 'all' as const, job };
      return [all, ...faultsAfter('sending', context, {}, ...(context.plan?.inOneStep ? [all] : []))];
    }
    case 'deliver':
      return [{ problem: undefined }];
    case 'watchDelivery':
      return (['UNKNOWN', 'HANDED-OVER', 'CONFIRMED'] as const).map((verdict) => ({ verdict }));
    case 'follow':
      return [
        { report: completed },
        { report: aborted },
        { report: forgotten, ...(context.sent === 'all' && handedOver(context)) },
        ...faultsAfter('following', context, {}),
      ];
    case 'cleanUp':
      return context.job
        ? [{ report: undefined }, { report: aborted }]
        : [{}, { job }, { report: aborted }, { verdict: 'UNKNOWN' }];
    case 'recordEnd':
      return [{ outcome: outcomeOf[endStateOf(context)] }];
    default:
      return [{}];
  }
}

/** What the ledger has to know before anything else is learned. */
function recordedBy({ history: isPlanned, deliveredBy }: Known): readonly Learned[] {
  if (isPlanned === undefined) return [{ history }];
  if (deliveredBy !== 'service') return [];
  return [{ deliveredBy: 'printer', isRefusedByService: true, problem: undefined }];
}

function eventsAt(snapshot: Snapshot): readonly AnyEventObject[] {
  const context = knownIn(snapshot.context);
  const nodes: readonly AnyStateNode[] = snapshot._nodes;
  const come = nodes.flatMap(({ invoke, ownEvents }) => [
    ...invoke.flatMap(({ id, src }) => [
      ...learnedBy(typeof src === 'string' ? src : '', context).map((output) => ({
        type: `xstate.done.actor.${id}`,
        output,
      })),
      ...(ownEvents.includes(`xstate.error.actor.${id}`)
        ? faults.map((error) => ({ type: `xstate.error.actor.${id}`, error }))
        : []),
    ]),
    ...ownEvents.filter((type) => type.startsWith('xstate.after.')).map((type) => ({ type })),
  ]);
  const recorded = stateOf(snapshot) === 'gettingReady' ? recordedBy(context) : [];
  const ofJobs = jobStates.includes(stateOf(snapshot)) ? wordsOfJobs : [];
  return [...come, ...words, ...recorded.map((facts) => ({ type: 'RECORDED', learned: facts })), ...ofJobs];
}

/** Two snapshots are one where nothing that is decided by differs. */
function known({ value, context: has }: Snapshot): string {
  const context = knownIn(has);
  const { history: isPlanned, document: here, plan: planned, problem } = context;
  const { isRefusedByService, intendedAt } = context;
  const { deliveredBy, requestsLeft, sent, report, verdict, outcome, claim } = context;
  return JSON.stringify([
    value,
    [here !== undefined, isPlanned !== undefined, isRefusedByService],
    outcome ?? [deliveredBy, requestsLeft, sent, report, verdict, context.fault, context.job !== undefined],
    intendedAt,
    [planned?.conversion !== undefined, planned?.inOneStep, problem?.code === 'outcome-unknown'],
    has.owner,
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
    isAlone: () => true,
    lastOutputAt: () => now,
    telling: new Telling(clock, undefined, () => {}),
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
const isSend = (state: string): boolean => ['sending', 'delivering'].includes(state);

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
    const passing = ['release.deciding'];
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
    expect(all.length).toBeGreaterThan(30);
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
      const isIntent = (state: string) => state === 'committing';
      const ways = one.ways.filter(({ from }) => !isIntent(stateAt(one, from)));
      const withoutIntent = behind({ ...one, ways }, placesAt(one, isSend));
      expect(withoutIntent.has(one.start)).toBe(false);
    }
  });

  it('and not before it is claimed, nor unless its claim still holds right before (F5, F6)', () => {
    for (const one of newWalks) {
      for (const step of ['gettingReady', 'committing']) {
        const ways = one.ways.filter(({ from }) => stateAt(one, from) !== step);
        const without = behind({ ...one, ways }, placesAt(one, isSend));
        expect(without.has(one.start)).toBe(false);
      }
    }
  });

  it('and never of what a restart found open', () => {
    for (const one of resumedWalks)
      expect(placesAt(one, (state) => isSend(state) || state === 'committing')).toEqual([]);
  });
});

it('what has its intent is not given up by a stop, nor what is about to have it', () => {
  for (const one of newWalks) {
    const intended = one.ways.filter(
      ({ from }) =>
        one.snapshots.get(from)?.context.facts.intendedAt !== undefined ||
        stateAt(one, from) === 'committing',
    );
    expect(intended.length).toBeGreaterThan(0);
    const stopped = intended.filter(({ event }) => event.type === 'STOP');
    expect(stopped.filter(({ from, to }) => from !== to)).toEqual([]);
  }
});

it('what is cancelled has a job that is known to be ours', () => {
  for (const one of allWalks) {
    const places = placesAt(one, (state) => state === 'cleaning').map(
      (place) => one.snapshots.get(place)?.context.facts,
    );
    const cancelled = places.filter((context) => ['claim-lost', 'stood'].includes(context?.fault ?? ''));
    expect(cancelled.filter((context) => context?.job === undefined)).toEqual([]);
  }
});

/** Only what it is known not to have taken on is asked of it again, or printed here. */
const isRefusalOfTheService = ({ type, error }: AnyEventObject): boolean =>
  type.endsWith('.release.delivering') && isProblem(error) && error.delivery !== 'perhaps';
