/**
 * What a queue of the simulated cloud tells by name, its container and its output port, and by id, its location: it follows
 * when one of them is called otherwise, and tells nothing of what is gone.
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

/** Of output ports and locations that are there no longer. */
export function forgetPlaces(state: CloudState): void {
  state.inputPorts = state.inputPorts.map(
    ({ outputPort, locationId, ...queue }): InputPortInfo => ({
      ...queue,
      ...(state.outputPorts.some(({ name }) => name === outputPort) && { outputPort }),
      ...(state.locations.some(({ id }) => id === locationId) && { locationId }),
    }),
  );
}
