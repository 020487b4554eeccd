/**
 * Which fleet this gateway belongs to, and its members at the last look; kept beside the member's id in the state
 * directory. An engine that gives another answer was set up anew, or is another engine, and has forgotten every claim
 * (F9).
 */
import { join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const fileName = 'fleet.json';
const shape = z.object({
  fleetId: z.uuid(),
  members: z.array(z.object({ id: z.uuid(), name: z.string(), site: z.string() })),
});

type KeptFleet = z.output<typeof shape>;

/** The caller owns the state directory. `keep` throws `store-refused`, `store-failed`. */
export function keptFleetIn(stateDir: string): {
  read(): KeptFleet | undefined;
  keep(fleet: KeptFleet): void;
} {
  return {
    read: () => keptFleet(stateDir),
    keep: (fleet) => writeDurably(join(stateDir, fileName), Buffer.from(JSON.stringify(fleet))),
  };
}

/**
 * `undefined` before the gateway was first in a fleet. Throws `state-unusable` or `store-refused`, because no value may
 * be assumed.
 */
export function keptFleet(stateDir: string): KeptFleet | undefined {
  const path = join(stateDir, fileName);
  const kept = readIfPresent(path);
  if (kept === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(kept.toString()));
  } catch (cause) {
    throw new Problem(
      'state-unusable',
      `${path} is damaged. If fleet.engine.url names the engine of this gateway for certain, remove the file`,
      { cause },
    );
  }
}
