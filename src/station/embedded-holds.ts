/** The holds of a gateway that is in no fleet: it serves all its terminals, always. */
import type { Holds } from '../domain/ports/holds.ts';

const held = { is: 'held', epoch: 1 } as const;

export const createEmbeddedHolds = (): Holds => ({
  services: [],
  serve() {},
  standing: () => held,
  leave: () => Promise.resolve(),
  roll: () => undefined,
});
