/**
 * The tokens of the simulated cloud: access tokens that expire, and refresh tokens that work once (spec,
 * Authentication).
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds } from '../../core/duration.ts';
import type { AccessToken, CloudState, RefreshToken } from './state.ts';
import { grown } from './kept-lists.ts';

export interface TokenLives {
  readonly device: Duration;
  readonly user: Duration;
  readonly refresh: Duration;
}

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  /** In seconds. */
  readonly expires_in: number;
}

export interface Tokens {
  /** Issues a new pair. Without a family, it starts a new one. */
  issue(to: Pick<AccessToken, 'kind' | 'holder' | 'apiKey'> & { family?: string }): TokenPair;
  /** The token of a bearer, even if it has expired. */
  access(value: string): AccessToken | undefined;
  refresh(value: string): RefreshToken | undefined;
  hasExpired(token: AccessToken): boolean;
  /** Makes every token of the family invalid. */
  revoke(family: string): void;
}

/** An access token and a refresh token of 32 octets each, and 8 octets for their family. */
const chanceOfOne = 72;

export function createTokens(options: {
  state: CloudState;
  /** The current lives. */
  lives(): TokenLives;
  clock: Clock;
  chance: Chance;
}): Tokens {
  const { state, lives, clock, chance } = options;
  // Random bytes are drawn for many tokens at once, because a draw costs as much as the rest of a token.
  let stock: Buffer = Buffer.alloc(0);
  let used = 0;
  return {
    issue({ kind, holder, apiKey, family: given }) {
      if (used === stock.length) {
        stock = chance.bytes(100 * chanceOfOne);
        used = 0;
      }
      const begin = used;
      used += chanceOfOne;
      const text = (from: number, to: number) => stock.toString('base64url', begin + from, begin + to);
      const life = lives();
      const family = given ?? text(64, 72);
      const token = { family, kind, holder, ...(apiKey === undefined ? {} : { apiKey }) };
      const access: AccessToken = { ...token, value: text(0, 32), expiresAt: clock.now() + life[kind] };
      const refresh: RefreshToken = {
        ...token,
        value: text(32, 64),
        expiresAt: clock.now() + life.refresh,
        spentAt: undefined,
        mayRecover: false,
        revoked: false,
      };
      state.accessTokens = grown(state.accessTokens, access);
      state.refreshTokens = grown(state.refreshTokens, refresh);
      return {
        access_token: access.value,
        refresh_token: refresh.value,
        expires_in: inSeconds(life[kind]),
      };
    },
    access: (value) => foundByValue(state.accessTokens, value),
    refresh: (value) => foundByValue(state.refreshTokens, value),
    hasExpired: (token) => token.expiresAt <= clock.now(),
    revoke(family) {
      state.accessTokens = state.accessTokens.filter((one) => one.family !== family);
      for (const token of state.refreshTokens.filter((one) => one.family === family)) {
        token.revoked = true;
        token.mayRecover = false;
      }
    },
  };
}

/** An index for each list: its tokens by value, as far as they were read. */
const indexes = new WeakMap<readonly AccessToken[], { byValue: Map<string, AccessToken>; length: number }>();

/** Lists only grow at their end, or are replaced. Only new entries must be read. */
function foundByValue<Token extends AccessToken>(tokens: readonly Token[], value: string): Token | undefined {
  const index = indexes.get(tokens) ?? { byValue: new Map<string, Token>(), length: 0 };
  indexes.set(tokens, index);
  for (; index.length < tokens.length; index.length += 1) {
    const token = tokens[index.length];
    if (token) index.byValue.set(token.value, token);
  }
  return index.byValue.get(value) as Token | undefined;
}
