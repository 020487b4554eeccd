/**
 * An order to run on a version of the fleet's configuration, in steps (F16). It is signed, and its number only rises: a
 * stolen database can neither make one up nor give an older one once more.
 */
import { z } from 'zod';
import type { Signed, SignerKey } from './signature.ts';
import { bodyOf } from './signature.ts';

/** Percent of the gateways: rising, and all of them at last. */
export const areSteps = (steps: readonly number[]): boolean =>
  steps.at(-1) === 100 && steps.every((percent, index) => index === 0 || percent > (steps[index - 1] ?? 0));

const orderShape = z.strictObject({
  format: z.literal(1),
  fleet: z.uuid(),
  number: z.int().min(1),
  /** Only `undo` leads to a version that is older than one a gateway has had. */
  kind: z.enum(['roll', 'undo']),
  /** 0: each gateway's own file alone. */
  version: z.int().min(0),
  /** The version that it is to follow on, and that undoing it leads back to. */
  before: z.int().min(0),
  steps: z.array(z.number().gt(0).max(100)).min(1).max(20).refine(areSteps),
  soakSeconds: z.int().min(0).max(604_800),
  madeAt: z.string(),
});

export type Order = z.output<typeof orderShape>;

/** Throws an `Error` that says why it is none. */
export const orderIn = (signed: Signed, signers: readonly SignerKey[]): Order =>
  parsedOrder(bodyOf('order', signed, signers));

/** Without a look at who signed it: for what nobody takes a configuration by. */
export function parsedOrder(body: string): Order {
  const { data } = orderShape.safeParse(JSON.parse(body));
  if (!data) throw new Error('this version of Platen does not know its format');
  return data;
}

/** How many of the gateways a step takes: at least one, and all at 100 %. */
export const sampleSize = (total: number, percent: number): number =>
  Math.min(total, Math.max(1, Math.ceil((total * percent) / 100)));
