/**
 * Asks a member for its support bundle through the engine, without being a member. Opens the answer, and removes it
 * from the engine.
 */
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { FleetKeys } from '../engine/fleet-keys.ts';
import { allKeys } from '../engine/fleet-keys.ts';
import type { Visit } from '../engine/visit.ts';
import type { Question } from './bundle-sealing.ts';
import { createAsker, proofsOf } from './bundle-sealing.ts';
import * as statements from './bundle-statements.ts';

export interface Asked extends FleetKeys, Pick<Env, 'clock' | 'chance'> {
  readonly visit: Pick<Visit, 'ask'>;
  /** The member that is to answer. */
  readonly member: string;
  readonly by: number | undefined;
  readonly from: string;
  readonly within: Duration;
  readonly signal: AbortSignal;
}

const lookEvery = seconds(0.5);

/** Rejects with an `Error` that gives the reason; with `fleet-engine-away`; or with the signal's reason. */
export async function askForBundle(asked: Asked): Promise<Buffer> {
  const { visit, member, by, from, chance } = asked;
  const keys = allKeys(asked);
  const asker = createAsker(...keys);
  const question: Question = {
    id: chance.uuid(),
    member,
    by: by ?? null,
    from,
    publicKey: asker.publicKey,
  };
  const { id, publicKey } = question;
  await visit.ask(statements.ask, [id, member, question.by, from, publicKey, proofsOf(question, keys)]);
  try {
    const parts = await answerTo(id, asked);
    const bodies: Uint8Array[] = [];
    for (let number = 0; number < parts; number += 1) bodies.push(await partOf(id, number, asked));
    return asker.open(question, Buffer.concat(bodies));
  } finally {
    await visit.ask(statements.takeAway, [id]).catch(() => {});
  }
}

async function answerTo(id: string, { visit, within, clock, signal }: Asked): Promise<number> {
  const end = clock.monotonic() + within;
  while (clock.monotonic() < end) {
    const [row] = await visit.ask(statements.answerOf, [id]);
    if (!row) throw new Error('somebody took the question away');
    const { parts, problem } = statements.answerShape.parse(row);
    if (problem !== null) throw new Error(`it says: ${problem}. Its log says why`);
    if (parts !== null) return requireFew(parts);
    await clock.sleep(lookEvery, { signal });
  }
  throw new Error('it has not answered in time');
}

function requireFew(parts: number): number {
  const most = statements.mostOctets / statements.partOctets + 1;
  if (parts > most) throw new Error('its answer is larger than any bundle');
  return parts;
}

async function partOf(id: string, number: number, { visit }: Asked): Promise<Uint8Array> {
  const [row] = await visit.ask(statements.partOf, [id, number]);
  if (!row) throw new Error('a part of its answer is missing');
  return statements.partShape.parse(row).body;
}
