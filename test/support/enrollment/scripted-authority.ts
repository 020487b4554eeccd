/**
 * The OAuth side as the port sees it, answering what a test laid out. The protocol itself is spoken by the embedded
 * cloud in the flows; here only the decisions that follow an answer are looked at.
 */
import { hours, seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { DeviceFacts, DeviceTokens, OAuthCode, TokenGrant } from '../../../src/domain/device.ts';
import { OAuthRefusal } from '../../../src/domain/device.ts';
import type { DeviceAuthorization, DeviceStore } from '../../../src/domain/ports/enrollment.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';

type Answer = 'granted' | OAuthCode | 'lost' | 'unreachable' | 'busy' | 'silent' | 'bug';

export interface ScriptedAuthority extends DeviceAuthorization {
  /** `register first`, `register repeated`, `token dc-1`, `refresh rt-1`, in order. */
  readonly calls: string[];
  /** The answers to come, per call; `granted` when none is left. */
  answer(call: 'register' | 'token' | 'refresh', ...answers: Answer[]): void;
}

export function scriptedAuthority(
  options: { tokenLife?: TokenGrant['expiresIn']; userCode?: string } = {},
): ScriptedAuthority {
  const calls: string[] = [];
  const script = new Map<string, Answer[]>();
  let registrations = 0;
  let grants = 0;

  async function answerTo<Value>(call: string, signal: AbortSignal, granted: () => Value): Promise<Value> {
    const answer = script.get(call)?.shift() ?? 'granted';
    switch (answer) {
      case 'granted':
        return granted();
      case 'lost':
        throw new Problem('cloud-protocol', 'the answer was cut', { delivery: 'perhaps' });
      case 'unreachable':
        throw new Problem('cloud-unreachable', 'connection refused', { delivery: 'not-sent' });
      case 'busy':
        throw new Problem('cloud-busy', '503', { status: 503, retryAfter: seconds(7), delivery: 'perhaps' });
      case 'bug':
        throw new TypeError('undefined is not a function');
      case 'silent':
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      default:
        throw new OAuthRefusal(answer, answer);
    }
  }
  const grant = (): TokenGrant => {
    grants += 1;
    return {
      accessToken: new Secret(`at-${grants}`),
      refreshToken: new Secret(`rt-${grants}`),
      expiresIn: options.tokenLife ?? hours(1),
    };
  };

  return {
    calls,
    answer: (call, ...answers) => script.set(call, answers),
    register(_device, kind, { signal }) {
      calls.push(`register ${kind}`);
      return answerTo('register', signal, () => {
        registrations += 1;
        return {
          deviceCode: new Secret(`dc-${registrations}`),
          expiresAt: Number.MAX_SAFE_INTEGER,
          ...(options.userCode === undefined ? {} : { userCode: options.userCode }),
        };
      });
    },
    requestToken(_device, deviceCode, { signal }) {
      calls.push(`token ${deviceCode.reveal()}`);
      return answerTo('token', signal, grant);
    },
    refresh(_device, refreshToken, { signal }) {
      calls.push(`refresh ${refreshToken.reveal()}`);
      return answerTo('refresh', signal, grant);
    },
  };
}

/** The durable facts without a disk; the real store has its own contract suite. */
export function remembered(start: Partial<DeviceFacts> = {}): DeviceStore & { current: DeviceFacts } {
  const store = {
    current: {
      identity: { clientId: 'client-1', seed: new Secret('c2VlZA==') },
      registered: false,
      approved: false,
      registration: undefined,
      tokens: undefined,
      refreshing: undefined,
      ...start,
    } satisfies DeviceFacts as DeviceFacts,
    facts: () => store.current,
    markRegistering: () => {
      store.current = { ...store.current, registered: true };
    },
    saveRegistration: (registration: DeviceFacts['registration'] & object) => {
      store.current = { ...store.current, registration, registered: true };
    },
    forgetRegistration: () => {
      store.current = { ...store.current, registration: undefined };
    },
    markRefreshing: (refreshing: number) => {
      store.current = { ...store.current, refreshing };
    },
    saveTokens: (grant: TokenGrant) => {
      const generation = (store.current.tokens?.generation ?? 0) + 1;
      const tokens: DeviceTokens = { ...grant, generation, issuedAt: 0 };
      store.current = {
        ...store.current,
        tokens,
        approved: true,
        registration: undefined,
        refreshing: undefined,
      };
    },
    forgetTokens: () => {
      store.current = { ...store.current, tokens: undefined, refreshing: undefined };
    },
  };
  return store;
}
