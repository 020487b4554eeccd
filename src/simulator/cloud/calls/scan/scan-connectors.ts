/** Scan connectors of the simulated cloud (spec, ScanConnectorInfo): where scans are sent to, and by which rules. */
import { z } from 'zod';
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { Collection } from '../collection.ts';

const connectorTypes = [
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

/** Which parameters a type of connector may have. */
const parametersOf: Readonly<Partial<Record<ConnectorType, keyof typeof parameters>>> = {
  EMAIL: 'smtpConnectorParameters',
  SITE_B_ONLINE_OAUTH2: 'siteBConnectorParameters',
  GENERIC_HTTPS: 'genericHttpsConnectorParameters',
  SCAN_TO_DOWNLOAD: 'scanToDownloadConnectorParameters',
};

const schema = z
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
type ConnectorData = z.output<typeof schema>;

export type ScanConnector = ConnectorData & { readonly id: number };

const section = 'spec, ScanConnectorInfo';

export const scanConnectors: Collection<ScanConnector, ConnectorData> = {
  path: '/scan/connectors',
  section,
  permissions: quartet('ScanWorkflow'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanConnectors: items }) => items,
  list: 'scanConnectors',
  open: requireScanning,
  read: (call) => readJson(call, { schema, section }),
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

/** Hidden by default, and unavailable for some accounts (spec, What the service does). */
export function requireScanning({ settings }: CloudContext): void {
  if (settings.scanning === 'hidden') throw refused('this account has no scanning', 403);
}
