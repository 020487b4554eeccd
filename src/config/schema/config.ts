/**
 * The configuration file (contract, section 2): one schema gives the type, the check and the JSON Schema for editors.
 * Unknown keys are mistakes. What lies outside the file is read by `outside.ts`.
 */
import { z } from 'zod';
import { currency } from './currency.ts';
import type { Outside } from './values.ts';
import { conversionRooms } from './values.ts';
import { operations } from './operations.ts';
import { printerNetwork } from './printer-network.ts';
import { support } from './support.ts';
import { terminal } from './terminal.ts';
import { absent, isLoopback, listenAddress, readBy, secretSource, serviceUrl } from './values.ts';

/** Another server of the same service, tried where the one before does not answer (src/cloud/README.md 10). */
const fallback = (outside: Outside) =>
  z.strictObject({
    baseUrl: serviceUrl,
    authUrl: serviceUrl,
    apiKey: secretSource
      .transform(readBy(outside.secret))
      .optional()
      .describe('Else that of the first server'),
    caFile: z.string().min(1).transform(readBy(outside.certificates)).optional(),
  });

export const configSchema = (outside: Outside) =>
  z.strictObject({
    cloud: z
      .strictObject({
        baseUrl: serviceUrl.describe('{base_url}; the API is under /api/v1'),
        authUrl: serviceUrl.describe('{auth_url}; OAuth is under /oauth/v1'),
        apiKey: secretSource.transform(readBy(outside.secret)),
        caFile: z.string().min(1).transform(readBy(outside.certificates)).optional(),
        proxyUrl: secretSource.transform(readBy(outside.proxy)).optional(),
        fallbacks: z
          .array(fallback(outside))
          .default([])
          .describe('Further servers of the service, in the order to try'),
        limits: z
          .strictObject({
            requestsPerSecond: z.number().positive().max(10_000).default(50),
            burst: z.number().int().positive().max(10_000).default(100),
          })
          .prefault({}),
      })
      .prefault(absent),
    device: z
      .strictObject({
        clientId: z.string().min(1).max(255).optional(),
        clientType: z.enum(['printer', 'server']).default('printer'),
        description: z.string().max(255).default('Platen print-release terminal'),
        poll: z
          .strictObject({
            firstSeconds: z.number().int().min(1).max(3600).default(5),
            longestSeconds: z.number().int().min(1).max(3600).default(60),
          })
          .prefault({}),
        sealingKey: secretSource.transform(readBy(outside.key)).optional(),
      })
      .prefault({}),
    stateDir: z.string().min(1).optional().transform(outside.stateDirectory),
    terminals: z.array(terminal(outside)).default([]),
    printerNetwork: printerNetwork.prefault({}),
    kiosk: z
      .strictObject({
        listen: listenAddress
          .prefault('127.0.0.1:7380')
          .refine(
            ({ host }) => isLoopback(host),
            'must be a loopback address: the page is for this machine only',
          ),
        user: z
          .union(
            [z.int().min(0).max(4_294_967_294), z.string().min(1)],
            'must be the name of a user, or a uid',
          )
          .transform(readBy(outside.user))
          .optional()
          .describe('Who the browser runs as: nobody else on this machine is answered'),
        support,
        askAbovePages: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(50)
          .describe('Who is about to print more pages at once is asked first, on the page and at the prompt'),
        currency,
      })
      .prefault({}),
    operations: operations(outside).prefault({}),
    balance: z
      .strictObject({
        onError: z
          .enum(['auto', 'allow', 'deny'])
          .default('auto')
          .describe('Where the balance cannot be checked; auto: deny where prints were seen to be charged'),
      })
      .prefault({}),
    conversion: z
      .strictObject({
        ghostscript: program('gs'),
        qpdf: program('qpdf'),
        require: z
          .enum(conversionRooms)
          .optional()
          .transform(readBy(outside.conversionRoom))
          .describe('The weakest room in which they are run; namespaces unless said'),
      })
      .prefault({})
      .describe('Programs for documents that a printer does not take as they are'),
    history: z.strictObject({ unknownAfterHours: z.number().min(0).max(8760).default(24) }).prefault({}),
    status: z
      .strictObject({
        intervalSeconds: z.number().int().min(5).max(86_400).default(60),
        report: z
          .union([
            z.literal('off'),
            z.strictObject({
              method: z.enum(['PUT', 'POST', 'PATCH']).default('PUT'),
              path: z
                .string()
                .regex(/^\/[^\s?#]*$/, 'must be a path that begins with /')
                .refine(
                  (path) =>
                    [...path.matchAll(/\{(.*?)\}/g)].every(([, name = '']) => placeholders.includes(name)),
                  'may hold the placeholders {outputPortId}, {serialNumber} and {terminalId} only',
                )
                .default('/api/v1/outputports/{outputPortId}/terminalinfo'),
            }),
          ])
          .prefault({}),
      })
      .prefault({}),
    log: z
      .strictObject({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info') })
      .prefault({}),
  });

/** A name on the system's path, or where the program is. */
const program = (usual: string) =>
  z
    .string()
    .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'must be the name of a program, or its absolute path')
    .default(usual);

const placeholders = ['outputPortId', 'serialNumber', 'terminalId'];

export type Config = z.output<ReturnType<typeof configSchema>>;
export type TerminalConfig = Config['terminals'][number];
