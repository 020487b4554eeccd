/**
 * Calls of the public API under `{base_url}/api/v1`: the API key on each, and a bearer token if one is needed (spec,
 * Authentication; INVARIANTS.md B.3). The status is checked, so a caller gets only a 2xx.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Authority } from './classify.ts';
import { statusProblem } from './classify.ts';
import type { Ends, OpenAnswer } from './exchange.ts';
import type { Answer } from './json.ts';
import type { Call, Transport } from './transport.ts';
import { answerLimits, collect } from './transport.ts';

/** The time for a whole call: while a person waits, and in the background. */
export const deadlines = { interactive: seconds(10), background: seconds(30) } as const;

export interface ApiCall extends Call {
  /** Absent: the API key is the only authority. */
  readonly bearer?: { readonly authority: Exclude<Authority, 'key'>; readonly token: Secret };
  /** `withheld` for HEAD /account, which the service answers without a key (spec, Authentication 1). */
  readonly apiKey?: 'withheld';
}

export interface ApiDeps {
  readonly transport: Transport;
  /** Its key is read for each call: it may change in the meantime. */
  readonly client: { readonly apiKey: Secret };
  readonly clock: Clock;
}

export interface Api {
  request(call: ApiCall, options: CallOptions): Promise<Answer>;
  /** The body is still to be read. */
  open(call: ApiCall, ends: Ends): Promise<OpenAnswer>;
}

export function createApi({ transport, client, clock }: ApiDeps): Api {
  const withKeys = (call: ApiCall): Call => ({
    ...call,
    ...(call.bearer?.authority === 'user' ? { party: call.bearer.token } : {}),
    headers: {
      ...call.headers,
      ...(call.apiKey === 'withheld' ? {} : { 'x-api-key': client.apiKey.reveal() }),
      ...(call.bearer === undefined ? {} : { authorization: `Bearer ${call.bearer.token.reveal()}` }),
    },
  });
  const judge = (call: ApiCall, answer: Answer): void => {
    const problem = statusProblem(answer, call.bearer?.authority ?? 'key', clock.now());
    if (problem) throw problem;
  };

  return {
    async request(call, options) {
      const answer = await transport.call(withKeys(call), options);
      judge(call, answer);
      return answer;
    },
    async open(call, ends) {
      const answer = await transport.open(withKeys(call), ends);
      if (answer.status >= 300) judge(call, await collect(answer, answerLimits.single));
      return answer;
    },
  };
}
