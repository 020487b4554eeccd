/** The port Logins: `POST /login` with a card number and the device token (spec, Login; api-supplement.md 6). */
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import type { CardNumber } from '../../domain/card.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { Logins } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import type { Login } from '../../domain/user.ts';
import type { Api } from '../api.ts';
import { withDeviceToken } from '../device-bearer.ts';
import { formBody } from '../form.ts';
import type { Answer } from '../json.ts';
import { valueOf } from '../json.ts';
import { accessTokenLife, lifetime } from '../lifetime.ts';
import { repeatSafely } from '../repeat.ts';
import { tokenText } from '../token-text.ts';
import { answerLimits } from '../transport.ts';
import { visibleText } from '../visible-text.ts';

/** Whose a user token is: by it the document list knows entries that are not that user's. */
export type TokenOwners = WeakMap<Secret, string>;

export interface LoginParts {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly owners: TokenOwners;
  readonly clock: Clock;
  readonly chance: Chance;
}

const byCardId = 1;

const userInfo = z.object({
  id: z.int(),
  providerId: z.int(),
  userName: z.string().min(1).max(1024),
  fullName: z.string().nullish(),
  isExpired: z.boolean().nullish(),
  token: z.object({ access_token: tokenText, expires_in: z.unknown().optional() }),
});

export function createLogins(parts: LoginParts): Logins {
  const { api, tokens, owners, clock } = parts;

  const send = (card: CardNumber, token: Secret, options: CallOptions): Promise<Answer> =>
    api.request(
      {
        method: 'POST',
        path: '/api/v1/login',
        bearer: { authority: 'login', token },
        body: formBody([
          ['authtype', byCardId],
          ['userid', card.reveal()],
        ]),
      },
      options,
    );

  /**
   * A bare 401 may be about the card or about the device; a call that shows no card and needs the device token tells
   * which. (`GET /version` would not do: it needs the API key only.)
   */
  const refuseDevice = async (token: Secret, options: CallOptions): Promise<void> => {
    const bearer = { authority: 'device', token } as const;
    try {
      await api.request(
        { method: 'GET', path: '/api/v1/outputports', bearer, largestAnswer: answerLimits.list },
        options,
      );
    } catch (error) {
      if (!isProblem(error) || error.code === 'device-token-refused') throw error;
    }
  };

  const attempt = async (card: CardNumber, token: Secret, options: CallOptions): Promise<Answer> => {
    try {
      return await send(card, token, options);
    } catch (error) {
      if (isProblem(error, 'login-refused') && error.status === 401) await refuseDevice(token, options);
      throw error;
    }
  };

  const read = (answer: Answer): Login => {
    const info = valueOf(answer, userInfo);
    if (info.isExpired === true) throw new Problem('login-refused', `${answer.call}: the user has expired`);
    const { id, providerId, userName } = info;
    const value = new Secret(info.token.access_token);
    owners.set(value, userName);
    return {
      user: { id, providerId, userName, fullName: visibleText(info.fullName ?? '') || userName },
      token: { value, expiresAt: clock.monotonic() + lifetime(info.token.expires_in, accessTokenLife) },
    };
  };

  return {
    // It has no effect but a token, so a lost answer is asked for again.
    byCard: (card, options) =>
      repeatSafely(
        async (within) =>
          read(await withDeviceToken(tokens, (token) => attempt(card, token, within), within)),
        parts,
        options,
      ),
  };
}
