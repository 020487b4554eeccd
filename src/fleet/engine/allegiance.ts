/**
 * The fleet that a member belongs to, for good. An engine that was lost and begun again has forgotten every claim and
 * every member that could report. So no member changes to another fleet by itself.
 */
import { createHmac } from 'node:crypto';
import type { FleetKeys } from './fleet-keys.ts';
import { allKeys, keyObject } from './fleet-keys.ts';
import type { Line, Statement } from './line.ts';

/** Kept in the state directory. */
export interface Allegiance {
  read(): KeptFleet | undefined;
  /** Durable when it returns. */
  keep(fleet: KeptFleet): void;
}

export interface KeptFleet {
  readonly fleetId: string;
  /** The roll as it was last seen. */
  readonly members: readonly RollEntry[];
}

export interface RollEntry {
  readonly id: string;
  readonly name: string;
  readonly site: string;
}

interface Following extends FleetKeys {
  readonly former: string;
  readonly fleet: string;
}

const presence: Statement = {
  name: 'former fleets there',
  text: `SELECT to_regclass('platen.former_fleet') IS NOT NULL AS "isThere"`,
};
const lookUp: Statement = {
  name: 'former fleet',
  text: 'SELECT proof FROM platen.former_fleet WHERE id = $1::uuid',
};

/**
 * A person confirms that a fleet follows another one (`acceptance.ts`). The engine keeps that confirmation, proven by
 * the fleet's key: a stolen database cannot produce it.
 */
export async function isFollowing(line: Line, following: Following, deadline: AbortSignal): Promise<boolean> {
  const [there] = await line.ask(presence, [], deadline);
  if (there?.['isThere'] !== true) return false;
  const [row] = await line.ask(lookUp, [following.former], deadline);
  const proof = row?.['proof'];
  return (
    proof instanceof Uint8Array &&
    allKeys(following).some((key) => proofOf({ ...following, key }).equals(proof))
  );
}

export const proofOf = ({ key, former, fleet }: Following): Buffer =>
  createHmac('sha256', keyObject(key)).update(`platen fleet ${fleet} follows ${former}`).digest();
