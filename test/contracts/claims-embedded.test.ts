/** The claims of a gateway that stands alone keep the contract. */
import type { LastRelease } from '../../src/domain/release.ts';
import { createEmbeddedClaims } from '../../src/release/claiming.ts';
import { claimsContract } from './claims.ts';

claimsContract(async () => {
  const ended = new Map<string, readonly LastRelease[]>();
  const claims = createEmbeddedClaims({
    ledger: {
      lastRelease(uuid, { but } = {}) {
        const others = (ended.get(uuid.toLowerCase()) ?? []).filter(({ releaseId }) => releaseId !== but);
        return others.findLast(({ state }) => state !== 'NOOUTPUT') ?? others.at(-1);
      },
    },
  });
  return {
    here: claims,
    there: claims,
    async ends(at, release, state) {
      const { documentUuid, releaseId } = release;
      const key = documentUuid.toLowerCase();
      ended.set(key, [...(ended.get(key) ?? []), { releaseId, state, deletionOwed: false }]);
      at.ended(release, state);
    },
    [Symbol.asyncDispose]: async () => {},
  };
});
