/** Makes a call with the token of the given user, or else with the device's (src/cloud/README.md 7). */
import type { Clock } from '../../core/clock.ts';
import type { Env } from '../../domain/env.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import type { Api } from './api.ts';
import { deadlines } from './api.ts';
import { withDeviceToken } from './device-bearer.ts';
import type { Answer } from './json.ts';
import type { Call } from './transport.ts';

export interface ResourceDeps extends Pick<Env, 'clock' | 'log'> {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly serviceTime: ServiceTime;
}

export async function askAs(
  { api, tokens }: Pick<ResourceDeps, 'api' | 'tokens'>,
  call: Call,
  options: CallerOptions,
): Promise<Answer> {
  const { token: user } = options;
  if (user) return api.request({ ...call, bearer: { authority: 'user', token: user.value } }, options);
  return withDeviceToken(
    tokens,
    (token) => api.request({ ...call, bearer: { authority: 'device', token } }, options),
    options,
  );
}

/** The same options with the deadline of a background call; for a list, it covers all pages together. */
export const inBackground = (clock: Clock, options: CallerOptions): CallerOptions => ({
  ...options,
  signal: clock.deadline(deadlines.background, options.signal),
});

/** The result of the call, or `undefined` if the service answers with one of these statuses. */
export async function unlessStatus<T>(statuses: readonly number[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isProblem(error) && error.status !== undefined && statuses.includes(error.status)) return undefined;
    throw error;
  }
}
