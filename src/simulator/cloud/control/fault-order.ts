/** A fault in words: the calls, a standard name, and how often. */
import type { FaultOrders } from '../faults.ts';
import type { StandardFault } from '../standard-faults.ts';
import { standardFaults } from '../standard-faults.ts';

export interface FaultOrder {
  /** Absent: any method. */
  readonly method?: string | undefined;
  /** The end of the path. */
  readonly path: string;
  readonly fault: StandardFault;
  readonly times: number | 'always';
}

export const isStandardFault = (name: string): name is StandardFault => Object.hasOwn(standardFaults, name);

/** The methods of the specification's calls. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Throws `RangeError` with advice. */
export function planFault(orders: FaultOrders, { method: asked, path, fault, times }: FaultOrder): void {
  const method = asked?.toUpperCase();
  if (method !== undefined && !methods.includes(method)) {
    throw new RangeError(`method is one of ${methods.join(', ')}`);
  }
  const match = { path, ...(method === undefined ? {} : { method }) };
  if (times === 'always') orders.always(match, standardFaults[fault]);
  else orders.answerNext(match, standardFaults[fault], { times });
}

/** Throws `RangeError` with advice. */
export function faultTimes(text: string): number | 'always' {
  if (text === 'always') return text;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError('TIMES is a whole number above 0, or always');
  return Number(text);
}

/** The planned standard faults, by name. */
export const plannedOrders = ({ plannedFaults }: FaultOrders): readonly FaultOrder[] =>
  plannedFaults().flatMap(({ match, fault, left }) => {
    const name = Object.keys(standardFaults)
      .filter(isStandardFault)
      .find((one) => standardFaults[one] === fault);
    if (name === undefined || typeof match.path !== 'string') return [];
    return [{ method: match.method, path: match.path, fault: name, times: left }];
  });
