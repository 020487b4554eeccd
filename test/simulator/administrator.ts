/** An administrator of the simulated cloud who makes calls by hand, in JSON or as forms. */
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { adminCard, api, arrive } from '../support/cloud/hand-client.ts';

export interface Told {
  readonly status: number;
  /** JSON wherever there is a body. */
  readonly body: unknown;
}

type Value = string | readonly string[];

export interface Administrator extends AsyncDisposable {
  readonly cloud: SimulatedCloud;
  readonly token: string;
  /** Of the device at which the administrator has logged in. */
  readonly device: string;
  ask(method: string, path: string, body?: object): Promise<Told>;
  submit(method: string, path: string, fields: Readonly<Record<string, Value>>): Promise<Told>;
}

async function toldIn(answer: Response): Promise<Told> {
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

export async function administratorOf(options: CloudOptions = {}): Promise<Administrator> {
  const cloud = await startCloud(options);
  const { user: token, device } = await arrive(cloud, adminCard);
  const json = { 'content-type': 'application/json' };
  return {
    cloud,
    token,
    device,
    ask: async (method, path, body) =>
      toldIn(
        await api(cloud, path, {
          method,
          token,
          ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
        }),
      ),
    async submit(method, path, fields) {
      const pairs = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      const body = String(new URLSearchParams(pairs));
      return toldIn(await api(cloud, path, { method, token, body }));
    },
    [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose](),
  };
}
