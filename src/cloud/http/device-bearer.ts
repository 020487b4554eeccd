/**
 * Makes a call with the device token. If the service refuses that token, it makes the call once more with the next one
 * (B.3, 401).
 */
import type { Secret } from '../../core/secret.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { isTimeout } from './network-fault.ts';

export async function withDeviceToken<T>(
  tokens: DeviceTokenSource,
  call: (token: Secret) => Promise<T>,
  options: CallOptions,
): Promise<T> {
  const token = await currentToken(tokens, options);
  try {
    return await call(token);
  } catch (error) {
    if (!isProblem(error, 'device-token-refused')) throw error;
    tokens.refused(token);
    return call(await currentToken(tokens, options));
  }
}

/** For calls that a trusted device may always make: after a 403 the trust itself is in doubt. */
export const doubtingDenials =
  <T>(tokens: DeviceTokenSource, call: (token: Secret) => Promise<T>) =>
  async (token: Secret): Promise<T> => {
    try {
      return await call(token);
    } catch (error) {
      if (isProblem(error, 'cloud-denied')) tokens.denied(token);
      throw error;
    }
  };

async function currentToken(tokens: DeviceTokenSource, options: CallOptions): Promise<Secret> {
  try {
    return await tokens.current(options);
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new Problem('terminal-not-authorized', 'there was no device token in time', {
      cause,
      delivery: 'not-sent',
    });
  }
}
