/** A resource over the real transport against a scripted server, and what every call of every resource has in common. */
import { expect, it } from 'vitest';
import { createApi } from '../../../src/cloud/http/api.ts';
import type { ResourceDeps } from '../../../src/cloud/http/caller.ts';
import { openDispatcher } from '../../../src/cloud/http/dispatcher.ts';
import { createLimiter } from '../../../src/cloud/http/limiter.ts';
import { createTransport } from '../../../src/cloud/http/transport.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createLog } from '../../../src/core/log.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { CallerOptions } from '../../../src/domain/ports/call.ts';
import { asking, deviceTokens, problemOf, userToken } from '../../support/cloud/cloud-under-test.ts';
import type { Reply, ScriptedServer } from '../../support/cloud/scripted-server.ts';
import { answerStatus, startServer } from '../../support/cloud/scripted-server.ts';

export const asUser: CallerOptions = { ...asking, token: userToken };

export interface ResourceUnderTest extends AsyncDisposable {
  readonly server: ScriptedServer;
  readonly parts: ResourceDeps;
  readonly logged: string[];
}

export async function resourceWith(
  reply: Reply,
  options: Partial<ResourceDeps> = {},
): Promise<ResourceUnderTest> {
  const server = await startServer(reply);
  const clock = options.clock ?? systemClock;
  const base = new URL(server.url);
  const logged: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => logged.push(line) } });
  const transport = createTransport({
    base,
    dispatcher: openDispatcher({ url: base }),
    limiter: createLimiter({ limits: { requestsPerSecond: 1000, burst: 1000 }, clock }),
    serviceClock: { heard: () => {} },
    clock,
    log,
    userAgent: 'Platen/test',
    connection: 'keep-alive',
    gate: { pass: () => undefined, heard: () => undefined },
  });
  const api = createApi({ transport, client: { apiKey: new Secret('canary-api-key') }, clock });
  return {
    server,
    parts: { api, tokens: deviceTokens(), serviceTime: { at: () => undefined }, clock, log, ...options },
    logged,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

type CallOfResource = (parts: ResourceDeps, options: CallerOptions) => Promise<unknown>;

/** The call goes out with the token of the user where one is given, and else with the device's. */
export function itGoesWithEitherToken(call: CallOfResource, reply: Reply): void {
  it.each([
    ['the token of the user', asUser, 'Bearer canary-user-token'],
    ['the token of the device', asking, 'Bearer canary-device-token-1'],
  ])('goes with the API key and %s', async (_, options, authorization) => {
    await using under = await resourceWith(reply);
    await call(under.parts, options);
    expect(under.server.asked.map(({ headers }) => headers)).toMatchObject([
      { authorization, 'x-api-key': 'canary-api-key' },
    ]);
  });
}

const refusals: Readonly<Record<number, string>> = {
  400: 'cloud-rejected',
  401: 'user-token-refused',
  403: 'cloud-denied',
  404: 'cloud-not-found',
  405: 'cloud-feature-off',
  503: 'cloud-busy',
};

/** A refusal rejects, after one call; `except` names the statuses that the call takes otherwise. */
export function itRejectsRefusals(call: CallOfResource, except: readonly number[] = []): void {
  const kept = Object.entries(refusals).filter(([status]) => !except.includes(Number(status)));
  it.each(kept)('%s rejects %s, asked once', async (status, code) => {
    await using under = await resourceWith(answerStatus(Number(status)));
    expect((await problemOf(call(under.parts, asUser))).code).toBe(code);
    expect(under.server.asked).toHaveLength(1);
  });
}

/** Method, path with query, and body of each call. */
export const requestsOf = ({ server }: ResourceUnderTest): readonly string[] =>
  server.asked.map(({ method, url, body }) => [method, url, body].filter(Boolean).join(' '));
