/**
 * The port Logins: `POST /login` with all five authtypes, and the device token (spec, Login; src/cloud/README.md 6).
 */
import { z } from 'zod';
import { Secret } from '../../core/secret.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { Logins } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Credentials, Login } from '../../domain/user.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { doubtingDenials, withDeviceToken } from '../http/device-bearer.ts';
import type { Body } from '../http/form.ts';
import { formBody } from '../http/form.ts';
import type { Answer } from '../http/json.ts';
import { valueOf } from '../http/json.ts';
import { accessTokenLife, lifetime } from '../oauth/lifetime.ts';
import { repeatSafely } from '../http/repeat.ts';
import { tokenText } from '../oauth/token-text.ts';
import { userInfo, userOf } from './user-info.ts';

/** The owner of each user token: the document list uses it to find entries of other users. */
export type TokenOwners = WeakMap<Secret, string>;

export interface LoginDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly owners: TokenOwners;
  /** How often a login is tried while a person waits; three times by default. */
  readonly tries?: number;
}

const loginAnswer = userInfo.extend({
  isExpired: z.boolean().nullish(),
  token: z.object({ access_token: tokenText, expires_in: z.unknown().optional() }),
});

export const createLogins = (deps: LoginDeps): Logins => new LoginCall(deps);

class LoginCall implements Logins {
  readonly #deps: LoginDeps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
  }

  login(credentials: Credentials, options: CallOptions): Promise<Login> {
    const { clock } = this.#deps;
    return isSpentByLogin(credentials)
      ? this.#once(credentials, { signal: clock.deadline(deadlines.interactive, options.signal) })
      : repeatSafely((within) => this.#once(credentials, within), this.#deps, options);
  }

  async #once(credentials: Credentials, options: CallOptions): Promise<Login> {
    const { tokens } = this.#deps;
    const attempt = (token: Secret) => this.#attempt(credentials, token, options);
    return this.#read(await withDeviceToken(tokens, doubtingDenials(tokens, attempt), options));
  }

  async #attempt(credentials: Credentials, token: Secret, options: CallOptions): Promise<Answer> {
    try {
      return await this.#send(credentials, token, options);
    } catch (error) {
      if (isProblem(error, 'login-refused') && error.status === 401) await this.#refuseDevice(token, options);
      throw error;
    }
  }

  /** The typed secret is only in these octets, and only during the call. */
  async #send(credentials: Credentials, token: Secret, options: CallOptions): Promise<Answer> {
    const body = bodyOf(credentials);
    try {
      const bearer = { authority: 'login', token } as const;
      const isRepeatable = !isSpentByLogin(credentials);
      return await this.#deps.api.request(
        { method: 'POST', path: '/api/v1/login', urgency: 'person', isRepeatable, bearer, body },
        options,
      );
    } finally {
      body.bytes.fill(0);
    }
  }

  /**
   * A bare 401 may be about the person or about the device. A call without the person that needs the device token shows
   * which. (`GET /version` would not do: it needs the API key only.)
   */
  async #refuseDevice(token: Secret, options: CallOptions): Promise<void> {
    const bearer = { authority: 'device', token } as const;
    const ends = { whole: options.signal, beginning: options.signal };
    try {
      const call = { method: 'GET', path: '/api/v1/outputports', bearer, urgency: 'person' } as const;
      const { body } = await this.#deps.api.open(call, ends);
      // Only the status is needed, and the list of a large account takes a while.
      body.destroy();
    } catch (error) {
      if (!isProblem(error) || error.code === 'device-token-refused') throw error;
    }
  }

  #read(answer: Answer): Login {
    const { owners, clock } = this.#deps;
    const info = valueOf(answer, loginAnswer);
    answer.body.fill(0);
    if (info.isExpired === true) throw new Problem('login-refused', `${answer.call}: the user has expired`);
    const user = userOf(info);
    const value = new Secret(info.token.access_token);
    owners.set(value, user.userName);
    return {
      user,
      token: { value, expiresAt: clock.monotonic() + lifetime(info.token.expires_in, accessTokenLife) },
    };
  }
}

/**
 * A password may be a one-time password, which the first login uses up (src/cloud/README.md 6). Any other login has no
 * effect but a token, so after a lost answer it is asked again.
 */
const isSpentByLogin = ({ kind }: Credentials): boolean => kind === 'password';

function bodyOf(credentials: Credentials): Body {
  switch (credentials.kind) {
    case 'password':
      return loginForm(0, credentials.userName, credentials.password);
    case 'card':
      return loginForm(1, credentials.card.reveal(), credentials.password);
    case 'short-id':
      return loginForm(2, credentials.shortId.reveal());
    case 'name':
      return loginForm(3, credentials.userName);
    default:
      return loginForm(4, credentials.email);
  }
}

const loginForm = (authtype: number, userid: string, password?: Secret): Body =>
  formBody([
    ['authtype', authtype],
    ['userid', userid],
    ['password', password?.reveal()],
  ]);
