/** A gateway behind the real operations listener; what it and its fleet tell, a test says. */
import { systemClock } from '../../src/core/clock.ts';
import { Secret } from '../../src/core/secret.ts';
import type { GatewayDigest } from '../../src/domain/gateway-digest.ts';
import type { Gateways, SeenGateway } from '../../src/domain/ports/gateways.ts';
import type { FoundRelease } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { OwnStatus } from '../../src/operations/page/own-status.ts';
import { startOperations } from '../../src/operations/server.ts';
import { createOwnGateway } from '../../src/status/own-gateway.ts';
import { createOverview } from '../../src/operations/ui/overview.ts';
import { sampleDigest, sampleFleet } from '../support/operations/sample-digests.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { sampleRelease } from '../operations/sample-release.ts';
import { sampleStatus } from '../operations/sample-status.ts';
import { recordLog } from '../support/recorded-log.ts';

/** What the gateway tells; it may be changed while the page looks on. */
export interface Told {
  gateways: readonly SeenGateway[] | 'engine-away';
  own: GatewayDigest;
  status: OwnStatus;
  releases: readonly FoundRelease[];
}

export interface ScriptedGateway extends AsyncDisposable {
  readonly told: Told;
  readonly address: string;
}

export async function startScriptedGateway(
  changes: Partial<Told> & { readonly token?: string } = {},
): Promise<ScriptedGateway> {
  const { token, ...said } = changes;
  const told: Told = {
    ...{ gateways: sampleFleet(20), own: sampleDigest(0), status: sampleStatus, releases: [sampleRelease] },
    ...said,
  };
  const gateways: Gateways = {
    async seen() {
      if (told.gateways !== 'engine-away') return told.gateways;
      throw new Problem('fleet-engine-away', 'db.example:5432 did not answer within 2 s');
    },
  };
  const overview = createOverview({
    ...{ gateways, clock: systemClock, alone: createOwnGateway(() => told.own) },
    releases: {
      find: (prefix) => told.releases.find(({ row: { releaseId } }) => releaseId.startsWith(prefix)),
    },
  });
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages({ status: () => told.status, overview }),
    log: recordLog().log,
    ...(token === undefined ? {} : { token: new Secret(token) }),
  });
  return {
    ...{ told, address: `http://127.0.0.1:${operations.address.port}/ui/` },
    [Symbol.asyncDispose]: () => operations[Symbol.asyncDispose](),
  };
}
