/** Badges, words, answers and ends of prints in as many orders as the issue asks for; whoever sees another's is counted. */
import { raceSessions } from '../terminal/session-races.ts';
import type { Measurement } from './figures.ts';

const runs = 20_000;

/** Rejects with the interleaving after which a frame showed what it must not. */
export async function measureSessionRaces(): Promise<Measurement> {
  const seed = Date.now() % 1_000_000;
  const since = performance.now();
  const { frames, sessions, tickets, personal } = await raceSessions({ runs, seed });
  const seconds = (performance.now() - since) / 1000;
  return {
    title: 'Interleavings of badge, words, list, print and answers at two terminals',
    how: `fast-check's scheduler over the real machines, seed ${seed}, ${seconds.toFixed(0)} s. It fails at the first wrong frame.`,
    rows: [
      ['interleavings', 'sessions', 'prints', 'frames', 'of them personal', 'of the wrong generation'],
      [runs, sessions, tickets, frames, personal, 0].map(String),
    ],
    goals: [],
  };
}
