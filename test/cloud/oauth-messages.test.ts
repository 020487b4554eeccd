/** The OAuth messages, literally: src/cloud/README.md 1 to 4. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/cloud/http/json.ts';
import {
  readGrant,
  readRegistration,
  refreshRequest,
  registrationRequest,
  tokenRequest,
} from '../../src/cloud/oauth/oauth-messages.ts';
import { Secret } from '../../src/core/secret.ts';
import { OAuthRefusal, oauthCodes } from '../../src/domain/device.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';

const device = {
  clientId: '0966a26c-a5fc-4276-9c6b-587d02aceb91',
  seed: new Secret('pP20r1Hmqf5NTO8Rd7Truipu5f8aR+Em47cTvWleTc8='),
};
const client = { apiKey: new Secret('mykey'), clientType: 'printer', description: 'Lobby gateway' } as const;
const now = Date.UTC(2026, 10, 21);

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => ({
  call: 'POST /oauth/v1/token',
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('requests', () => {
  const registered =
    'client_id=0966a26c-a5fc-4276-9c6b-587d02aceb91&client_secret=mykey&client_type=printer' +
    '&response_type=device_code&client_description=Lobby+gateway' +
    '&public_key=HUUtnCdtG1x9oiSI4ODtvIEmI%2Fqp7lFknsu1lpVk8T8%3D&key_type=ed25519';

  it('the first registration carries the key and no signature', () => {
    const call = registrationRequest(client, device, 'first');
    expect(call).toMatchObject({ method: 'POST', path: '/oauth/v1/register' });
    expect(call.body?.bytes.toString()).toBe(registered);
    expect(call.headers).toBeUndefined();
  });

  it('a repeated registration is the same body, signed', () => {
    const call = registrationRequest(client, device, 'repeated');
    expect(call.body?.bytes.toString()).toBe(registered);
    expect(call.headers).toHaveProperty('HCP-Request-Signature', expect.stringMatching(/^[\w+/]{86}==$/));
  });

  it('the token request is the published one, byte for byte', () => {
    const call = tokenRequest(client, device, new Secret('wVgzOcLwemGJPfY_d01E3PA8H3k'));
    expect(call).toMatchObject({ method: 'POST', path: '/oauth/v1/token' });
    expect(call.body?.bytes.toString()).toBe(
      'client_id=0966a26c-a5fc-4276-9c6b-587d02aceb91&client_secret=mykey&grant_type=device_code&device_code=wVgzOcLwemGJPfY_d01E3PA8H3k',
    );
    expect(call.headers).toEqual({
      'HCP-Request-Signature':
        'MKS1dCmgp4rLbZ2oaQeFb9pultWjI0zU7si5lb3oLCJWH8t8jgps4LLz/isPSa5OWfQAtFB3NAu04axirmF9CA==',
    });
  });

  it('the refresh names the refresh token, signed', () => {
    const call = refreshRequest(client, device, new Secret('r-1'));
    expect(call.body?.bytes.toString()).toBe(
      'client_id=0966a26c-a5fc-4276-9c6b-587d02aceb91&client_secret=mykey&grant_type=refresh_token&refresh_token=r-1',
    );
    expect(call.headers).toHaveProperty('HCP-Request-Signature');
  });
});

describe('answers', () => {
  it('a registration is a device code and its life', () => {
    const read = readRegistration(answer({ device_code: 'wVgz', expires_in: 259200 }), now);
    expect(read.deviceCode.reveal()).toBe('wVgz');
    expect(read.expiresAt).toBe(now + 259_200_000);
  });

  it.each([
    ['WDJB-MJHT', 'WDJB-MJHT'],
    [undefined, undefined],
    ['', undefined],
    ['<b>now</b>', undefined],
    ['A'.repeat(33), undefined],
    [7, undefined],
  ])('of the user code %j a registration keeps %j (RFC 8628, 3.3; T24)', (reported, kept) => {
    const read = readRegistration(answer({ device_code: 'wVgz', user_code: reported }), now);
    expect(read.userCode).toBe(kept);
  });

  it('a grant is two tokens and their life', () => {
    const body = {
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: 'a-1',
      refresh_token: 'r-2',
      scope: 'x',
    };
    const grant = readGrant(answer(body), now);
    expect([grant.accessToken.reveal(), grant.refreshToken.reveal(), grant.expiresIn]).toEqual([
      'a-1',
      'r-2',
      3_600_000,
    ]);
  });

  it('without expires_in live as long as src/cloud/README.md says (12, rows 7 and 8)', () => {
    expect(readRegistration(answer({ device_code: 'wVgz' }), now).expiresAt).toBe(now + 259_200_000);
    expect(readGrant(answer({ access_token: 'a', refresh_token: 'r' }), now).expiresIn).toBe(3_600_000);
  });

  it.each([
    ['no refresh token', { access_token: 'a' }],
    ['a token that cannot stand in a header', { access_token: 'a\r\nb', refresh_token: 'r' }],
    ['another kind of token', { token_type: 'mac', access_token: 'a', refresh_token: 'r' }],
    ['no object', ['a']],
  ])('%s is no grant, and what became of the request stays open', (_, body) => {
    expect(() => readGrant(answer(body), now)).toThrow(
      expect.objectContaining({ code: 'cloud-protocol', delivery: 'perhaps' }),
    );
  });
});

const refused = (read: Answer): unknown => {
  try {
    return readGrant(read, now);
  } catch (error) {
    return error;
  }
};

describe('errors (src/cloud/README.md 4)', () => {
  it.each(oauthCodes)('%s is found wherever it stands, whatever the status', (code) => {
    const bodies = [
      { x_error_code: code, error: 'invalid_request' },
      { error: code, error_description: 'no' },
      { error: 'invalid_request', error_description: `The service says: ${code}.` },
    ];
    for (const body of bodies) {
      for (const status of [200, 400, 401, 403, 500]) {
        const error = refused(answer(body, status));
        expect(error).toBeInstanceOf(OAuthRefusal);
        expect(error).toHaveProperty('code', code);
      }
    }
  });

  it('x_error_code goes before error, and error before the description', () => {
    const body = {
      x_error_code: 'invalid_signature',
      error: 'invalid_grant',
      error_description: 'access_denied',
    };
    expect(refused(answer(body, 400))).toHaveProperty('code', 'invalid_signature');
    expect(refused(answer({ ...body, x_error_code: 17 }, 400))).toHaveProperty('code', 'invalid_grant');
  });

  it('the text "Authorization pending" is pending, as the published example has it', () => {
    const body = { error: 'invalid_request', error_description: 'Authorization pending' };
    expect(refused(answer(body, 400))).toHaveProperty('code', 'authorization_pending');
  });

  it('a longer word that holds a code is not that code', () => {
    const body = { error: 'server_error', error_description: 'not_access_denied_at_all' };
    expect(isProblem(refused(answer(body, 500)), 'cloud-busy')).toBe(true);
  });

  it('keeps Retry-After, and nothing of the description (I5)', () => {
    const body = { error: 'slow_down', error_description: 'canary' };
    const error = refused(answer(body, 429, { 'retry-after': '9' }));
    expect(error).toMatchObject({ code: 'slow_down', retryAfter: 9000 });
    expect(String(error)).not.toContain('canary');
  });

  it.each([
    ['an unknown error with 400', answer({ error: 'server_error' }, 400), 'cloud-rejected', 'answered'],
    ['an unknown error with 200', answer({ error: 'server_error' }), 'cloud-protocol', 'perhaps'],
    ['a page with 500', answer('<html>', 500), 'cloud-busy', 'perhaps'],
    ['a page with 404', answer('<html>', 404), 'cloud-not-found', 'answered'],
    ['a page with 200', answer('<html>'), 'cloud-protocol', 'perhaps'],
    ['a redirect, whatever it says', answer({ error: 'access_denied' }, 302), 'cloud-protocol', 'answered'],
  ] as const)('%s is a fault by its status', (_, read, code, delivery) => {
    expect(refused(read)).toMatchObject({ name: 'Problem', code, delivery });
  });
});
