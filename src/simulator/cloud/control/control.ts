/**
 * `/simulator/*`: calls for tests in any language, which the real service does not have. They give deviations and
 * calls, reset the cloud, plan faults, add people and documents, move the clock and approve devices.
 */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { isLoopback, parsedUrl } from '../../../config/schema/values.ts';
import { isoInstant } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import { inSeconds, milliseconds, seconds } from '../../../core/duration.ts';
import type { MovedClock } from '../../moved-clock.ts';
import type { Answer } from '../call.ts';
import { bytes, empty, json } from '../call.ts';
import { formInstant } from '../parameters.ts';
import { inFlight, settingsOutside, settingsTable } from '../settings.ts';
import { faultTimes, isStandardFault, planFault, plannedOrders, standardFaults } from '../standard-faults.ts';
import type { ControlCall } from './control-body.ts';
import { changesIn, formIn, WrongType } from './control-body.ts';
import type { Controlled } from './controlled.ts';

export const isControlCall = (path: string): boolean => path.startsWith('/simulator/');

/**
 * With `keys`, the X-API-Key header must contain one of them. Without `keys`, every program on this machine may call.
 */
export async function answerControl(
  cloud: Controlled,
  call: ControlCall,
  keys: readonly string[] | undefined,
): Promise<Answer> {
  const { method, path, query, headers } = call;
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
  if (query !== '') return refused(400, 'parameters come in the body, not behind the path');
  try {
    return await act(cloud, call);
  } catch (error) {
    if (error instanceof WrongType) return refused(415, error.message);
    if (error instanceof RangeError) return refused(400, error.message);
    throw error;
  }
}

/**
 * Programs on this machine need no key, but a browser lets any page make such a call. Such a page has its own site as
 * `Origin`. If its host name was changed to point to this machine, it has that name as `Host`.
 */
const isFromAnotherSite = ({ host = '', origin = 'http://localhost' }: ControlCall['headers']): boolean =>
  [`http://${host}`, origin].some((place) => !isLoopback(parsedUrl(place)?.hostname ?? ''));

type Act = (cloud: Controlled, call: ControlCall) => Answer | Promise<Answer>;

const refused = (status: number, error: string): Answer => json(status, { error });

const allowing = (methods: Readonly<Record<string, Act>>) => ({ allow: Object.keys(methods).join(', ') });

