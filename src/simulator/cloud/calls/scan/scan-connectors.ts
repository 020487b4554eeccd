/** Scan connectors of the simulated cloud (spec, ScanConnectorInfo): the targets of scans, and their rules. */
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { ConnectorData, ScanConnector } from '../../records/scan-records.ts';
import { connectorData } from '../../records/scan-records.ts';
import type { Collection } from '../collection.ts';

const section = 'spec, ScanConnectorInfo';

export const scanConnectors: Collection<ScanConnector, ConnectorData> = {
  path: '/scan/connectors',
  section,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanConnectors: items }) => items,
  list: 'scanConnectors',
  open: requireScanning,
  read: (call) => readJson(call, { schema: connectorData, section }),
  make(given, { context: { settings }, id }) {
    if (settings.hiddenConnectors.includes(given.connectorType)) {
      throw refused(`${given.connectorType} is not to be had`, 400);
    }
    return { ...given, id };
  },
  release({ id }, { state }) {
    if (state.scanWorkflows.some((one) => one.connectorId === id)) {
      throw refused('a workflow uses the connector', 403);
    }
  },
};

/** Scanning is hidden for some accounts (spec, What the service does). */
export function requireScanning({ settings }: CloudContext): void {
  if (settings.scanning === 'hidden') throw refused('this account has no scanning', 403);
}
