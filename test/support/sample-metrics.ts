/** The metrics of an agent to which everything has happened that has series of its own. */
import { tmpdir } from 'node:os';
import { seconds } from '../../src/core/duration.ts';
import type { Metrics } from '../../src/operations/metrics.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { createSteeredClock } from './steered-clock.ts';

export function sampleMetrics(): Metrics {
  const metrics = createMetrics({ clock: createSteeredClock() });
  metrics.readFrom({
    version: '0.1.0',
    stateDir: tmpdir(),
    outbox: () => ({ waiting: 1, held: 0, deadLetters: 0 }),
    outboxOldest: () => seconds(1),
    tokenExpiresIn: () => seconds(1),
    conditions: () => [
      { code: 'cloud-busy', severity: 'warning', scope: 'agent', subject: 'cloud', detail: 'busy' },
    ],
    internalFaults: () => 2,
    certificates: () => new Map([['cloud.example:7300', 1]]),
    callRates: () => new Map([['cloud.example:7300', 50]]),
    traces: () => ({ sent: 5, dropped: 1 }),
    fleetNow: () => ({
      site: 'main',
      engine: { isUp: true },
      beatAgeSeconds: 0.5,
      held: 1,
      terminals: 1,
      load: { octets: 8192, openClaims: 1, owedRecords: 2, overdueRecords: 1, lookSeconds: 0.004 },
      members: [{ name: 'gateway-a', isSelf: true, isBeating: true, lastBeatSeconds: 0 }],
    }),
    terminalsNow: () => [
      { id: 'lobby', isReady: true, isServed: true, hasSession: false, certificateEnds: 1 },
    ],
  });
  metrics.terminalsAre([{ id: 'lobby', readers: ['front'] }]);
  metrics.stageTook({ stage: 'login', span: seconds(1) });
  metrics.callWaited('person', seconds(0.2));
  metrics.callRefused();
  return metrics;
}
