/** The cloud client as the agent makes it, against scripted servers, with what the tests want to look at. */
import type { Chance } from '../../../src/core/chance.ts';
import { systemChance } from '../../../src/core/chance.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Duration } from '../../../src/core/duration.ts';
import { milliseconds } from '../../../src/core/duration.ts';
import { createLog } from '../../../src/core/log.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { CloudClientDeps, ServerCloud } from '../../../src/cloud/client.ts';
import { createCloud } from '../../../src/cloud/client.ts';
import type { Reachability } from '../../../src/cloud/http/gate.ts';
import type { DeviceTokenSource } from '../../../src/domain/ports/enrollment.ts';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import { isProblem } from '../../../src/domain/problem/problem.ts';
import type { UserToken } from '../../../src/domain/user.ts';

const apiKey = new Secret('canary-api-key');
export const userToken: UserToken = { value: new Secret('canary-user-token'), expiresAt: 1e12 };
export const asking = { signal: new AbortController().signal };

/** Jitter that does not wait. */
const hasty: Chance = { ...systemChance, jitter: () => milliseconds(0) };

/** Remembers the waits it was asked for, and takes none. */
export function clockWithoutWaits(): Clock & { readonly waits: Duration[] } {
  const waits: Duration[] = [];
  return {
    ...systemClock,
    waits,
    async sleep(span, options) {
      options?.signal?.throwIfAborted();
      waits.push(span);
    },
  };
}

/** Hands out `canary-device-token-1`, and the next number after each refusal. */
export function deviceTokens(): DeviceTokenSource & { readonly refusals: string[] } {
  let number = 1;
  const refusals: string[] = [];
  return {
    refusals,
    current: async () => new Secret(`canary-device-token-${number}`),
    refused(token) {
      refusals.push(token.reveal());
      number += 1;
    },
    denied: () => {},
  };
}

export interface CloudUnderTest extends AsyncDisposable {
  readonly cloud: ServerCloud;
  readonly tokens: ReturnType<typeof deviceTokens>;
  readonly logged: string[];
  /** What the link said stands in the way, each time that was another thing. */
  readonly reached: Reachability[];
}

export function cloudAt(url: string, options: Partial<CloudClientDeps> = {}): CloudUnderTest {
  const tokens = deviceTokens();
  const logged: string[] = [];
  const reached: Reachability[] = [];
  const cloud: ServerCloud = createCloud({
    baseUrl: url,
    authUrl: url,
    apiKey,
    limits: { requestsPerSecond: 1000, burst: 1000 },
    clientType: 'printer',
    description: 'Lobby gateway',
    version: '0.1.0',
    report: { method: 'PUT', path: '/api/v1/outputports/{outputPortId}/terminalinfo' },
    deviceTokens: tokens,
    clock: systemClock,
    chance: hasty,
    log: createLog({ level: 'info', destination: { write: (line) => logged.push(line) } }),
    onNews: (news) => news === 'trouble' && reached.push(cloud.link.trouble() ?? 'up'),
    ...options,
  });
  return { cloud, tokens, logged, reached, [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose]() };
}

/** The problem a call ends with. */
export async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const ended = await call.then(
    () => 'a success',
    (error: unknown) => error,
  );
  if (isProblem(ended)) return ended;
  throw new Error('expected a problem', { cause: ended });
}
