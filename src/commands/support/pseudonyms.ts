/**
 * A person has the same pseudonym in the whole bundle, and another one in the next bundle. The key is not kept (T20).
 */
import { createHmac } from 'node:crypto';
import { systemChance } from '../../core/chance.ts';

export type Pseudonym = (person: { readonly providerId: unknown; readonly userId: unknown }) => string;

export function pseudonyms(): Pseudonym {
  const key = systemChance.bytes(32);
  return ({ providerId, userId }) =>
    createHmac('sha256', key)
      .update(`${String(providerId)} ${String(userId)}`)
      .digest('hex')
      .slice(0, 12);
}
