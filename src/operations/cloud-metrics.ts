/** The metrics of calls to the print service under `cloud.limits`: how long they wait, and what the service refuses. */
import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { inSeconds } from '../core/duration.ts';

export interface CloudMetrics {
  /** A call has waited for so long for the limit, or for the Retry-After of a 429. */
  callWaited(forWhom: 'person' | 'background', span: Duration): void;
  /** The service answered a call with 429. */
  callRefused(): void;
}

export interface CallRates {
  /** The calls per second that may go to each server at the moment: by `host:port`. */
  callRates(): ReadonlyMap<string, number>;
}

/** Seconds. Of a person's call up to 2 are promised. */
const waits = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

export function createCloudMetrics({ callRates }: CallRates, registers: Registry[]): CloudMetrics {
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
  const rate = new Gauge({
    name: 'platen_cloud_calls_per_second_limit',
    help: 'Calls per second that Platen makes at most. After a 429 fewer than cloud.limits allows.',
    labelNames: ['server'],
    registers,
    collect() {
      rate.reset();
      for (const [server, perSecond] of callRates()) rate.set({ server }, perSecond);
    },
  });
  return {
    callWaited: (forWhom, span) => waited.observe({ for: forWhom }, inSeconds(span)),
    callRefused: () => refused.inc(),
  };
}
