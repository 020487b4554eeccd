/** How anybody's client comes to a person's documents at a simulated cloud: over its address alone, unsigned. */
const apiKey = 'sample-api-key';
export const apiKeyHeader = { 'x-api-key': apiKey } as const;
export const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const;

interface Sent {
  readonly body?: string;
  readonly bearer?: string;
}

/** Registers where devices are approved at once, logs alice in by her card, and names a document of hers. */
export async function arrivedAt(origin: string): Promise<{ device: string; user: string; uuid: string }> {
  const client = `client_id=bench&client_secret=${apiKey}`;
  const asked = async (path: string, { body, bearer }: Sent): Promise<unknown> => {
    const answer = await fetch(`${origin}${path}`, {
      headers: {
        ...apiKeyHeader,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : formType),
      },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}`);
    return await answer.json();
  };
  const field = (from: unknown, name: string): unknown => Object(from)[name];
  const registration = `${client}&client_type=printer&response_type=device_code`;
  const code = field(await asked('/oauth/v1/register', { body: registration }), 'device_code');
  const grant = `${client}&grant_type=device_code&device_code=${String(code)}`;
  const device = String(field(await asked('/oauth/v1/token', { body: grant }), 'access_token'));
  const form = 'authtype=1&userid=04A1B2C3D4';
  const person = await asked('/api/v1/login', { body: form, bearer: device });
  const user = String(field(field(person, 'token'), 'access_token'));
  const [document] = (await asked('/api/v1/documents', { bearer: user })) as readonly unknown[];
  return { device, user, uuid: String(field(document, 'uuid')) };
}
