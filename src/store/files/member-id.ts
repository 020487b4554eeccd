/**
 * The id of this gateway in its fleet: a UUID, made once and kept in the state directory. It stays the same over
 * restarts and new versions, because earlier claims belong to it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const fileName = 'member.json';
const shape = z.object({ memberId: z.uuid() });

/** The caller owns the state directory. Throws `state-unusable` for a damaged file, `store-refused`, `store-failed`. */
export function memberIdIn(stateDir: string, chance: Chance): string {
  const kept = keptMemberId(stateDir);
  if (kept !== undefined) return kept;
  const memberId = chance.uuid();
  writeDurably(join(stateDir, fileName), Buffer.from(JSON.stringify({ memberId })));
  return memberId;
}

/** `undefined` if the agent has not run as a member yet. Throws `state-unusable`, `store-refused`. */
export function keptMemberId(stateDir: string): string | undefined {
  const path = join(stateDir, fileName);
  const kept = readIfPresent(path);
  return kept && memberIdOf(kept, path);
}

function memberIdOf(kept: Buffer, path: string): string {
  try {
    return shape.parse(JSON.parse(kept.toString())).memberId;
  } catch (cause) {
    throw new Problem(
      'state-unusable',
      `${path} is damaged. Remove it; the gateway then joins its fleet as a new member`,
      { cause },
    );
  }
}
