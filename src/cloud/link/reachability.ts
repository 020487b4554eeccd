/** Whether the cloud is up, from the experience of several servers: it is when none of them was found down last. */
import type { Problem } from '../../domain/problem/problem.ts';

/** What the last call to a server found. */
export type Reachability = 'up' | Problem;

/** A listener for each server; after each word of one, `listener` hears what holds for all together. */
export function onAllReachable(listener: (state: Reachability) => void) {
  const down = new Map<string, Problem>();
  return (server: string) =>
    (state: Reachability): void => {
      if (state === 'up') down.delete(server);
      else down.set(server, state);
      const [first] = down.values();
      listener(first ?? 'up');
    };
}
