/**
 * The pages for monitoring: `/healthz`, `/readyz`, `/metrics` (contract, section 4) and `/status`, which `platen
 * status` shows; in a fleet also `/targets`, with the addresses of the others. The operations listener has them. The
 * control socket has them, too, where no other user of the machine can take its place.
 */
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Gateways, SeenGateway } from '../domain/ports/gateways.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { Overview } from './ui/overview.ts';

interface Readiness {
  /** At least one terminal can release. */
  readonly ready: boolean;
  readonly terminals: object;
  /** For each terminal that cannot: the reason, in a word. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface OperationsPages {
  readonly health: Pick<Health, 'overdue'>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  ready(): Readiness;
  status(): object;
  /** The gateways of its fleet; absent if it is in none. */
  readonly gateways?: Gateways | undefined;
  /** For administrators; only the listener serves it. */
  readonly overview: Overview;
}

/** Prometheus asks again soon. */
const fleetLimit = seconds(5);

/** A monitoring system may ask only for the status of an answer. */
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
  // After an error Prometheus keeps the list that it has.
  app.get('/targets', heads, async (_request, reply) => {
    try {
      return targetsOf(await gateways.seen(systemClock.deadline(fleetLimit)));
    } catch (error) {
      return reply.code(503).send({ detail: error instanceof Error ? error.message : '' });
    }
  });
}

interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: { readonly __scheme__: 'http' | 'https'; readonly site: string; readonly gateway: string };
}

/**
 * The addresses where Prometheus asks the gateways of a fleet for their metrics, in its format
 * (https://prometheus.io/docs/prometheus/latest/http_sd/). A gateway that is gone stays in the list, so that
 * Prometheus misses it.
 */
export const targetsOf = (seen: readonly SeenGateway[]): readonly TargetGroup[] =>
  seen.flatMap(({ digest: { operations, operationsTls, site, name } }) =>
    operations === null
      ? []
      : [
          {
            targets: [operations],
            labels: { __scheme__: operationsTls ? 'https' : 'http', site, gateway: name },
          },
        ],
  );
