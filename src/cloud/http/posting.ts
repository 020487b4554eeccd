/**
 * Posts to receivers that are not the service, by the service's rules: TLS checked, a proxy where there is one, bounded
 * answers, no redirect followed.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import type { Posting } from '../../domain/ports/posting.ts';
import { statusProblem } from './classify.ts';
import { openDispatcher } from './dispatcher.ts';
import { exchange } from './exchange.ts';
import { answerLimits, collect } from './transport.ts';

export interface PostingOptions {
  /** Of the configuration, that has the two below: `notify`. */
  readonly section: string;
  /** PEM, added to the roots that are trusted anyway. */
  readonly ca?: string | undefined;
  /** Else HTTPS_PROXY is taken; NO_PROXY holds for both. */
  readonly proxyUrl?: Secret | undefined;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
}

export function createPosting({ section, ca, proxyUrl, version, clock }: PostingOptions): Posting {
  const dispatchers = new Map<string, Dispatcher>();

  function dispatcherTo(url: URL): Dispatcher {
    const open =
      dispatchers.get(url.origin) ??
      openDispatcher({
        url,
        ...(ca === undefined ? {} : { ca }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
      });
    dispatchers.set(url.origin, open);
    return open;
  }

  return {
    async post({ url, headers, body }, { signal }) {
      const request = {
        call: `POST ${url.host}`,
        origin: url.origin,
        method: 'POST' as const,
        body,
        section,
        path: `${url.pathname}${url.search}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'user-agent': `Platen/${version}`,
          ...headers,
        },
        connection: 'keep-alive' as const,
      };
      const begun = await exchange(dispatcherTo(url), request, { whole: signal, beginning: signal });
      const answer = await collect({ ...begun, call: request.call }, answerLimits.single);
      const problem = statusProblem(answer, 'key', clock.now());
      if (problem) throw problem;
      return answer.body;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
