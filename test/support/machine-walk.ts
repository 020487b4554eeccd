/**
 * Walks a machine from its first state by every event that a test gives for a state, until nothing
 * new comes up. A call that a state makes ends as the test says; a delay runs out by itself. Which transitions a step
 * took, the machine itself tells (`@xstate.microstep`).
 */
import type {
  AnyActorScope,
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  AnyTransitionDefinition,
} from 'xstate';
import { createActor } from 'xstate';
import { getStateNodes } from 'xstate/graph';

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
  const states = new Set<string>();
  const transitions = new Set<AnyTransitionDefinition>();
  const steps: Step<Shown>[] = [];
  const scope = inertScope(machine, options.input, (taken) => {
    for (const one of taken) {
      transitions.add(one);
      for (const node of [one.source, ...(one.target ?? [])]) states.add(node.id);
    }
  });
  const seen = new Set<string>();
  const found: Shown[] = [];
  const note = (at: Shown): void => {
    const key = JSON.stringify([at.value, options.key(at)]);
    if (seen.has(key)) return;
    seen.add(key);
    found.push(at);
    for (const node of nodesOf(at)) states.add(node.id);
  };
  note(machine.getInitialSnapshot(scope, options.input) as Shown);
  // The list grows while it is walked along.
  for (const from of found) {
    for (const event of happeningsAt(from, options)) {
      // Most of what is said in a state does nothing there.
      if (machine.getTransitionData(from, event).length === 0) continue;
      const to = machine.transition(from, event, scope) as Shown;
      steps.push({ from, event, to });
      note(to);
    }
  }
  return { steps, states, transitions };
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

const nothing = (): void => {};

/** In which a machine steps, and nothing that it begins comes to anything; tells which transitions a step took. */
function inertScope(
  machine: AnyStateMachine,
  input: unknown,
  tell: (taken: readonly AnyTransitionDefinition[]) => void,
): AnyActorScope {
  const self = createActor(machine, {
    input,
    clock: { setTimeout: () => 0, clearTimeout: nothing },
    inspect(told) {
      if (told.type === '@xstate.microstep') tell(told._transitions);
    },
  });
  return {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: nothing,
  };
}
