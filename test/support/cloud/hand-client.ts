/** A terminal's calls to the cloud, written by hand with fetch: what the simulated cloud is tried with. */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, sign } from 'node:crypto';
import type { SimulatedCloud } from '../../../src/simulator/cloud/cloud.ts';

/** The published sample key of src/cloud/README.md 2. */
const seed = Buffer.from('pP20r1Hmqf5NTO8Rd7Truipu5f8aR+Em47cTvWleTc8=', 'base64');
const publicKey = 'HUUtnCdtG1x9oiSI4ODtvIEmI/qp7lFknsu1lpVk8T8=';
export const clientId = '0966a26c-a5fc-4276-9c6b-587d02aceb91';
const key: KeyObject = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});

export const signatureOf = (body: string): string => sign(null, Buffer.from(body), key).toString('base64');

export const form = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');

export interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** To the API side, with the API key. A body is a form unless its content type says otherwise. */
export function api(cloud: SimulatedCloud, path: string, sent: Sent = {}): Promise<Response> {
  const { method = 'GET', token, headers, body } = sent;
  return fetch(`${cloud.baseUrl}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'x-api-key': cloud.apiKey,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

export function oauth(
  cloud: SimulatedCloud,
  path: string,
  body: string,
  signature: string | undefined = signatureOf(body),
): Promise<Response> {
  return fetch(`${cloud.authUrl}/oauth/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signature === '' ? {} : { 'HCP-Request-Signature': signature }),
    },
    body,
  });
}

export const unsigned = '';

export const registration = (cloud: SimulatedCloud): Record<string, string> => ({
  client_id: clientId,
  client_secret: cloud.apiKey,
  client_type: 'printer',
  response_type: 'device_code',
  client_description: 'Lobby gateway',
  state: 'nonce-1',
  public_key: publicKey,
  key_type: 'ed25519',
});

export const grant = (
  cloud: SimulatedCloud,
  fields: { device_code: string } | { refresh_token: string },
): Record<string, string> => ({
  client_id: clientId,
  client_secret: cloud.apiKey,
  grant_type: 'device_code' in fields ? 'device_code' : 'refresh_token',
  ...fields,
});

export async function fieldsOf(answer: Response): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  return Object(body);
}

export async function textField(answer: Response, name: string): Promise<string> {
  return String((await fieldsOf(answer))[name]);
}

/** Registers, is approved, and has its tokens. */
export async function enrol(cloud: SimulatedCloud): Promise<{ device: string; refresh: string }> {
  const registered = await oauth(cloud, '/register', form(registration(cloud)), unsigned);
  const device_code = await textField(registered, 'device_code');
  cloud.approve();
  const tokens = await fieldsOf(await oauth(cloud, '/token', form(grant(cloud, { device_code }))));
  return { device: String(tokens['access_token']), refresh: String(tokens['refresh_token']) };
}

export async function login(cloud: SimulatedCloud, device: string, card = '04A1B2C3D4'): Promise<string> {
  const body = form({ authtype: '1', userid: card });
  const user = await fieldsOf(await api(cloud, '/login', { method: 'POST', token: device, body }));
  return String(Object(user['token'])['access_token']);
}

export const adminCard = '04ADADADAD';

/** A device that is let in, and a person who has logged in at it: alice unless another card is held to it. */
export async function arrive(
  cloud: SimulatedCloud,
  card?: string,
): Promise<{ readonly device: string; readonly user: string }> {
  const { device } = await enrol(cloud);
  return { device, user: await login(cloud, device, card) };
}

/** The documents that wait for the token's user. */
export async function waiting(cloud: SimulatedCloud, token: string): Promise<{ uuid: string }[]> {
  const body: unknown = await (await api(cloud, '/documents?status=0&maxRecords=500', { token })).json();
  return Array.isArray(body) ? body : [];
}
