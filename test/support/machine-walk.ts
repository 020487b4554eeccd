/**
 * Walks a machine by `xstate/graph`: from its first state by every event that a test gives for a state, until nothing
 * new comes up. A call that a state makes ends as the test says; a delay runs out by itself. Which transitions a step
 * took, the machine itself tells (`@xstate.microstep`).
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { createActor } from 'xstate';
import type { AdjacencyMap } from 'xstate/graph';
import { getAdjacencyMap, getStateNodes } from 'xstate/graph';

interface Happening {
  readonly type: string;
}

export interface WalkOptions<Shown extends AnyMachineSnapshot> {
  readonly input?: unknown;
  /** What may happen in this state besides the ends of its calls and delays. */
  events(at: Shown): readonly Happening[];
  /** How a call of that actor may end in this state. */
  endings(
    at: Shown,
    actor: string,
  ): { readonly outputs: readonly unknown[]; readonly errors: readonly unknown[] };
  /** States that say the same are walked on from once. */
  key(at: Shown): unknown;
}

export interface Step<Shown> {
  readonly from: Shown;
  readonly event: Happening;
  readonly to: Shown;
}

export interface Walked<Shown> {
  readonly steps: readonly Step<Shown>[];
  /** Ids of the states that were there, on the way too. */
  readonly states: ReadonlySet<string>;
  readonly transitions: ReadonlySet<AnyTransitionDefinition>;
}

export function walk<Shown extends AnyMachineSnapshot>(
  machine: AnyStateMachine,
  options: WalkOptions<Shown>,
): Walked<Shown> {
  let events = 0;
  const found: AdjacencyMap<AnyMachineSnapshot, Happening> = getAdjacencyMap(machine, {
    input: options.input,
    events: (at: AnyMachineSnapshot) => happeningsAt(at as Shown, options),
    serializeState: (at: AnyMachineSnapshot) => JSON.stringify([at.value, options.key(at as Shown)]),
    // Cards and secrets are all alike as JSON.
    serializeEvent: () => String((events += 1)),
    limit: 200_000,
  });
  const states = new Set<string>();
  const transitions = new Set<AnyTransitionDefinition>();
  const steps: Step<Shown>[] = [];
  const note = (taken: readonly AnyTransitionDefinition[]): void => {
    for (const one of taken) {
      transitions.add(one);
      for (const node of [one.source, ...(one.target ?? [])]) states.add(node.id);
    }
  };
  note(takenBy(machine, options));
  for (const { state: from, transitions: ways } of Object.values(found)) {
    for (const node of nodesOf(from)) states.add(node.id);
    for (const { event, state: to } of Object.values<Way>(ways)) {
      steps.push({ from: from as Shown, event, to: to as Shown });
      // Most of what is said in a state does nothing there.
      if (machine.getTransitionData(from, event).length > 0) note(takenBy(machine, { from, event }));
    }
  }
  return { steps, states, transitions };
}

interface Way {
  readonly event: Happening;
  readonly state: AnyMachineSnapshot;
}

/** What no walk has come by, in words. */
export function missedBy(
  machine: AnyStateMachine,
  walks: readonly Pick<Walked<unknown>, 'states' | 'transitions'>[],
): readonly string[] {
  const nodes = [machine.root, ...getStateNodes(machine)];
  const states = new Set(walks.flatMap((one) => [...one.states]));
  const transitions = new Set(walks.flatMap((one) => [...one.transitions]));
  return [
    ...nodes.filter(({ id }) => !states.has(id)).map(({ id }) => `state ${id}`),
    ...nodes.flatMap((node) =>
      transitionsOf(node).flatMap((one, place) =>
        transitions.has(one) ? [] : [`${node.id} on ${one.eventType || 'always'}, ${place} of all`],
      ),
    ),
  ];
}

const transitionsOf = (node: AnyStateNode): readonly AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

const nodesOf = (at: AnyMachineSnapshot): readonly AnyStateNode[] =>
  (at as { readonly _nodes: readonly AnyStateNode[] })._nodes;

function happeningsAt<Shown extends AnyMachineSnapshot>(
  at: Shown,
  { events, endings }: WalkOptions<Shown>,
): readonly Happening[] {
  if (at.status !== 'active') return [];
  const nodes = nodesOf(at);
  const calls = nodes.flatMap(({ invoke }) => invoke);
  return [
    ...events(at),
    ...nodes.flatMap((node) =>
      [...node.transitions.keys()]
        .filter((type) => type.startsWith('xstate.after.'))
        .map((type) => ({ type })),
    ),
    ...calls.flatMap(({ id, src }) => {
      const { outputs, errors } = endings(at, typeof src === 'string' ? src : id);
      return [
        ...outputs.map((output) => ({ type: `xstate.done.actor.${id}`, output })),
        ...errors.map((error) => ({ type: `xstate.error.actor.${id}`, error })),
      ];
    }),
  ];
}

/** Nothing that it begins comes to anything. */
const stillClock = { setTimeout: () => 0, clearTimeout: () => {} };

/** By the event in that state; at the start where there is none. */
function takenBy(
  machine: AnyStateMachine,
  begin: { readonly input?: unknown } | { readonly from: AnyMachineSnapshot; readonly event: Happening },
): readonly AnyTransitionDefinition[] {
  const taken: AnyTransitionDefinition[] = [];
  const actor = createActor(machine, {
    ...('from' in begin ? { snapshot: machine.resolveState(begin.from) } : { input: begin.input }),
    clock: stillClock,
    inspect(told) {
      if (told.type === '@xstate.microstep') taken.push(...told._transitions);
    },
  });
  actor.start();
  if ('from' in begin) actor.send(begin.event);
  actor.stop();
  return taken;
}
