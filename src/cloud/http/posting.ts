/**
 * Posts to receivers other than the service, by the same rules: TLS checked, a proxy if there is one, limited answers,
 * no redirect followed.
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
  /** The section of the configuration with the two options below: `notify`. */
  readonly section: string;
  /** PEM, added to the trusted roots. */
  readonly ca?: string | undefined;
  /** By default HTTPS_PROXY; NO_PROXY applies to both. */
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
