/**
 * What machines that watch machines read of the agent: `/healthz`, `/readyz`, `/metrics` (contract, section 4) and
 * `/status`, which `platen status` shows. The operations listener has them, and so has the control socket, where no
 * other user of the machine can stand in the way.
 */
import type { FastifyInstance } from 'fastify';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

export interface Readiness {
  /** At least one terminal can release. */
  readonly ready: boolean;
  readonly terminals: object;
}

export interface OperationsPages {
  readonly health: Pick<Health, 'overdue'>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  ready(): Readiness;
  status(): object;
}

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
}
