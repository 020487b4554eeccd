/** What a campaign waits for at the engine of a fleet. */
import { eventually } from '../support/patience.ts';
import type { ThreeGateways } from './three-gateways.ts';

export const untilAsked = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  eventually(
    async () => {
      if (!(await holds())) throw new Error(`${what}: in vain`);
    },
    { interval: 200 },
  );

/** Resolves when every gateway beats: one that was struck before may still be on its way back. */
export const allBeat = ({ sql, places }: ThreeGateways): Promise<void> =>
  untilAsked('every gateway beats', async () => {
    const living = await sql('SELECT FROM platen.member WHERE until > clock_timestamp()');
    return living.length >= places.length;
  });

/** Resolves when every living member has said once more that it lives. */
export async function beat({ sql }: ThreeGateways): Promise<void> {
  const lives = async () => {
    const rows = await sql('SELECT name, until FROM platen.member WHERE until > clock_timestamp()');
    return new Map(rows.map(({ name, until: end }) => [name, Number(end)]));
  };
  const before = await lives();
  await untilAsked('every member beats', async () => {
    const now = await lives();
    return [...before].every(([name, end]) => (now.get(name) ?? Number.POSITIVE_INFINITY) > end);
  });
}
