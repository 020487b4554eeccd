/** The claims of a gateway that stands alone keep the contract. */
import type { LastRelease } from '../../src/domain/release.ts';
import { createEmbeddedClaims } from '../../src/release/embedded-claims.ts';
import { claimsContract } from './claims.ts';

claimsContract(async () => {
  const ended = new Map<string, readonly LastRelease[]>();
  const claims = createEmbeddedClaims({
    ledger: {
      lastRelease: (uuid, { but } = {}) =>
        ended.get(uuid.toLowerCase())?.findLast(({ releaseId }) => releaseId !== but),
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
