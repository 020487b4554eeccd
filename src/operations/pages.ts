/**
 * What machines that watch machines read of the agent: `/healthz`, `/readyz`, `/metrics` (contract, section 4) and
 * `/status`, which `platen status` shows; in a fleet `/targets`, where the others are. The operations listener has them, and so has the control socket, where no
 * other user of the machine can stand in the way.
 */
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Gateways } from '../domain/ports/gateways.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import { targetsOf } from './targets.ts';
import type { Overview } from './ui/overview.ts';

export interface Readiness {
  /** At least one terminal can release. */
  readonly ready: boolean;
  readonly terminals: object;
  /** Of each that cannot: why, in a word. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface OperationsPages {
  readonly health: Pick<Health, 'overdue'>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  ready(): Readiness;
  status(): object;
  /** Those of its fleet; absent where it is in none. */
  readonly gateways?: Gateways | undefined;
  /** For administrators; the listener alone has it. */
  readonly overview: Overview;
}

/** Whoever asks for them asks again soon. */
const fleetLimit = seconds(5);

/** A monitoring system may ask for the status of an answer alone. */
const heads = { exposeHeadRoute: true };

export function servePages(app: FastifyInstance, pages: OperationsPages): void {
  const { health, metrics } = pages;
  app.get('/healthz', heads, async (_request, reply) => {
    const overdue = health.overdue();
    return overdue.length === 0 ? { status: 'ok' } : reply.code(503).send(overdue);
  });
  app.get('/readyz', heads, async (_request, reply) => {
    const readiness = pages.ready();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  app.get('/metrics', heads, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  app.get('/status', heads, async () => pages.status());
  const { gateways } = pages;
  if (!gateways) return;
  // An error keeps the list that Prometheus has.
  app.get('/targets', heads, async (_request, reply) => {
    try {
      return targetsOf(await gateways.seen(systemClock.deadline(fleetLimit)));
    } catch (error) {
      return reply.code(503).send({ detail: error instanceof Error ? error.message : '' });
    }
  });
}
