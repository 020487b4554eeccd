/**
 * Gives a machine its own implementations, as `provide` does, on the same tree of states. XState builds the tree anew
 * for each `provide`. That takes 80 KB and some milliseconds, and a gateway has a thousand terminals.
 */
import type { AnyStateMachine } from 'xstate';

export function withOwn<Machine extends AnyStateMachine>(
  machine: Machine,
  own: Parameters<Machine['provide']>[0],
): Machine {
  const provided = own as Readonly<Record<string, object | undefined>>;
  const kinds = Object.entries(machine.implementations as object as Record<string, object>);
  const sharing: Machine = Object.assign(Object.create(machine), {
    implementations: Object.fromEntries(
      kinds.map(([kind, named]) => [kind, { ...named, ...provided[kind] }]),
    ),
  });
  // This function gives a snapshot its machine, and so its implementations. XState has bound it to the original
  // machine.
  const { getInitialSnapshot } = Object.getPrototypeOf(machine) as AnyStateMachine;
  sharing.getInitialSnapshot = getInitialSnapshot.bind(sharing);
  return sharing;
}
