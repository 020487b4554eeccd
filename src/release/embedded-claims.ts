/**
 * The claims of a gateway without a fleet. They come from its releases in hand, and from its ledger of earlier
 * releases. It answers at once.
 */
import type { Claim, Claims } from '../domain/ports/claims.ts';
import type { Ledger } from '../domain/ports/ledger.ts';
import { Problem } from '../domain/problem/problem.ts';
import { standingOf } from '../domain/release.ts';

export function createEmbeddedClaims({ ledger }: { readonly ledger: Pick<Ledger, 'lastRelease'> }): Claims {
  /** Document to the release that has it in hand. */
  const inHand = new Map<string, string>();
  const keyOf = (documentUuid: string): string => documentUuid.toLowerCase();

  return {
    async take({ documentUuid, releaseId, again, finish }): Promise<Claim> {
      const holder = inHand.get(keyOf(documentUuid));
      const last = ledger.lastRelease(documentUuid, { but: releaseId });
      const standing = standingOf(last, finish);
      const isFree =
        standing === 'releasable' || (standing === 'may-have-printed' && last?.releaseId === again);
      if (holder !== releaseId && (holder !== undefined || !isFree)) {
        throw new Problem('document-claimed', 'another release of this gateway has the document, or had it');
      }
      inHand.set(keyOf(documentUuid), releaseId);
      return { documentUuid, releaseId, number: 0, version: 0 };
    },
    async sending({ documentUuid, releaseId }) {
      if (inHand.get(keyOf(documentUuid)) !== releaseId) {
        throw new Problem('claim-lost', 'the release has ended', { delivery: 'not-sent' });
      }
    },
    ended({ documentUuid, releaseId }) {
      if (inHand.get(keyOf(documentUuid)) === releaseId) inHand.delete(keyOf(documentUuid));
    },
    isOurs: async () => true,
    elsewhere: async () => new Map(),
    found() {},
  };
}
