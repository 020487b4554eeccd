/**
 * Builds the requests of the OAuth side, reads its answers, and sends nothing (src/cloud/README.md 1 to 4; spec,
 * Authentication 7 and Errors 6). It resembles RFC 8628 but differs: an administrator approves, and a user code is
 * passed on if there is one (INVARIANTS.md T24). The JSON of an answer counts, not its status.
 */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign as signBytes } from 'node:crypto';
import { z } from 'zod';
import type { Duration } from '../../core/duration.ts';
import { Secret } from '../../core/secret.ts';
import type {
  DeviceIdentity,
  OAuthCode,
  Registration,
  RegistrationKind,
  TokenGrant,
} from '../../domain/device.ts';
import { oauthCodes, OAuthRefusal } from '../../domain/device.ts';
import { retryAfterOf, statusProblem } from '../http/classify.ts';
import type { Body } from '../http/form.ts';
import { formBody } from '../http/form.ts';
import type { Answer } from '../http/json.ts';
import { nonsense, peek, valueOf } from '../http/json.ts';
import type { Call } from '../http/transport.ts';
import { accessTokenLife, deviceCodeLife, lifetime } from './lifetime.ts';
import { tokenText } from './token-text.ts';

/** The facts about this installation that it sends to the service. */
export interface Client {
  /** The `client_secret`. */
  readonly apiKey: Secret;
  readonly clientType: 'printer' | 'server';
  /** Shown to the administrator who approves. */
  readonly description: string;
}

export function registrationRequest(client: Client, device: DeviceIdentity, kind: RegistrationKind): Call {
  const body = formBody([
    ['client_id', device.clientId],
    ['client_secret', client.apiKey.reveal()],
    ['client_type', client.clientType],
    ['response_type', 'device_code'],
    ['client_description', client.description],
    ['public_key', publicKey(device.seed)],
    ['key_type', 'ed25519'],
  ]);
  // Without the signature it is a new registration; with it, it needs no approval (src/cloud/README.md 1).
  return post('register', body, kind === 'repeated' ? device : undefined);
}

export function tokenRequest(client: Client, device: DeviceIdentity, code: Secret): Call {
  return grantRequest(client, device, ['device_code', code]);
}

export function refreshRequest(client: Client, device: DeviceIdentity, refreshToken: Secret): Call {
  return grantRequest(client, device, ['refresh_token', refreshToken]);
}

/** `grant_type` is named like the field that carries the grant: the bare word, not the URN of RFC 8628. */
function grantRequest(client: Client, device: DeviceIdentity, [grant, value]: [string, Secret]): Call {
  const body = formBody([
    ['client_id', device.clientId],
    ['client_secret', client.apiKey.reveal()],
    ['grant_type', grant],
    [grant, value.reveal()],
  ]);
  return post('token', body, device);
}

const post = (endpoint: string, body: Body, signer: DeviceIdentity | undefined): Call => ({
  method: 'POST',
  path: `/oauth/v1/${endpoint}`,
  body,
  ...(signer === undefined ? {} : { headers: { 'HCP-Request-Signature': sign(signer.seed, body.bytes) } }),
});

const registrationAnswer = z.object({
  device_code: tokenText,
  // The spec lists none (src/cloud/README.md 1): a text in another form is ignored.
  user_code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,32}$/)
    .optional()
    .catch(undefined),
  expires_in: z.unknown().optional(),
});

const tokenAnswer = z.object({
  token_type: z
    .string()
    .regex(/^bearer$/i, 'is not Bearer')
    .nullish(),
  access_token: tokenText,
  refresh_token: tokenText,
  expires_in: z.unknown().optional(),
});

/** `now` and `expiresAt` are wall time. Throws `OAuthRefusal` for a verdict, a `Problem` for a fault. */
export function readRegistration(answer: Answer, now: number): Registration {
  const { device_code: code, user_code: userCode, expires_in } = read(answer, registrationAnswer, now);
  return {
    deviceCode: new Secret(code),
    expiresAt: now + lifetime(expires_in, deviceCodeLife),
    ...(userCode === undefined ? {} : { userCode }),
  };
}

/** `now` is wall time. Throws `OAuthRefusal` for a verdict, a `Problem` for a fault. */
export function readGrant(answer: Answer, now: number): TokenGrant {
  const grant = read(answer, tokenAnswer, now);
  return {
    accessToken: new Secret(grant.access_token),
    refreshToken: new Secret(grant.refresh_token),
    expiresIn: lifetime(grant.expires_in, accessTokenLife),
  };
}

function read<T>(answer: Answer, schema: z.ZodType<T>, now: number): T {
  // A redirect comes from another server.
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const failed = isRedirect ? {} : (oauthError.safeParse(peek(answer)).data ?? {});
  const code = codeOf(failed);
  if (code !== undefined) throw refusal(code, retryAfterOf(answer.headers, now));
  const fault = statusProblem(answer, 'key', now);
  if (fault) throw fault;
  if (failed.error !== undefined) throw nonsense(answer, 'an error that is not in the published list');
  return valueOf(answer, schema);
}

const optionalText = z.string().optional().catch(undefined);
const oauthError = z.object({
  error: optionalText,
  error_description: optionalText,
  x_error_code: optionalText,
});
type OAuthError = Partial<z.infer<typeof oauthError>>;

const known = (word: string | undefined): OAuthCode | undefined => oauthCodes.find((code) => code === word);

/** The rule of src/cloud/README.md 4. The description's own words go no further: they may repeat sent data. */
function codeOf({ x_error_code, error, error_description = '' }: OAuthError): OAuthCode | undefined {
  const words = [x_error_code, error, ...(error_description.match(/\w+/g) ?? [])];
  const code = words.map(known).find((one) => one !== undefined);
  return code ?? (/authorization pending/i.test(error_description) ? 'authorization_pending' : undefined);
}

const refusal = (code: OAuthCode, retryAfter: Duration | undefined): OAuthRefusal =>
  new OAuthRefusal(code, `the service answered ${code}`, retryAfter === undefined ? {} : { retryAfter });

/** PKCS#8 of an Ed25519 key up to its seed (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const keyLength = 32;

function privateKey(seed: Secret): KeyObject {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(seed.reveal(), 'base64')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/**
 * The value of the header HCP-Request-Signature: base64, standard alphabet, padded. Ed25519 (RFC 8032) over the bytes
 * of a request body exactly as sent, without pre-hash, context or newline (src/cloud/README.md 2).
 */
export const sign = (seed: Secret, body: Buffer): string =>
  signBytes(null, body, privateKey(seed)).toString('base64');

/** The plain 32 bytes, base64: the last bytes of the SubjectPublicKeyInfo. */
export const publicKey = (seed: Secret): string =>
  createPublicKey(privateKey(seed))
    .export({ format: 'der', type: 'spki' })
    .subarray(-keyLength)
    .toString('base64');
