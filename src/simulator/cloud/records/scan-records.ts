/**
 * Scan connectors, workflows and access of the simulated cloud, as requests give them and as they are stored (spec,
 * ScanConnectorInfo, ScanWorkflowTemplateInfo, ScanWorkflowAccessInfo). Each has its own rules.
 */
import { z } from 'zod';
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

// ---------------------------------------------------------------- connectors

export const connectorTypes = [
  'EMAIL',
  'DRIVE_A_BUSINESS_OAUTH2',
  'SITE_B_ONLINE_OAUTH2',
  'DRIVE_C_OAUTH2',
  'GENERIC_HTTPS',
  'SCAN_TO_DOWNLOAD',
] as const;
export type ConnectorType = (typeof connectorTypes)[number];

const parameters = {
  smtpConnectorParameters: z.strictObject({ messagingConfigId: z.int().min(0).optional() }).optional(),
  siteBConnectorParameters: z.strictObject({ siteName: z.string().default('') }).optional(),
  genericHttpsConnectorParameters: z
    .strictObject({
      endpointUrl: z.url({ protocol: /^https$/, message: 'expected a valid HTTPS URL' }),
      properties: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  scanToDownloadConnectorParameters: z
    .strictObject({
      notificationEnabled: z.boolean().default(false),
      messagingConfigId: z.int().min(0).optional(),
      templateConfigId: z.int().min(0).optional(),
    })
    .refine(
      (one) =>
        !one.notificationEnabled ||
        (one.messagingConfigId !== undefined && one.templateConfigId !== undefined),
      'notifications need messagingConfigId and templateConfigId',
    )
    .optional(),
};

/** The parameters that each type of connector may have. */
const parametersOf: Readonly<Partial<Record<ConnectorType, keyof typeof parameters>>> = {
  EMAIL: 'smtpConnectorParameters',
  SITE_B_ONLINE_OAUTH2: 'siteBConnectorParameters',
  GENERIC_HTTPS: 'genericHttpsConnectorParameters',
  SCAN_TO_DOWNLOAD: 'scanToDownloadConnectorParameters',
};

export const connectorData = z
  .strictObject({
    id: z.int().min(0).optional(),
    name: z.string().min(1).max(100),
    description: z.string().max(300).optional(),
    connectorType: z.enum(connectorTypes),
    ...parameters,
    retryAttemptsCount: z.int().min(0).max(99_999).default(0),
    /** In seconds. */
    retryAttemptsTimeout: z.int().min(0).max(120).default(3),
    deliveryRestrictions: z
      .strictObject({
        enabled: z.boolean().default(false),
        /** In megabytes. */
        maxScanJobSize: z.int().min(1).max(999_999).optional(),
      })
      .refine(
        ({ enabled, maxScanJobSize }) => !enabled || maxScanJobSize !== undefined,
        'restrictions that are enabled need maxScanJobSize',
      )
      .nullish(),
  })
  .superRefine((given, { addIssue }) => {
    const own = parametersOf[given.connectorType];
    for (const name of Object.values(parametersOf)) {
      if (name !== own && given[name] !== undefined) addIssue(`${name} is not for ${given.connectorType}`);
    }
    if (own === 'genericHttpsConnectorParameters' && given[own] === undefined) addIssue(`${own} is missing`);
  });
export type ConnectorData = z.output<typeof connectorData>;

export type ScanConnector = ConnectorData & { readonly id: number };

// ---------------------------------------------------------------- workflows

/** A PUT keeps an option that it does not name, and removes one whose `enabled` is false. */
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
export type Target = keyof typeof targets;

export const workflowData = z.strictObject({
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
export type WorkflowData = z.output<typeof workflowData>;

export type ScanWorkflow = WorkflowData & { readonly id: number };

// ---------------------------------------------------------------- access

export const accessData = z.strictObject({
  id: z.int().min(0).optional(),
  workflowId: z.int().min(0).optional(),
  workflowName: z.string().optional(),
  identityId: z.int().min(0).optional(),
  identityName: z.string().optional(),
  identityType: z.enum(['User', 'Group']).optional(),
  allowAccess: z.boolean().default(true),
});
export type AccessData = z.output<typeof accessData>;

export interface ScanAccess {
  readonly id: number;
  readonly workflowId: number;
  readonly workflowName: string;
  readonly identityId: number;
  readonly identityName: string;
  readonly identityType: 'User' | 'Group';
  readonly allowAccess: boolean;
}
