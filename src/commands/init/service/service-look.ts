/**
 * The service before anything is written. Is there a print service at the address? Do devices sign in at the second
 * address? Is the API key accepted? The look asks for the token of a device that is not registered. The service must
 * refuse, and the kind of refusal shows whether the key is right (src/cloud/README.md 3 and 4). Nothing is registered,
 * and nothing stays in the service.
 */
import { clientOf, cloudServers } from '../../../agent/cloud-server.ts';
import type { Cloud } from '../../../cloud/client.ts';
import { createCloud } from '../../../cloud/client.ts';
import type { Config } from '../../../config/schema/config.ts';
import { systemChance } from '../../../core/chance.ts';
import { systemClock } from '../../../core/clock.ts';
import { seconds } from '../../../core/duration.ts';
import { createLog } from '../../../core/log.ts';
import { Secret } from '../../../core/secret.ts';
import { OAuthRefusal } from '../../../domain/device.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../../domain/ports/enrollment.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import { askPresence } from '../../service-presence.ts';

export interface ServiceFault {
  readonly about: 'baseUrl' | 'authUrl' | 'apiKey';
  /** Something answered and refused, or it is no print service. Another try would give the same answer. */
  readonly isVerdict: boolean;
  readonly sentence: string;
}

export interface ServiceLook {
  /** Absent: the service did not tell it. */
  readonly version?: string;
  readonly faults: readonly ServiceFault[];
}

/** A person waits. */
const limit = seconds(15);

export async function lookAtService(config: Config, { signal }: CallOptions): Promise<ServiceLook> {
  const [server] = cloudServers(config);
  if (!server) throw new Error('the configuration names no server');
  await using cloud = createCloud({
    ...server,
    ...clientOf(config),
    deviceTokens: noToken,
    clock: systemClock,
    chance: systemChance,
    log: createLog({ level: 'fatal' }),
  });
  const call = { signal: systemClock.deadline(limit, signal) };
  const [api, signIn] = await Promise.all([
    lookAtApi(cloud, server.baseUrl, call),
    lookAtSignIn(cloud, server.authUrl, call),
  ]);
  signal.throwIfAborted();
  const faults = [api.fault, signIn].filter((one) => one !== undefined);
  return { ...(api.version === undefined ? {} : { version: api.version }), faults };
}

const wrongAddress =
  '. The API key is not the reason, because the service did not ask for it. Correct the address; it ends before /api/v1';

const refused =
  'The service does not accept the API key. The key is wrong, expired or disabled, or not allowed from this address.';

const noToken: DeviceTokenSource = {
  async current() {
    throw new Problem('terminal-not-authorized', 'there is no device token yet', { delivery: 'not-sent' });
  },
  refused() {},
  denied() {},
};

interface ApiLook {
  readonly version?: string;
  readonly fault?: ServiceFault;
}

async function lookAtApi(cloud: Cloud, baseUrl: string, call: CallOptions): Promise<ApiLook> {
  try {
    await askPresence(cloud, baseUrl, call);
    return { version: (await cloud.version(call)).version };
  } catch (error) {
    if (isProblem(error, 'cloud-not-found')) {
      return { fault: faultAt('baseUrl', `There is no print service at ${baseUrl}`, error, wrongAddress) };
    }
    // Many accounts do not accept the key alone. The second address then shows whether the key is right.
    if (isProblem(error, 'cloud-denied')) return {};
    return { fault: faultAt('baseUrl', `No print service answers at ${baseUrl}`, error) };
  }
}

async function lookAtSignIn(
  cloud: Cloud,
  authUrl: string,
  call: CallOptions,
): Promise<ServiceFault | undefined> {
  const unknownDevice = {
    clientId: systemChance.uuid(),
    seed: new Secret(systemChance.bytes(32).toString('base64')),
  };
  try {
    await cloud.authorization.requestToken(unknownDevice, new Secret('platen-init'), call);
    return undefined;
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) {
      return faultAt('authUrl', `Devices cannot sign in at ${authUrl}`, error);
    }
    if (error.code !== 'invalid_client_secret') return undefined;
    return { about: 'apiKey', isVerdict: true, sentence: refused };
  }
}

function faultAt(about: ServiceFault['about'], what: string, error: unknown, advice = ''): ServiceFault {
  const { status } = isProblem(error) ? error : {};
  const isVerdict = status !== undefined && status < 500 && ![408, 425, 429].includes(status);
  const why = error instanceof Error ? error.message : String(error);
  return { about, isVerdict, sentence: `${what}. ${why}${advice}` };
}