const controls: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  '/simulator/approve': {
    POST(cloud, call) {
      const { client_id } = fieldsOf(call, ['client_id']);
      return json(200, { approved: client_id === undefined ? cloud.approve() : cloud.approve(client_id) });
    },
  },
  '/simulator/calls': {
    // Without queries and bodies, because they contain secrets.
    GET: ({ calls }) =>
      json(200, {
        calls: calls.map(({ method, path, status, why, fault }) => ({ method, path, status, why, fault })),
      }),
  },
  '/simulator/ca.pem': {
    GET({ authority }) {
      if (authority === undefined) return refused(404, 'the cloud made no certificate; start it with --tls');
      return bytes(200, 'application/x-pem-file', Buffer.from(authority));
    },
  },
  '/simulator/clock': {
    GET: (cloud) => json(200, timeOf(cloud)),
    POST(cloud, call) {
      cloud.advanceClock(spanIn(fieldsOf(call, ['seconds', 'to']), cloud.clock));
      return json(200, timeOf(cloud));
    },
  },
  '/simulator/deviations': {
    GET: ({ deviations }) => json(200, { deviations }),
  },
  '/simulator/deliveries': {
    POST: async (cloud, call) => (await import('./additions.ts')).setDelivery(cloud, call),
  },
  '/simulator/documents': {
    POST: async (cloud, call) => (await import('./additions.ts')).addDocument(cloud, call),
  },
  '/simulator/faults': {
    GET: (cloud) => json(200, { known: Object.keys(standardFaults), planned: plannedOrders(cloud) }),
    POST(cloud, call) {
      const { method, path, fault, times } = fieldsOf(call, ['method', 'path', 'fault', 'times']);
      if (path === undefined) throw new RangeError('path is missing: what the path of the calls ends in');
      if (fault === undefined || !isStandardFault(fault)) {
        throw new RangeError(`fault names none: GET /simulator/faults tells those that there are`);
      }
      planFault(cloud, { method, path, fault, times: faultTimes(times ?? '1') });
      return json(200, { planned: plannedOrders(cloud) });
    },
    DELETE(cloud, call) {
      fieldsOf(call, []);
      cloud.behaveWell();
      return empty(204);
    },
  },
  '/simulator/openapi.yaml': {
    GET: () => bytes(200, 'application/yaml', readFileSync(description())),
  },
  '/simulator/permissions': {
    POST: async (cloud, call) => (await import('./additions.ts')).setPermissions(cloud, call),
  },
  '/simulator/reject': {
    POST(cloud, call) {
      const { client_id } = fieldsOf(call, ['client_id']);
      return json(200, { rejected: client_id === undefined ? cloud.reject() : cloud.reject(client_id) });
    },
  },
  '/simulator/reset': {
    POST(cloud, call) {
      fieldsOf(call, []);
      cloud.reset();
      return empty(204);
    },
  },
  '/simulator/settings': {
    GET: ({ settings }) => json(200, { settings: settingsOutside(settings) }),
    async PATCH(cloud, call) {
      cloud.changeSettings(inFlight(await changesIn(call, settingsTable)));
      return json(200, { settings: settingsOutside(cloud.settings) });
    },
  },
  '/simulator/tokens': {
    DELETE(cloud, call) {
      fieldsOf(call, []);
      cloud.expireTokens('device');
      cloud.expireTokens('user');
      return empty(204);
    },
  },
  '/simulator/users': {
    POST: async (cloud, call) => (await import('./additions.ts')).addUser(cloud, call),
  },
};

/** The same file for src and dist. */
const description = (): string =>
  join(findPackageJSON(import.meta.url) ?? '', '..', 'config', 'platen-cloud.openapi.yaml');

const timeOf = ({ clock }: Controlled) => ({
  now: isoInstant(clock.now()),
  aheadSeconds: inSeconds(milliseconds(clock.ahead())),
});

const longestMove = 10 * 366 * 86_400;

/** By a number of seconds, or to an instant. */
function spanIn({ seconds: by, to }: { seconds?: string; to?: string }, clock: MovedClock): Duration {
  if ((by === undefined) === (to === undefined)) throw new RangeError('give seconds or to, one of the two');
  const wanted = by === undefined ? (instantIn(to) - clock.now()) / 1000 : numberIn(by);
  if (!(wanted > 0)) throw new RangeError('the clock goes forward only; a reset brings it back');
  if (wanted > longestMove) {
    throw new RangeError('the clock goes ten years forward at most in one call; call again to go further');
  }
  return seconds(wanted);
}

function instantIn(text = ''): number {
  const found = formInstant.safeParse(text);
  if (found.success) return found.data;
  throw new RangeError('to is an ISO 8601 instant, for example 2027-01-31T12:00:00Z');
}

function numberIn(text: string): number {
  if (!/^-?\d{1,12}(?:\.\d{1,3})?$/.test(text)) throw new RangeError('seconds is a number, for example 3600');
  return Number(text);
}

/** An unknown parameter is refused, because the order would mean something else without it. */
function fieldsOf<Name extends string>(
  call: ControlCall,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const isKnown = (name: string): name is Name => names.some((one) => one === name);
  const given: Partial<Record<Name, string>> = {};
  for (const [name, value] of formIn(call)) {
    if (!isKnown(name))
      throw new RangeError(`${name} is no parameter here: ${names.join(', ') || 'none is'}`);
    if (given[name] !== undefined) throw new RangeError(`${name} comes twice`);
    if (value === '') throw new RangeError(`${name} is empty`);
    given[name] = value;
  }
  return given;
}
