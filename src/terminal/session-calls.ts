/**
 * What a session asks of the service: who it is, what waits for them, and what that would cost; as actors of the
 * terminal's machine.
 */
import { fromCallback, fromPromise } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Log } from '../core/log.ts';
import type { Balance, Documents } from '../domain/ports/service.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { Admit } from './admission.ts';
import type { Look, Quoted, Session, Sorted } from './context.ts';
import type { SessionDocuments } from './documents.ts';
import type { TerminalEvent } from './events.ts';
import type { SessionTrace } from './session-trace.ts';

export interface SessionCallParts {
  readonly admit: Admit;
  readonly documents: Pick<Documents, 'ready'>;
  readonly balance: Pick<Balance, 'quote'>;
  readonly sessionDocuments: Pick<SessionDocuments, 'settle' | 'sort'>;
  readonly trace: SessionTrace;
  readonly chance: Chance;
  readonly log: Log;
  /** See `TerminalDependencies`. */
  settle(login: Login): Promise<void>;
  monochrome(): boolean;
}

/** A person reads no more of them; each is a call. */
const mostQuotes = 50;

export function sessionCalls(parts: SessionCallParts) {
  const { admit, documents, sessionDocuments, trace, chance } = parts;
  return {
    login: fromPromise<Session, { credentials: Credentials }>(async ({ input: { credentials }, signal }) => {
      trace.begins(credentials.kind);
      const login = await trace.measured('login', () => admit(credentials, { signal }));
      const card = credentials.kind === 'card' ? { card: credentials.card } : {};
      return { id: chance.uuid(), login, ...card };
    }),

    list: fromPromise<Sorted, { session: Session }>(async ({ input: { session }, signal }) => {
      const { login } = session;
      const settled = parts.settle(login);
      const ready = await trace.measured('list', () => documents.ready(login.token, { signal }));
      await settled;
      sessionDocuments.settle(ready, login);
      return sessionDocuments.sort(ready);
    }),

    look: fromPromise<Sorted, Look>(async ({ input: { session, inBackground }, signal }) =>
      sessionDocuments.sort(await documents.ready(session.login.token, { inBackground, signal })),
    ),

    quote: fromCallback<TerminalEvent, Quoted>(({ input, sendBack }) => {
      const left = new AbortController();
      quoteEach(parts, { ...input, signal: left.signal, sendBack }).catch((error: unknown) => {
        if (!left.signal.aborted) parts.log.error('quote failed unexpectedly', { error: error as Error });
      });
      return () => left.abort();
    }),
  };
}

/**
 * One after the other while the person chooses, for showing only: before a print the release asks again (I9). Ends where
 * the service does not say, and when the person leaves.
 */
async function quoteEach(
  { balance, monochrome }: Pick<SessionCallParts, 'balance' | 'monochrome'>,
  wanted: Quoted & { readonly signal: AbortSignal; sendBack(event: TerminalEvent): void },
): Promise<void> {
  const { session, documents, quoted, signal } = wanted;
  for (const document of documents.slice(quoted, mostQuotes)) {
    const asked = { document, ...session.login, monochrome: monochrome() };
    const quote = await balance.quote(asked, { signal });
    if (quote === undefined || signal.aborted) return;
    wanted.sendBack({ type: 'QUOTED', quote });
  }
}
