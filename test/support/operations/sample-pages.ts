/** What an agent without any trouble tells machines that watch machines. */
import type { OperationsPages } from '../../../src/operations/pages.ts';
import { sampleOverview } from './sample-overview.ts';

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
