/** What a gateway that is alone shows administrators. */
import type { Overview } from '../../../src/operations/ui/overview.ts';
import { withTroubles } from '../../../src/operations/ui/overview.ts';
import { sampleFleet } from './sample-digests.ts';

export const sampleOverview = (changes: Partial<Overview> = {}): Overview => ({
  fleet: async () => ({ gateways: sampleFleet(1).map(withTroubles), problem: null }),
  releases: { find: () => undefined },
  find: async () => undefined,
  deeds: {
    unsettled: () => [],
    settle: async (releaseIds) => ({ settled: [], left: releaseIds }),
    acknowledge: () => false,
  },
  ...changes,
});
