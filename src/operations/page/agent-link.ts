/**
 * Asks the agent and sends messages to it. The token of its listener is kept for this tab and sent with each request.
 * Nothing else is kept.
 */
import { within } from '../../listener/page/clock.ts';

const longestWait = 12_000;
const key = 'platen-operations-token';

export type Said<Answer> =
  | { readonly is: 'answer'; readonly answer: Answer }
  /** The agent does not have it. */
  | { readonly is: 'missing' }
  | { readonly is: 'token-wanted' }
  | { readonly is: 'certificate-wanted' }
  /** No answer, or an answer that cannot be read. */
  | { readonly is: 'away' };

export type Reply =
  | { readonly is: 'taken' }
  /** A sentence. */
  | { readonly is: 'refused'; readonly detail: string }
  | { readonly is: 'away' };

export interface AgentLink {
  ask<Answer>(path: string): Promise<Said<Answer>>;
  tell(path: string, body: object): Promise<Reply>;
  hasToken(): boolean;
  /** `undefined` forgets it. */
  useToken(token: string | undefined): void;
}

export function createAgentLink(): AgentLink {
  return {
    async ask(path) {
      try {
        const answer = await fetch(path, {
          headers: authorization(),
          signal: within(longestWait),
        });
        if (answer.ok) return { is: 'answer', answer: await answer.json() };
        return { is: refusals[answer.status] ?? 'away' };
      } catch {
        return { is: 'away' };
      }
    },
    async tell(path, body) {
      try {
        const answer = await fetch(path, {
          method: 'POST',
          headers: { ...authorization(), 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: within(longestWait),
        });
        if (answer.ok) return { is: 'taken' };
        const { detail = 'This gateway refused it.' } = await answer.json().catch(() => ({}));
        return { is: 'refused', detail };
      } catch {
        return { is: 'away' };
      }
    },
    hasToken: () => sessionStorage.getItem(key) !== null,
    useToken(token) {
      if (token === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, token);
    },
  };
}

function authorization(): Readonly<Record<string, string>> {
  const token = sessionStorage.getItem(key);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

const refusals: Readonly<Record<number, 'missing' | 'token-wanted' | 'certificate-wanted'>> = {
  401: 'token-wanted',
  403: 'certificate-wanted',
  404: 'missing',
};
