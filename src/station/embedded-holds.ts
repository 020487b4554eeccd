/** The holds of a gateway without a fleet: it always serves all its terminals. */
import type { Holds } from '../domain/ports/holds.ts';

const held = { is: 'held', epoch: 1 } as const;

export const createEmbeddedHolds = (): Holds => ({
  services: [],
  serve() {},
  standing: () => held,
  leave: () => Promise.resolve(),
  roll: () => undefined,
});
