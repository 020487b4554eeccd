/**
 * The configuration file (contract, section 2): one schema gives the type, the check and the JSON Schema for editors.
 * Unknown keys are mistakes. What lies outside the file is read by `outside.ts`.
 */
import { z } from 'zod';
import type { Outside } from './outside.ts';

const secretSource = z
  .union(
    [
      z.string().min(1),
      z.strictObject({ file: z.string().min(1) }),
      z.strictObject({ env: z.string().min(1) }),
      z.strictObject({ credential: z.string().regex(/^[A-Za-z0-9._-]+$/) }),
    ],
    'must be a text, { file: PATH }, { env: NAME } or { credential: NAME }',
  )
  .describe('The value itself, or { file: PATH }, { env: NAME }, { credential: NAME }');

/** What the schema reads from outside the file (secrets, the CA bundle); a failure is a mistake at that key. */
const readBy =
  <Source, Value>(read: (source: Source) => Value) =>
  (source: Source, context: z.RefinementCtx): Value => {
    try {
      return read(source);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  };

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;
export const isLoopback = (host: string): boolean => loopbackHost.test(host);

const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const serviceUrl = z
  .string()
  .refine((text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? ''), 'must be an https:// address')
  .refine((text) => {
    const url = parsedUrl(text);
    return url?.protocol !== 'http:' || isLoopback(url.hostname);
  }, 'plain http:// is accepted for a loopback address only; write https://')
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || (url.search === '' && url.hash === '' && url.username === '' && url.password === '');
  }, 'must not carry a user name, a query or a fragment');

const listenAddress = z.string().transform((text, context) => {
  const match = /^(?<host>\[[0-9a-fA-F:]+\]|[^:[\]\s]+):(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.['port']);
  if (!match?.groups || port > 65_535) {
    context.addIssue({ code: 'custom', message: 'must be HOST:PORT, as in 127.0.0.1:7380' });
    return z.NEVER;
  }
  return { host: String(match.groups['host']).replace(/^\[|\]$/g, ''), port };
});

const printerSchemes = ['ipp:', 'ipps:', 'socket:', 'cups:', 'windows:'];
const printerUri = z
  .string()
  .refine(
    (text) => printerSchemes.includes(parsedUrl(text)?.protocol ?? ''),
    'must be ipp://, ipps://, socket://, cups: or windows:, as in ipp://10.0.0.7/ipp/print',
  )
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || !/^(ipps?|socket):$/.test(url.protocol) || url.hostname !== '';
  }, 'names no host');

const reader = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('serial'),
    path: z.string().min(1).describe('The device; /dev/serial/by-id/… survives replugging'),
    baudRate: z.number().int().min(110).max(4_000_000).default(9600),
  }),
  z.strictObject({ type: z.literal('hid'), path: z.string().min(1) }),
  z.strictObject({ type: z.literal('pcsc') }),
  z.strictObject({ type: z.literal('tcp-listen'), listen: listenAddress }),
  z.strictObject({ type: z.literal('tcp-connect'), address: listenAddress }),
]);

/** A section left out is checked as an empty one, so that its missing keys are named by their own paths. */
const absent = {} as never;

const autoOr = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  z.union([z.literal('auto'), schema], `must be auto or ${what}`).default('auto');

const terminal = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -'),
  serialNumber: z
    .string()
    .min(1)
    .max(255)
    .describe('Finds the output port and the terminal config in the cloud'),
  printer: z
    .strictObject({
      uri: printerUri,
      outputType: z.enum(['auto', 'raw', 'pdf', 'pcl6', 'ps3', 'ps2']).default('auto'),
      stallSeconds: z
        .number()
        .int()
        .min(5)
        .max(600)
        .default(30)
        .describe('No progress for so long ends the attempt'),
      requireConfirmation: z.boolean().default(false),
    })
    .prefault(absent),
  readers: z.array(reader).default([]),
  card: z.strictObject({ rule: z.string().default('') }).prefault({}),
  outputPortId: autoOr(z.number().int().positive(), 'the number of an output port'),
  delivery: z.enum(['local', 'cloud', 'cloud-then-local']).default('local'),
  finish: z.enum(['delete', 'consume', 'keep']).default('delete'),
  session: z
    .strictObject({
      autoRelease: autoOr(z.boolean(), 'true or false'),
      logoutTimeoutSeconds: autoOr(z.number().int().min(10).max(3600), '10 to 3600'),
    })
    .prefault({}),
});

export const configSchema = (outside: Outside) =>
  z.strictObject({
    cloud: z
      .strictObject({
        baseUrl: serviceUrl.describe('{base_url}; the API is under /api/v1'),
        authUrl: serviceUrl.describe('{auth_url}; OAuth is under /oauth/v1'),
        apiKey: secretSource.transform(readBy(outside.secret)),
        caFile: z.string().min(1).transform(readBy(outside.certificates)).optional(),
        proxyUrl: z
          .string()
          .refine(
            (text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? ''),
            'must be an http:// or https:// address',
          )
          .optional(),
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
    terminals: z.array(terminal).default([]),
    kiosk: z
      .strictObject({
        listen: listenAddress
          .prefault('127.0.0.1:7380')
          .refine(
            ({ host }) => isLoopback(host),
            'must be a loopback address: the page is for this machine only',
          ),
      })
      .prefault({}),
    operations: z.strictObject({ listen: listenAddress.prefault('127.0.0.1:7381') }).prefault({}),
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

const placeholders = ['outputPortId', 'serialNumber', 'terminalId'];

export type Config = z.output<ReturnType<typeof configSchema>>;
export type TerminalConfig = Config['terminals'][number];
