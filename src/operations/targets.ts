/**
 * The addresses where Prometheus asks the gateways of a fleet for their metrics, in its format
 * (https://prometheus.io/docs/prometheus/latest/http_sd/). A gateway that is gone stays in the list, so that Prometheus
 * misses it.
 */
import type { SeenGateway } from '../domain/ports/gateways.ts';

export interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: { readonly __scheme__: 'http' | 'https'; readonly site: string; readonly gateway: string };
}

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
