/**
 * The time of a whole fleet in this process: its gateways, their cloud and their printers share one clock, which can be
 * put forward and hurries (forward-clock.ts). While the engine is asked it stands still, so no deadline towards it and
 * no lease runs out because PostgreSQL was busy. The engine's own clock goes its way: what it counts itself, such as how
 * long a member is gone, a test puts into its tables.
 */
import { Client } from 'pg';
import type { ForwardClock } from '../forward-clock.ts';
import { forwardClock } from '../forward-clock.ts';
import { isAsked } from '../virtual-time.ts';

let isWatched = false;

export function fleetClock(): ForwardClock {
  if (!isWatched) watchQuestions();
  isWatched = true;
  return forwardClock();
}

type Deed = (this: Client, ...given: unknown[]) => unknown;

/** All that is asked of any PostgreSQL by this process; a client has no events for it. */
function watchQuestions(): void {
  const client = Client.prototype as unknown as Record<'connect' | 'query', Deed>;
  for (const name of ['connect', 'query'] as const) {
    const deed = client[name];
    client[name] = function ask(...given) {
      const answer = deed.apply(this, given);
      if (answer instanceof Promise) isAsked(answered(this, answer));
      return answer;
    };
  }
}

const waiting = new WeakMap<Client, Set<() => void>>();

/** Nor is one waited for whose line has ended: not every question hears of that. */
function answered(client: Client, answer: Promise<unknown>): Promise<void> {
  let all = waiting.get(client);
  if (!all) {
    const own = (all = new Set<() => void>());
    waiting.set(client, own);
    client.once('end', () => own.forEach((over) => over()));
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = () => {
    all.delete(over);
    resolve();
  };
  all.add(over);
  answer.then(over, over);
  return promise;
}
