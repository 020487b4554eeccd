/** Scan workflows of the simulated cloud (spec, ScanWorkflowTemplateInfo). */
import { z } from 'zod';
import { Deviation, errorAnswer, refused } from '../../call.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { Collection } from '../collection.ts';
import type { ConnectorType } from './scan-connectors.ts';
import { requireScanning } from './scan-connectors.ts';
import {
  barcodeOptions,
  driveTarget,
  mailTarget,
  ocrOptions,
  redactionOptions,
  scanOptions,
  separationOptions,
  siteTarget,
  userInput,
} from './scan-options.ts';

/** A PUT leaves them where it does not name them, and takes them away where `enabled` is false. */
const processing = {
  ocrOptions: ocrOptions.nullish(),
  barcodeOptions: barcodeOptions.nullish(),
  documentSeparationOptions: separationOptions.nullish(),
  highlightRedactionOptions: redactionOptions.nullish(),
};

const targets = {
  smtpConnector: mailTarget.optional(),
  siteBConnector: siteTarget.optional(),
  driveAConnector: driveTarget.optional(),
  driveCConnector: driveTarget.optional(),
};

/** The one type of connector that each target is for. */
const connectorFor: Readonly<Record<keyof typeof targets, ConnectorType>> = {
  smtpConnector: 'EMAIL',
  siteBConnector: 'SITE_B_ONLINE_OAUTH2',
  driveAConnector: 'DRIVE_A_BUSINESS_OAUTH2',
  driveCConnector: 'DRIVE_C_OAUTH2',
};

const schema = z.strictObject({
  id: z.int().min(0).optional(),
  name: z.string().min(1).max(100),
  description: z.string().max(300).optional(),
  connectorId: z.int().min(0),
  scanOptions: scanOptions.nullish(),
  ...processing,
  ...targets,
  fileName: z.string().nullish(),
  fileType: z.enum(['PDF', 'TIFF', 'JPEG']),
  sortOrder: z.string().optional(),
  active: z.boolean().default(true),
  userInputs: z.array(userInput).nullish(),
  fileTypeEditableByUser: z.boolean().default(false),
});
type WorkflowData = z.output<typeof schema>;

export type ScanWorkflow = WorkflowData & { readonly id: number };

const section = 'spec, ScanWorkflowTemplateInfo';

export const scanWorkflows: Collection<ScanWorkflow, WorkflowData> = {
  path: '/scan/workflows',
  section,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanWorkflows: items }) => items,
  list: 'scanWorkflows',
  open: requireScanning,
  read: (call) => readJson(call, { schema, section }),
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

/** Behind all that have a number; the spec makes it a text. */
const lastPlace = (workflows: readonly ScanWorkflow[]): string =>
  String(workflows.reduce((last, { sortOrder }) => Math.max(last, Number(sortOrder) || 0), 0) + 1);

function requireFittingTarget(given: WorkflowData, type: ConnectorType): void {
  for (const [name, wanted] of Object.entries(connectorFor)) {
    if (wanted !== type && given[name as keyof typeof targets] !== undefined) {
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
