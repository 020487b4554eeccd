/**
 * `/simulator/*`: what a test in any language asks of a simulated cloud besides the API, and no part of the real one:
 * what it found against the specification, a new beginning, faults, and devices let in. Parameters are a form.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback, parsedUrl } from '../../../config/schema/values.ts';
import type { Answer } from '../call.ts';
import { empty, json } from '../call.ts';
import type { FaultOrders } from '../faults.ts';
import { standardFaults } from '../standard-faults.ts';
import { faultTimes, isStandardFault, planFault, plannedOrders } from './fault-order.ts';

export interface Controlled extends FaultOrders {
  readonly deviations: readonly string[];
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly status?: number;
    readonly why?: string;
    readonly fault?: string;
  }[];
  /** Throws `RangeError` for a client that is not there. */
  approve(clientId?: string): readonly string[];
  /** Back to what it began with. */
  reset(): void;
}

export interface ControlCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export const isControlCall = (path: string): boolean => path.startsWith('/simulator/');

/** `keys`: one of them has to come in X-API-Key; absent: whoever is on this machine may ask. */
export function answerControl(
  cloud: Controlled,
  { method, path, headers, body }: ControlCall,
  keys: readonly string[] | undefined,
): Answer {
  if (keys && !keys.includes(String(headers['x-api-key']))) {
    return refused(403, 'from outside this machine X-API-Key has to hold one of the API keys');
  }
  if (!keys && isFromAnotherSite(headers)) {
    return refused(403, 'ask by 127.0.0.1 or localhost, and from no page of another site');
  }
  const methods = controls[path];
  if (!methods) return refused(404, `there are ${Object.keys(controls).join(', ')}`);
  const act = methods[method];
  if (!act) return { ...refused(405, `${Object.keys(methods).join(' or ')} it`), headers: allowing(methods) };
  try {
    return act(cloud, new URLSearchParams(body.toString('utf8')));
  } catch (error) {
    if (error instanceof RangeError) return refused(400, error.message);
    throw error;
  }
}

/**
 * Whoever sits at this machine may ask without a key, and a browser lets any page it shows make such a call: with
 * its own site as `Origin`, or, once its name has come to mean this machine, with that name as `Host`.
 */
const isFromAnotherSite = ({ host = '', origin = 'http://localhost' }: IncomingHttpHeaders): boolean =>
  [`http://${host}`, origin].some((place) => !isLoopback(parsedUrl(place)?.hostname ?? ''));

type Act = (cloud: Controlled, form: URLSearchParams) => Answer;

const refused = (status: number, error: string): Answer => json(status, { error });

const allowing = (methods: Readonly<Record<string, Act>>) => ({ allow: Object.keys(methods).join(', ') });

const controls: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  '/simulator/approve': {
    POST(cloud, form) {
      const { client_id } = fieldsOf(form, ['client_id']);
      return json(200, { approved: client_id === undefined ? cloud.approve() : cloud.approve(client_id) });
    },
  },
  '/simulator/calls': {
    // Without their queries and bodies, in which secrets stand.
    GET: ({ calls }) =>
      json(200, {
        calls: calls.map(({ method, path, status, why, fault }) => ({ method, path, status, why, fault })),
      }),
  },
  '/simulator/deviations': {
    GET: ({ deviations }) => json(200, { deviations }),
  },
  '/simulator/faults': {
    GET: (cloud) => json(200, { known: Object.keys(standardFaults), planned: plannedOrders(cloud) }),
    POST(cloud, form) {
      const { method, path, fault, times } = fieldsOf(form, ['method', 'path', 'fault', 'times']);
      if (path === undefined) throw new RangeError('path is missing: what the path of the calls ends in');
      if (fault === undefined || !isStandardFault(fault)) {
        throw new RangeError(`fault names none: GET /simulator/faults tells those that there are`);
      }
      planFault(cloud, { method, path, fault, times: faultTimes(times ?? '1') });
      return json(200, { planned: plannedOrders(cloud) });
    },
    DELETE(cloud) {
      cloud.behaveWell();
      return empty(204);
    },
  },
  '/simulator/reset': {
    POST(cloud, form) {
      fieldsOf(form, []);
      cloud.reset();
      return empty(204);
    },
  },
};

/** A misspelt parameter is told, for its order would mean something else without it. */
function fieldsOf<Name extends string>(
  form: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const isKnown = (name: string): name is Name => names.some((one) => one === name);
  const given: Partial<Record<Name, string>> = {};
  for (const [name, value] of form) {
    if (!isKnown(name))
      throw new RangeError(`${name} is no parameter here: ${names.join(', ') || 'none is'}`);
    if (given[name] !== undefined) throw new RangeError(`${name} comes twice`);
    if (value === '') throw new RangeError(`${name} is empty`);
    given[name] = value;
  }
  return given;
}
