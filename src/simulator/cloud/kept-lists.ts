/**
 * The lists of a simulated cloud: the ids of their items, and their length. No id is given twice, because tokens,
 * records and clients may still hold the id of a deleted item. Access controls are an exception: the spec assigns
 * their ids anew.
 */
import { required } from '../../core/required.ts';
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

/** One more than the highest id so far. */
export const nextId = (state: CloudState, list: NumberedList): number =>
  required(nextIds(state, list, 1)[0], 'id');

/** The same for several ids at once. */
export function nextIds(state: CloudState, list: NumberedList, count: number): number[] {
  const highest = highestIn(state[list], state.highestIds[list]);
  state.highestIds = { ...state.highestIds, [list]: highest + count };
  return Array.from({ length: count }, (_, place) => highest + 1 + place);
}

export const highestIdsOf = (lists: Pick<CloudState, NumberedList>): CloudState['highestIds'] =>
  Object.fromEntries(numberedLists.map((list) => [list, highestIn(lists[list])]));

const highestIn = (items: readonly { readonly id: number }[], before = 0): number =>
  items.reduce((highest, { id }) => Math.max(highest, id), before);

/** At least half of these entries are kept. So many are dropped at once that the cost per call is negligible. */
export const mostKept = 50_000;

/**
 * Adds an entry to a list that grows with each call. Only its newest entries are kept, so that it does not grow
 * without end. Gives a new list if the first half was dropped.
 */
export function grown<One>(list: One[], one: One): One[] {
  list.push(one);
  return list.length > mostKept ? list.slice(-mostKept / 2) : list;
}
