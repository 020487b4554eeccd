/**
 * An order to run on a version of the fleet's configuration, in steps (F16). It is signed, and its number only rises.
 * With a stolen database, an attacker can neither forge an order nor repeat an old one.
 */
import { z } from 'zod';
import type { Signed, SignerKey } from './signature.ts';
import { bodyOf } from './signature.ts';
import { areSteps } from './steps.ts';

const orderShape = z.strictObject({
  format: z.literal(1),
  fleet: z.uuid(),
  number: z.int().min(1),
  /** Only `undo` may lead a gateway back to an older version. */
  kind: z.enum(['roll', 'undo']),
  /** 0: each gateway uses only its own file. */
  version: z.int().min(0),
  /** The version that must be in force before. Undoing the order leads back to it. */
  before: z.int().min(0),
  steps: z.array(z.number().gt(0).max(100)).min(1).max(20).refine(areSteps),
  soakSeconds: z.int().min(0).max(604_800),
  madeAt: z.string(),
});

export type Order = z.output<typeof orderShape>;

/** Throws an `Error` with the reason if the order is not valid. */
export const orderIn = (signed: Signed, signers: readonly SignerKey[]): Order =>
  parsedOrder(bodyOf('order', signed, signers));

/** Does not check the signature. Do not use it to choose a configuration. */
export function parsedOrder(body: string): Order {
  const { data } = orderShape.safeParse(JSON.parse(body));
  if (!data) throw new Error('this version of Platen does not know its format');
  return data;
}
