/**
 * What the documents of a session would cost, asked for one after the other while the person chooses, for showing
 * only: before a print the release asks again (I9). Ends where the service does not say, and when the person leaves.
 */
import { fromCallback } from 'xstate';
import type { Log } from '../core/log.ts';
import type { Balance } from '../domain/ports/service.ts';
import type { TerminalEvent } from './events.ts';
import type { Quoted } from './context.ts';

/** A person reads no more of them; each is a call. */
const mostQuotes = 50;

export interface QuotingParts {
  readonly balance: Pick<Balance, 'quote'>;
  readonly log: Log;
  monochrome(): boolean;
}

export const quoting = ({ balance, log, monochrome }: QuotingParts) =>
  fromCallback<TerminalEvent, Quoted>(({ input: { session, documents, quoted }, sendBack }) => {
    const left = new AbortController();
    const { signal } = left;

    async function quoteEach() {
      for (const document of documents.slice(quoted, mostQuotes)) {
        const quote = await balance.quote(
          { document, ...session.login, monochrome: monochrome() },
          { signal },
        );
        if (quote === undefined || signal.aborted) return;
        sendBack({ type: 'QUOTED', quote });
      }
    }

    quoteEach().catch((error: unknown) => {
      if (!signal.aborted) log.error('quote failed unexpectedly', { error: error as Error });
    });
    return () => left.abort();
  });
