/**
 * The kinds of value in the configuration: secrets, addresses, `auto or …`. `Outside` reads data that the file only
 * names.
 */
import { z } from 'zod';
import { Secret } from '../../core/secret.ts';
import type { Logo } from '../brand/logo.ts';
import type { SignerKey } from '../pushed/signature.ts';

/** The JSON Schema keyword for values that are written and never read back. `redacted.ts` relies on it. */
export const neverShown = { writeOnly: true } as const;

export const secretSource = z
  .union(
    [
      z.string().min(1),
      z.strictObject({ file: z.string().min(1) }),
      z.strictObject({ env: z.string().min(1) }),
      z.strictObject({ credential: z.string().regex(/^[A-Za-z0-9._-]+$/) }),
    ],
    'must be a text, { file: PATH }, { env: NAME } or { credential: NAME }',
  )
  .describe('The value itself, or { file: PATH }, { env: NAME }, { credential: NAME }')
  .meta(neverShown);

export type SecretSource = z.output<typeof secretSource>;

/** Stands for each secret that is not read. Checks of a secret's form must accept it. */
export const unread = new Secret('unread');

/** Data that the file only names. Each function throws an `Error` whose message says what is missing. */
export interface Outside {
  secret(source: SecretSource): Secret;
  /** 32 bytes: raw, base64 or hexadecimal. The secret holds them as base64. */
  key(source: SecretSource): Secret;
  /** The address of a proxy. It may contain a user name and a password. */
  proxy(source: SecretSource): Secret;
  /** The address of a fleet's engine. It contains a user name and a password. */
  engineUrl(source: SecretSource): Secret;
  /** The public key of a fleet's signer, in a file that only root may write. */
  signer(file: string): SignerKey;
  /** PEM text. */
  certificates(file: string): string;
  /** The checked picture. */
  logo(file: string): Logo;
  /** The uid, either given directly or found by name in /etc/passwd, passwd(5). */
  user(named: string | number): number;
  /** Default: systemd's StateDirectory, otherwise `state` in the working directory. */
  stateDirectory(named: string | undefined): string;
  /** Default: the room that the container image names, otherwise `namespaces`. */
  conversionRoom(named: ConversionRoom | undefined): ConversionRoom;
}

/** The strongest first. */
export const conversionRooms = ['unit', 'namespaces', 'limits'] as const;
export type ConversionRoom = (typeof conversionRooms)[number];

/** Reads data outside the file during the check. A failure becomes a mistake at that key. */
export const readBy =
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

export const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

export const serviceUrl = z
  .string()
  .refine((text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? ''), 'must be an https:// address')
  .refine((text) => {
    const url = parsedUrl(text);
    return url?.protocol !== 'http:' || isLoopback(url.hostname);
  }, 'http:// is allowed only for a loopback address. Write https://')
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || (url.search === '' && url.hash === '' && url.username === '' && url.password === '');
  }, 'must not contain a user name, a query or a fragment');

export const listenAddress = z.string().transform((text, context) => {
  const match = /^(?<host>\[[0-9a-fA-F:]+\]|[^:[\]\s]+):(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.['port']);
  if (!match?.groups || port > 65_535) {
    context.addIssue({ code: 'custom', message: 'must be HOST:PORT, for example 127.0.0.1:7380' });
    return z.NEVER;
  }
  return { host: String(match.groups['host']).replace(/^\[|\]$/g, ''), port };
});

/** A missing section is checked as an empty one, so that each missing key is reported with its own path. */
export const absent = {} as never;

export const autoOr = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  z.union([z.literal('auto'), schema], `must be auto or ${what}`).default('auto');

export const onOrOff = autoOr(z.boolean(), 'true or false');

export const unlessAuto = <Value>(setting: Value | 'auto'): Exclude<Value, 'auto'> | undefined =>
  setting === 'auto' ? undefined : (setting as Exclude<Value, 'auto'>);
