/**
 * The port DeviceAuthorization: sends the messages of `oauth-messages.ts`, each exactly once, on a connection of its
 * own (INVARIANTS.md B.2, step 4). The enrollment machine decides about the answers.
 */
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceAuthorization } from '../../domain/ports/enrollment.ts';
import { deadlines } from '../http/api.ts';
import type { Answer } from '../http/json.ts';
import type { Client } from './oauth-messages.ts';
import {
  readGrant,
  readRegistration,
  refreshRequest,
  registrationRequest,
  tokenRequest,
} from './oauth-messages.ts';
import type { Call, Transport } from '../http/transport.ts';

export interface AuthorizationDeps {
  readonly transport: Transport;
  readonly client: Client;
  readonly clock: Clock;
}

export function createAuthorization({ transport, client, clock }: AuthorizationDeps): DeviceAuthorization {
  const send = (call: Call, { signal }: CallOptions): Promise<Answer> =>
    // The login of a person may wait for the token.
    transport.call({ ...call, urgency: 'person' }, { signal: clock.deadline(deadlines.background, signal) });

  return {
    async register(device, kind, options) {
      return readRegistration(await send(registrationRequest(client, device, kind), options), clock.now());
    },
    async requestToken(device, code, options) {
      return readGrant(await send(tokenRequest(client, device, code), options), clock.now());
    },
    async refresh(device, refreshToken, options) {
      return readGrant(await send(refreshRequest(client, device, refreshToken), options), clock.now());
    },
  };
}
