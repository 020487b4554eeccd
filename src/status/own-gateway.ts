/** A gateway that is in no fleet, as whoever looks at many sees it: one, of this moment. */
import type { GatewayDigest } from '../domain/gateway-digest.ts';
import type { Gateways } from '../domain/ports/gateways.ts';

export const createOwnGateway = (own: () => GatewayDigest): Gateways => ({
  seen: async (abort) => {
    abort.throwIfAborted();
    return [
      {
        digest: own(),
        hasTold: true,
        isSelf: true,
        isBeating: true,
        ageSeconds: 0,
        lastBeatSeconds: 0,
      },
    ];
  },
  // What this one has stands in its own ledger.
  holderOf: async () => undefined,
});
