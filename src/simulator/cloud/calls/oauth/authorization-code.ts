/**
 * The authorization code flow of the simulated cloud (spec, Authentication 8): the OAuth 2.1 draft, only on primary
 * servers. There is no sign-in page: the user in `login_hint` counts as signed in.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { seconds } from '../../../../core/duration.ts';
import type { Answer, Call } from '../../call.ts';
import { json, oauthDeviation, oauthError, oauthRefusal, refused, withToken } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formText, readQuery, requireNoParameters } from '../../parameters.ts';
import { grown } from '../../kept-lists.ts';

const section = 'spec, Authentication 8';

const life = seconds(60);

export function showConfiguration(context: CloudContext, call: Call): Answer {
  requirePrimary(context);
  requireNoParameters(call, section);
  const issuer = `${context.scheme}://${call.headers.host ?? 'localhost'}/oauth/v1`;
  return json(200, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'device_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  });
}

/**
 * OAuth 2.1, sections 2.3.1 and 8.4.2: without a fragment. It is a page, or an app with a scheme that is a reversed
 * domain.
 */
const redirectUri = z
  .url()
  .refine((text) => !text.includes('#'), 'expected no fragment')
  .refine(
    (text) => /^(?:https?:|[a-z][a-z0-9+-]*\.)/i.test(text),
    'expected https, http, or a scheme with a dot',
  );

const request = z.strictObject({
  response_type: z.literal('code'),
  client_id: formText,
  redirect_uri: redirectUri,
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'expected the SHA-256 in base64url'),
  code_challenge_method: z.literal('S256'),
  login_hint: formText,
  state: formText.optional(),
  scope: formText.optional(),
});

export function authorize(context: CloudContext, call: Call): Answer {
  requirePrimary(context);
  const asked = readQuery(call, { schema: request, section, refusal: oauthError('invalid_parameters') });
  const { state, clock, chance } = context;
  const user = state.users.find((one) => one.userName === asked.login_hint);
  const answer = new URL(asked.redirect_uri);
  if (asked.state !== undefined) answer.searchParams.set('state', asked.state);
  if (user) {
    const code = chance.bytes(32).toString('base64url');
    state.authorizationCodes = grown(state.authorizationCodes, {
      code,
      userId: user.id,
      clientId: asked.client_id,
      redirectUri: asked.redirect_uri,
      challenge: asked.code_challenge,
      expiresAt: clock.now() + life,
    });
    answer.searchParams.set('code', code);
  } else {
    answer.searchParams.set('error', 'access_denied');
  }
  return { status: 302, headers: { location: answer.href }, body: Buffer.alloc(0) };
}

export const codeFields = {
  code: z.string().regex(/^[\x21-\x7e]+$/, 'expected a code'),
  redirect_uri: z.url(),
  code_verifier: formText,
};

/** Gives the user's tokens. Like any user token, the client `api` refreshes them. */
export function redeem(
  context: CloudContext,
  given: Readonly<Record<'code' | 'client_id' | 'redirect_uri' | 'code_verifier', string>> & {
    readonly client_secret?: string | undefined;
  },
): Answer {
  const { state, clock, tokens, chance, settings } = context;
  // The flow uses the default API key (spec, Authentication 8), and a public client of OAuth 2.1 sends no secret.
  const { apiKey } = settings;
  if ((given.client_secret ?? apiKey) !== apiKey) {
    throw oauthDeviation('invalid_client_secret', 'another API key than the first', section);
  }
  const found = state.authorizationCodes.find((one) => one.code === given.code);
  if (found?.family !== undefined) {
    tokens.revoke(found.family);
    throw oauthDeviation('token_create_error', 'a code was used again', section);
  }
  if (!found || found.expiresAt <= clock.now()) throw oauthRefusal('token_create_error');
  found.family = chance.bytes(8).toString('base64url');
  const challenge = createHash('sha256').update(given.code_verifier).digest('base64url');
  const isSame =
    found.clientId === given.client_id &&
    found.redirectUri === given.redirect_uri &&
    found.challenge === challenge;
  if (!isSame) throw oauthDeviation('token_create_error', 'not what the code was given for', section);
  context.tell(`token: user ${found.userId} has a token for a code`);
  const { userId: holder, family } = found;
  const pair = tokens.issue({ kind: 'user', holder, family, apiKey });
  return withToken({ token_type: 'Bearer', ...pair });
}

function requirePrimary({ settings }: CloudContext): void {
  if (settings.role !== 'primary') throw refused('on primary servers only', 404);
}
