/**
 * Where the gateways of a fleet are asked for their metrics, as Prometheus wants to hear it
 * (https://prometheus.io/docs/prometheus/latest/http_sd/). One that is gone is named all the same: it is missed then.
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
