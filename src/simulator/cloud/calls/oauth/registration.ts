/** `/oauth/v1/register` of the simulated cloud (src/cloud/README.md 1), and the approval by an administrator. */
import { z } from 'zod';
import { inSeconds } from '../../../../core/duration.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, json, oauthDeviation, oauthError, oauthRefusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formText } from '../../parameters.ts';
import { fits, keyTypes, readOAuth, readPublicKey, signedBytes } from './signature.ts';
import { apiKeysOf } from '../../settings.ts';
import type { Endpoint } from '../../state.ts';
import { grown } from '../../kept-lists.ts';

const section = 'src/cloud/README.md 1';

const registration = z.strictObject({
  client_id: formText,
  client_secret: formText,
  client_type: z.enum(['printer', 'chrome_extension', 'desktop_client', 'mobile_device', 'server']),
  response_type: formText,
  client_description: z.string().optional(),
  state: formText.optional(),
  public_key: formText.optional(),
  key_type: formText.optional(),
});
type Registration = z.infer<typeof registration>;

export function register(context: CloudContext, call: Call): Answer {
  const form = readOAuth(context, call, {
    schema: registration,
    section,
    refusal: oauthError('invalid_parameters'),
  });
  if (form.response_type !== 'device_code') {
    throw oauthDeviation('invalid_response_type', `response_type is ${form.response_type}`, section);
  }
  if (!apiKeysOf(context.settings).includes(form.client_secret)) throw oauthRefusal('invalid_client_secret');
  const publicKey = keyOf(form);
  const known = context.state.endpoints.find((one) => one.clientId === form.client_id);
  const signature = call.headers['hcp-request-signature'];
  if (signature === undefined) admit(context, form, publicKey, known);
  else recognise(context, { call, signature: String(signature), publicKey, known });

  const { clock, chance, settings, state } = context;
  const code = chance.bytes(20).toString('base64url');
  state.deviceCodes = grown(state.deviceCodes, {
    code,
    clientId: form.client_id,
    expiresAt: clock.now() + settings.deviceCodeLife,
  });
  return json(200, {
    device_code: code,
    ...(settings.userCodes === 'given' ? { user_code: 'WDJB-MJHT' } : {}),
    ...(form.state === undefined ? {} : { state: form.state }),
    expires_in: inSeconds(settings.deviceCodeLife),
  });
}

/** public_key and key_type come together or not at all. */
function keyOf(form: Registration): string | undefined {
  if (form.public_key === undefined && form.key_type === undefined) return undefined;
  if (form.public_key === undefined || form.key_type === undefined) {
    throw oauthDeviation('invalid_parameters', 'public_key and key_type go together', section);
  }
  const type = keyTypes.find((one) => one === form.key_type);
  if (type === undefined) throw oauthDeviation('invalid_key_type', `key_type is ${form.key_type}`, section);
  try {
    return readPublicKey(form.public_key, type);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Deviation(error.message, section, oauthError('invalid_parameters', error.message));
  }
}

/** Without the signature header, it is a new registration (src/cloud/README.md 1). */
function admit(
  context: CloudContext,
  form: Registration,
  publicKey: string | undefined,
  known: Endpoint | undefined,
): void {
  if (known) throw oauthRefusal('duplicate_client_id');
  const trusted = context.settings.approval === 'at-once';
  const description = form.client_description ?? '';
  context.state.endpoints.push({
    clientId: form.client_id,
    clientType: form.client_type,
    description,
    publicKey,
    trust: trusted ? 'approved' : 'waiting',
    polls: 0,
  });
  const wait = trusted ? 'is trusted at once' : 'waits for approval';
  context.tell(`register: client ${form.client_id} (${description || 'no description'}) ${wait}`);
}

/** With the signature header, it is a re-registration. It needs no new approval if the signature fits the known key. */
function recognise(
  context: CloudContext,
  given: { call: Call; signature: string; publicKey: string | undefined; known: Endpoint | undefined },
): void {
  const { call, signature, publicKey, known } = given;
  if (known === undefined) throw oauthRefusal('invalid_endpoint');
  if (known.publicKey === undefined) throw oauthRefusal('invalid_client_for_signature_verification');
  if (publicKey === undefined) {
    throw oauthDeviation('invalid_parameters', 're-registration without public_key and key_type', section);
  }
  if (
    publicKey !== known.publicKey ||
    !fits({ body: signedBytes(call), signature, publicKey: known.publicKey })
  ) {
    throw oauthDeviation(
      'invalid_signature',
      'the signature does not fit the known key',
      'src/cloud/README.md 2',
    );
  }
  context.tell(`register: client ${known.clientId} is back, known by its key`);
}

/** The decisions that an administrator can make about a client in the web interface. */
export type Verdict = Exclude<Endpoint['trust'], 'waiting'>;

/**
 * Decides on the named client in any state, or on all waiting clients. Without a name, `withdrawn` concerns every
 * client. Gives the ids of the clients.
 */
export function decide(
  context: CloudContext,
  verdict: Verdict,
  clientId: string | undefined,
): readonly string[] {
  const meant = context.state.endpoints.filter((one) =>
    clientId === undefined ? one.trust === 'waiting' || verdict === 'withdrawn' : one.clientId === clientId,
  );
  if (clientId !== undefined && meant.length === 0) {
    throw new RangeError(`no client ${clientId} has registered`);
  }
  for (const endpoint of meant) {
    endpoint.trust = verdict;
    context.tell(`administrator: client ${endpoint.clientId} ${verdict}`);
  }
  return meant.map((one) => one.clientId);
}
