/**
 * Scanning with the simulated cloud: workflows, their connectors, and access to them (spec, ScanWorkflowTemplateInfo,
 * ScanConnectorInfo, ScanWorkflowAccessInfo).
 */
import { Deviation, errorAnswer, refused } from '../call.ts';
import type { CloudContext } from '../context.ts';
import { readJson } from '../parameters.ts';
import { quartet } from '../permissions.ts';
import type {
  AccessData,
  ConnectorData,
  ConnectorType,
  ScanAccess,
  ScanConnector,
  ScanWorkflow,
  Target,
  WorkflowData,
} from '../records/scan-records.ts';
import { accessData, connectorData, workflowData } from '../records/scan-records.ts';
import type { Collection } from './collection.ts';

/** The connector type that each target requires. */
const connectorFor: Readonly<Record<Target, ConnectorType>> = {
  smtpConnector: 'EMAIL',
  siteBConnector: 'SITE_B_ONLINE_OAUTH2',
  driveAConnector: 'DRIVE_A_BUSINESS_OAUTH2',
  driveCConnector: 'DRIVE_C_OAUTH2',
};

const aboutWorkflows = 'spec, ScanWorkflowTemplateInfo';

export const scanWorkflows: Collection<ScanWorkflow, WorkflowData> = {
  path: '/scan/workflows',
  section: aboutWorkflows,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanWorkflows: items }) => items,
  list: 'scanWorkflows',
  open: requireScanning,
  read: (call) => readJson(call, { schema: workflowData, section: aboutWorkflows }),
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
      throw new Deviation(`${name} is not for a connector of ${type}`, aboutWorkflows, errorAnswer(400));
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

const aboutConnectors = 'spec, ScanConnectorInfo';

export const scanConnectors: Collection<ScanConnector, ConnectorData> = {
  path: '/scan/connectors',
  section: aboutConnectors,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanConnectors: items }) => items,
  list: 'scanConnectors',
  open: requireScanning,
  read: (call) => readJson(call, { schema: connectorData, section: aboutConnectors }),
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
function requireScanning({ settings }: CloudContext): void {
  if (settings.scanning === 'hidden') throw refused('this account has no scanning', 403);
}

const aboutAccess = 'spec, ScanWorkflowAccessInfo';

export const scanAccess: Collection<ScanAccess, AccessData> = {
  path: '/scan/access',
  section: aboutAccess,
  permissions: quartet('ScanWorkflowAccessRule'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanAccess: items }) => items,
  list: 'scanAccess',
  open: requireScanning,
  read: (call) => readJson(call, { schema: accessData, section: aboutAccess }),
  show: (access, { state }) => ({
    ...access,
    // The workflow may have been renamed.
    workflowName: state.scanWorkflows.find(({ id }) => id === access.workflowId)?.name ?? access.workflowName,
  }),
  make(given, { context, id, before }) {
    const { workflowId, workflowName, identityId, identityName, allowAccess } = given;
    const { identityType = before?.identityType ?? 'User' } = given;
    const isSameType = identityType === before?.identityType;
    const workflow = context.state.scanWorkflows.find(
      fits('workflow', workflowId, workflowName, before?.workflowId),
    );
    const identity = identitiesIn(context, identityType).find(
      fits('identity', identityId, identityName, isSameType ? before.identityId : undefined),
    );
    if (!workflow || !identity) throw refused('no such workflow or identity', 404);
    return {
      id,
      identityType,
      allowAccess,
      workflowId: workflow.id,
      workflowName: workflow.name,
      identityId: identity.id,
      identityName: identity.name,
    };
  },
};

interface Named {
  readonly id: number;
  readonly name: string;
}

/** By id, by name, or by both. A change without either keeps the old one. */
function fits(what: string, id: number | undefined, name: string | undefined, before: number | undefined) {
  const wanted = id ?? (name === undefined ? before : undefined);
  if ((wanted ?? name) === undefined) {
    throw new Deviation(`${what}Id or ${what}Name is missing`, aboutAccess, errorAnswer(400));
  }
  return (one: Named): boolean =>
    (wanted === undefined || wanted === one.id) && (name === undefined || name === one.name);
}

const identitiesIn = (
  { state: { users, groups } }: CloudContext,
  type: AccessData['identityType'],
): readonly Named[] =>
  type === 'User'
    ? users.map(({ id, userName }) => ({ id, name: userName }))
    : groups.map(({ id, groupName }) => ({ id, name: groupName }));
