/**
 * Keeps the references of queues in the simulated cloud correct. A queue names its container and output port, and has
 * the id of its location. References follow a new name, and are removed with their target.
 */
import type { InputPortInfo } from '../../records/account-records.ts';
import type { CloudState } from '../../state.ts';

type Named = 'containerName' | 'outputPort';

export function renameInQueues(
  state: CloudState,
  field: Named,
  { before, after }: { readonly before: string; readonly after: string },
): void {
  state.inputPorts = state.inputPorts.map((one) =>
    one[field] === before ? { ...one, [field]: after } : one,
  );
}

/** Removes references to output ports and locations that no longer exist. */
export function forgetPlaces(state: CloudState): void {
  state.inputPorts = state.inputPorts.map(
    ({ outputPort, locationId, ...queue }): InputPortInfo => ({
      ...queue,
      ...(state.outputPorts.some(({ name }) => name === outputPort) && { outputPort }),
      ...(state.locations.some(({ id }) => id === locationId) && { locationId }),
    }),
  );
}
