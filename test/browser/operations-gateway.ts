/** A gateway behind the real operations listener; what it and its fleet tell, a test says. */
import { systemClock } from '../../src/core/clock.ts';
import { Secret } from '../../src/core/secret.ts';
import type { GatewayDigest } from '../../src/domain/gateway-digest.ts';
import type { Gateways, SeenGateway } from '../../src/domain/ports/gateways.ts';
import type { FoundRelease } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { OwnStatus } from '../../src/operations/page/own-status.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import { createOwnGateway } from '../../src/status/digest.ts';
import type { ToldOutage } from '../../src/operations/ui/answers.ts';
import type { Deeds } from '../../src/operations/ui/deeds.ts';
import { createOverview } from '../../src/operations/ui/overview.ts';
import { sampleDigest, sampleFleet } from '../support/operations/sample-digests.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { sampleRelease } from '../operations/sample-release.ts';
import { sampleStatus } from '../operations/sample-status.ts';
import { recordLog } from '../support/recorded-log.ts';

/** A release that another member has. */
export const elsewhere = 'ffffffff';

/** What the gateway tells; it may be changed while the page looks on. */
export interface Told {
  gateways: readonly SeenGateway[] | 'engine-away';
  own: GatewayDigest;
  status: OwnStatus;
  releases: readonly FoundRelease[];
  outages: readonly ToldOutage[];
  unsettled: ReturnType<Deeds['unsettled']>;
}

export interface ScriptedGateway extends AsyncDisposable {
  readonly told: Told;
  /** What the page has told it. */
  readonly heard: readonly unknown[];
  readonly address: string;
}

export async function startScriptedGateway(
  changes: Partial<Told> & { readonly token?: string } = {},
): Promise<ScriptedGateway> {
  const { token, ...said } = changes;
  const told: Told = {
    gateways: sampleFleet(20),
    own: sampleDigest(0),
    status: sampleStatus,
    releases: [sampleRelease],
    outages: [],
    unsettled: [],
    ...said,
  };
  const heard: unknown[] = [];
  const gateways: Gateways = {
    async seen() {
      if (told.gateways !== 'engine-away') return told.gateways;
      throw new Problem('fleet-engine-away', 'db.example:5432 did not answer within 2 s');
    },
    holderOf: async (prefix) => (prefix === elsewhere ? sampleDigest(4).member : undefined),
  };
  const overview = createOverview({
    gateways,
    clock: systemClock,
    alone: createOwnGateway(() => told.own),
    outage: (reference) => told.outages.find((one) => one.reference === reference),
    deeds: {
      unsettled: () => told.unsettled,
      async settle(releaseIds, word, sayer) {
        heard.push({ releaseIds, word, sayer });
        told.unsettled = told.unsettled.filter(({ releaseId }) => !releaseIds.includes(releaseId));
        return { settled: releaseIds, left: [] };
      },
      acknowledge({ scope, subject }, note, sayer) {
        heard.push({ scope, subject, note, sayer });
        const acknowledged = {
          name: 'name' in sayer ? sayer.name : '',
          note,
          at: '2026-11-26T00:00:00.000Z',
        };
        const conditions = told.status.conditions.map((one) =>
          one.scope === scope && one.subject === subject ? { ...one, acknowledged } : one,
        );
        told.status = { ...told.status, conditions };
        return true;
      },
    },
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
    told,
    heard,
    address: `http://127.0.0.1:${operations.address.port}/ui/`,
    [Symbol.asyncDispose]: () => operations[Symbol.asyncDispose](),
  };
}
