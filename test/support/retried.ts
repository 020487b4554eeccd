/** For what can only be tried until it works: a program that begins to listen, a file that comes. */
import { setTimeout as sleep } from 'node:timers/promises';

const pause = 10;

/** Tries it again and again until it does not fail; rejects with its last failure after so many milliseconds. */
export async function retried<Result>(
  attempt: () => Result | Promise<Result>,
  limit: number,
): Promise<Result> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(pause);
  }
}
