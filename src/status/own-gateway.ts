/** A gateway without a fleet, as the list of many gateways sees it: one gateway, at this moment. */
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
  // This gateway's own releases are in its own ledger.
  holderOf: async () => undefined,
});
