/**
 * `GET /version`: the version of the server (ServerVersionInfo). The API key alone should do. If an account wants a
 * token for every call, it is asked once more with the device's (src/cloud/README.md 12, row 44).
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { parseInstant } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import type { Answer } from '../http/json.ts';
import { headerOf, valueOf } from '../http/json.ts';
import type { Urgency } from '../http/limiter.ts';

export interface ServerVersion {
  readonly version: string;
  readonly buildDate: string | undefined;
  /** The server's wall time at its answer, from its Date header. */
  readonly serverTime: number | undefined;
}

const serverVersion = z.object({ version: z.string(), buildDate: z.string().nullish() });

interface VersionDeps {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly clock: Clock;
  readonly urgency: Urgency;
}

/** If key and token are refused, rejects `cloud-denied` with the token's failure as its cause. */
export async function askVersion(deps: VersionDeps, { signal }: CallOptions): Promise<ServerVersion> {
  const answer = await ask(deps, { signal: deps.clock.deadline(deadlines.interactive, signal) });
  const { version, buildDate } = valueOf(answer, serverVersion);
  const date = headerOf(answer.headers, 'date');
  return {
    version,
    buildDate: buildDate ?? undefined,
    serverTime: date === undefined ? undefined : parseInstant(date),
  };
}

async function ask({ api, tokens, urgency }: VersionDeps, options: CallOptions): Promise<Answer> {
  const call = { method: 'GET', path: '/api/v1/version', urgency } as const;
  try {
    return await api.request(call, options);
  } catch (error) {
    if (!isProblem(error, 'cloud-denied')) throw error;
    try {
      // A token that is refused here is not renewed for it: the answer is worth less than a token.
      const token: Secret = await tokens.current(options);
      return await api.request({ ...call, bearer: { authority: 'device', token } }, options);
    } catch (cause) {
      if (!isProblem(cause, ...refusals)) throw cause;
      throw new Problem('cloud-denied', `${error.message} to the API key alone; then ${cause.message}`, {
        cause,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
    }
  }
}

const refusals = [
  'cloud-denied',
  'device-token-refused',
  'terminal-not-authorized',
  'state-unusable',
] as const;
