/** Scan workflows of the simulated cloud (spec, ScanWorkflowTemplateInfo). */
import { Deviation, errorAnswer, refused } from '../../call.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { ConnectorType, ScanWorkflow, Target, WorkflowData } from '../../records/scan-records.ts';
import { workflowData } from '../../records/scan-records.ts';
import type { Collection } from '../collection.ts';
import { requireScanning } from './scan-connectors.ts';
/** The connector type that each target requires. */
const connectorFor: Readonly<Record<Target, ConnectorType>> = {
  smtpConnector: 'EMAIL',
  siteBConnector: 'SITE_B_ONLINE_OAUTH2',
  driveAConnector: 'DRIVE_A_BUSINESS_OAUTH2',
  driveCConnector: 'DRIVE_C_OAUTH2',
};

const section = 'spec, ScanWorkflowTemplateInfo';

export const scanWorkflows: Collection<ScanWorkflow, WorkflowData> = {
  path: '/scan/workflows',
  section,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanWorkflows: items }) => items,
  list: 'scanWorkflows',
  open: requireScanning,
  read: (call) => readJson(call, { schema: workflowData, section }),
  make(given, { context: { state }, id, before }) {
    const connector = state.scanConnectors.find((one) => one.id === given.connectorId);
    if (!connector) throw refused('no such connector', 404);
    requireFittingTarget(given, connector.connectorType);
    const steps = processingOf(given, before);
    return {
      ...given,
      ...steps,
      id,
      sortOrder: given.sortOrder ?? before?.sortOrder ?? lastPlace(state.scanWorkflows),
      fileTypeEditableByUser: given.fileTypeEditableByUser && !steps.ocrOptions,
    };
  },
  settle({ state }) {
    const there = state.scanWorkflows.map(({ id }) => id);
    state.scanAccess = state.scanAccess.filter(({ workflowId }) => there.includes(workflowId));
  },
};

/** One more than the highest number in use. In the spec, it is a text. */
const lastPlace = (workflows: readonly ScanWorkflow[]): string =>
  String(workflows.reduce((last, { sortOrder }) => Math.max(last, Number(sortOrder) || 0), 0) + 1);

function requireFittingTarget(given: WorkflowData, type: ConnectorType): void {
  for (const [name, wanted] of Object.entries(connectorFor)) {
    if (wanted !== type && given[name as Target] !== undefined) {
      throw new Deviation(`${name} is not for a connector of ${type}`, section, errorAnswer(400));
    }
  }
}

function processingOf(given: WorkflowData, before: ScanWorkflow | undefined) {
  const kept = <Part extends { readonly enabled: boolean }>(
    part: Part | null | undefined,
    old: Part | null | undefined,
  ): Part | null => (part ? (part.enabled ? part : null) : (old ?? null));
  return {
    ocrOptions: kept(given.ocrOptions, before?.ocrOptions),
    barcodeOptions: kept(given.barcodeOptions, before?.barcodeOptions),
    documentSeparationOptions: kept(given.documentSeparationOptions, before?.documentSeparationOptions),
    highlightRedactionOptions: kept(given.highlightRedactionOptions, before?.highlightRedactionOptions),
  };
}
