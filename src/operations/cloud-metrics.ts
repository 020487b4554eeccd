/** The metrics of calls to the print service under `cloud.limits`: how long they wait, and what the service refuses. */
import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';

export interface CloudMetrics {
  /** A call has waited for so long for the limit, or for the Retry-After of a 429. */
  callWaited(forWhom: 'person' | 'background', span: Duration): void;
  /** The service answered a call with 429. */
  callRefused(): void;
}

/** Seconds. Of a person's call up to 2 are promised. */
const waits = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

export function createCloudMetrics(registers: Registry[]): CloudMetrics {
  const waited = new Histogram({
    name: 'platen_cloud_limit_wait_seconds',
    help: 'How long a call to the print service waited for cloud.limits, or for the Retry-After of a 429.',
    labelNames: ['for'],
    buckets: waits,
    registers,
  });
  for (const forWhom of ['person', 'background']) waited.zero({ for: forWhom });
  const refused = new Counter({
    name: 'platen_cloud_refused_calls_total',
    help: 'Calls that the print service answered with 429, because there were too many.',
    registers,
  });
  return {
    callWaited: (forWhom, span) => waited.observe({ for: forWhom }, inSeconds(span)),
    callRefused: () => refused.inc(),
  };
}
