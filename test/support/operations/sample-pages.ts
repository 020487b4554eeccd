/** What an agent without any trouble tells machines that watch machines. */
import { Problem } from '../../../src/domain/problem/problem.ts';
import type { GuestActions } from '../../../src/operations/guest-calls.ts';
import type { OperationsPages } from '../../../src/operations/pages.ts';
import type { Overview } from '../../../src/operations/ui/overview.ts';
import { withTroubles } from '../../../src/operations/ui/overview.ts';
import { sampleFleet } from './sample-digests.ts';

export const samplePages = (changes: Partial<OperationsPages> = {}): OperationsPages => ({
  health: { overdue: () => [] },
  ready: () => ({ ready: true, terminals: { lobby: 'ready' }, reasons: {} }),
  metrics: {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text: async () => 'platen_cloud_up 1\n',
  },
  status: () => ({ version: '0.1.0' }),
  overview: sampleOverview(),
  ...changes,
});

/** What a gateway that is alone shows administrators. */
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

/** What the control socket does with guests where nobody comes. */
export const noGuests: GuestActions = {
  list: () => [],
  make: async () => {
    throw new Problem('guest-refused', 'No guests are set up here');
  },
  end: async () => [],
};
