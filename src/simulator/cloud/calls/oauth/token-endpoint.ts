/**
 * `/oauth/v1/token` of the simulated cloud (src/cloud/README.md 3): gives a token for a code or for a refresh token.
 */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, oauthDeviation, oauthError, oauthRefusal, Refusal, withToken } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formText, readQuery } from '../../parameters.ts';
import { codeFields, redeem } from './authorization-code.ts';
import { fits, readOAuth, signedBytes } from './signature.ts';
import { apiKeysOf } from '../../settings.ts';
import type { Endpoint, RefreshToken } from '../../state.ts';

const section = 'src/cloud/README.md 3';

/** RFC 6749, appendix A.17. */
const tokenText = z.string().regex(/^[\x21-\x7e]+$/, 'expected a token');

const client = { client_id: formText, client_secret: formText };
const tokenRequest = z.discriminatedUnion('grant_type', [
  z.strictObject({ ...client, grant_type: z.literal('device_code'), device_code: tokenText }),
  z.strictObject({ ...client, grant_type: z.literal('refresh_token'), refresh_token: tokenText }),
  z.strictObject({
    client_id: formText,
    client_secret: formText.optional(),
    grant_type: z.literal('authorization_code'),
    ...codeFields,
  }),
]);

/** TokenInfo of the OAuth side has this field. TokenInfo of `GET /token` does not (spec, TokenInfo). */
const bearer = { token_type: 'Bearer' } as const;

/** The client_id that refreshes user tokens. */
const userClient = 'api';

const grants = ['device_code', 'refresh_token', 'authorization_code'];
const anyGrant = z.looseObject({ grant_type: formText });

export function requestToken(context: CloudContext, call: Call): Answer {
  const rules = { section, refusal: oauthError('invalid_parameters') };
  const { grant_type } = readOAuth(context, call, { ...rules, schema: anyGrant });
  if (!grants.includes(grant_type)) {
    throw oauthDeviation('invalid_grant', `grant_type is ${grant_type}`, section);
  }
  const form = readOAuth(context, call, { ...rules, schema: tokenRequest });
  if (form.grant_type === 'authorization_code') return redeem(context, form);
  if (!apiKeysOf(context.settings).includes(form.client_secret)) throw oauthRefusal('invalid_client_secret');
  if (form.grant_type === 'refresh_token' && form.client_id === userClient) {
    return refresh(context, {
      ...bearer,
      value: form.refresh_token,
      kind: 'user',
      apiKey: form.client_secret,
    });
  }
  const endpoint = context.state.endpoints.find((one) => one.clientId === form.client_id);
  if (endpoint === undefined) throw oauthRefusal('invalid_endpoint');
  requireSignature(call, endpoint);
  return form.grant_type === 'device_code'
    ? exchange(context, endpoint, form.device_code)
    : refresh(context, { ...bearer, value: form.refresh_token, kind: 'device', endpoint });
}

function requireSignature(call: Call, { publicKey }: Endpoint): void {
  if (publicKey === undefined) return;
  const signature = call.headers['hcp-request-signature'];
  if (signature === undefined) {
    throw oauthDeviation(
      'missing_signature',
      'no signature, though a key was registered',
      'src/cloud/README.md 2',
    );
  }
  if (!fits({ body: signedBytes(call), signature: String(signature), publicKey })) {
    throw oauthDeviation('invalid_signature', 'the signature does not fit the body', 'src/cloud/README.md 2');
  }
}

function exchange(context: CloudContext, endpoint: Endpoint, code: string): Answer {
  const { state, settings, tokens, clock } = context;
  const found = state.deviceCodes.find((one) => one.code === code && one.clientId === endpoint.clientId);
  if (found === undefined) throw oauthRefusal('invalid_device_code');
  if (found.expiresAt <= clock.now()) throw oauthRefusal('expired_device_code');
  const { approval } = settings;
  if (endpoint.trust === 'waiting' && typeof approval === 'object' && endpoint.polls >= approval.afterPolls) {
    endpoint.trust = 'approved';
  }
  if (endpoint.trust === 'rejected') throw oauthRefusal('access_denied');
  if (endpoint.trust !== 'approved') {
    endpoint.polls += 1;
    throw oauthRefusal('authorization_pending');
  }
  state.deviceCodes = state.deviceCodes.filter((one) => one !== found);
  context.tell(`token: client ${endpoint.clientId} has its device token`);
  return withToken({
    token_type: 'Bearer',
    ...tokens.issue({ kind: 'device', holder: endpoint.clientId }),
  });
}

/**
 * `GET /token`, which the OAuth token endpoint has replaced. It still answers, and the call is noted as a deviation.
 */
export function refreshDeprecated(context: CloudContext, call: Call): Answer {
  const schema = z.strictObject({ refresh_token: formText });
  const { refresh_token } = readQuery(call, { schema, section: 'spec, Token' });
  context.note(call, 'a deprecated call; POST /oauth/v1/token replaces it', 'spec, Versioning');
  try {
    return refresh(context, {
      value: refresh_token,
      kind: 'user',
      apiKey: call.headers['x-api-key']?.toString(),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // This side has its own form of errors. The deprecated call was already noted, so this is only a refusal.
    throw new Refusal(error.message, errorAnswer(400));
  }
}

interface RefreshAsked {
  readonly value: string;
  readonly kind: 'device' | 'user';
  readonly endpoint?: Endpoint;
  readonly apiKey?: string | undefined;
  readonly token_type?: 'Bearer';
}

function refresh(context: CloudContext, asked: RefreshAsked): Answer {
  const { tokens } = context;
  if (asked.endpoint && asked.endpoint.trust !== 'approved') {
    throw oauthRefusal('endpoint_not_authorized_for_device_token_refresh');
  }
  const spent = tokens.refresh(asked.value);
  const belongs = spent?.kind === asked.kind && (!asked.endpoint || spent.holder === asked.endpoint.clientId);
  const isOfKey = spent?.apiKey === undefined || spent.apiKey === asked.apiKey;
  if (!spent || !belongs || !isOfKey || tokens.hasExpired(spent)) throw oauthRefusal('token_refresh_error');
  if (spent.spentAt !== undefined) refuseReuse(context, spent, spent.spentAt);
  if (spent.revoked) throw oauthRefusal('token_refresh_error');
  spent.spentAt = context.clock.now();
  spent.mayRecover = false;
  context.tell(`token: the ${asked.kind} token of ${spent.holder} is refreshed`);
  return {
    ...withToken({ ...(asked.token_type && { token_type: asked.token_type }), ...tokens.issue(spent) }),
    settled: (delivered) => {
      spent.mayRecover = !delivered;
    },
  };
}

/** A refresh token works once (spec, Authentication 6). A second use ends its whole family (RFC 9700 4.14.2). */
function refuseReuse(context: CloudContext, token: RefreshToken, spentAt: number): void {
  const { mayRecover, family } = token;
  if (mayRecover && context.clock.now() - spentAt < context.settings.refreshGrace) return;
  context.tokens.revoke(family);
  if (mayRecover) throw oauthRefusal('token_refresh_error');
  throw oauthDeviation('token_refresh_error', 'a refresh token was used again', 'spec, Authentication 6');
}
