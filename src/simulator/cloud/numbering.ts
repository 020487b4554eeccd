/**
 * The ids of what a simulated cloud keeps: none is given twice, for tokens, records and clients may still hold that of a
 * thing that is gone. Access controls are not numbered so: the spec sorts theirs anew.
 */
import type { CloudState } from './state.ts';

const numberedLists = [
  'accounts',
  'authProviders',
  'balancePolicies',
  'balanceTransactions',
  'groups',
  'inputPorts',
  'locations',
  'outputPorts',
  'scanAccess',
  'scanConnectors',
  'scanWorkflows',
  'terminalConfigs',
  'users',
] as const;
export type NumberedList = (typeof numberedLists)[number];

/** One more than the highest there was. */
export function nextId(state: CloudState, list: NumberedList): number {
  const id = highestIn(state[list], state.highestIds[list]) + 1;
  state.highestIds = { ...state.highestIds, [list]: id };
  return id;
}

export const highestIdsOf = (lists: Pick<CloudState, NumberedList>): CloudState['highestIds'] =>
  Object.fromEntries(numberedLists.map((list) => [list, highestIn(lists[list])]));

const highestIn = (items: readonly { readonly id: number }[], before = 0): number =>
  items.reduce((highest, { id }) => Math.max(highest, id), before);
