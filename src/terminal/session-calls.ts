/** What a session asks of the service: who it is, and what waits for them; as actors of the terminal's machine. */
import { fromPromise } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Documents } from '../domain/ports/service.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { Admit } from './admission.ts';
import type { SessionDocuments } from './session-documents.ts';
import type { SessionTrace } from './session-trace.ts';
import type { Sorted } from './sorted-documents.ts';
import type { Look, Session } from './context.ts';

export interface SessionCallParts {
  readonly admit: Admit;
  readonly documents: Pick<Documents, 'ready'>;
  readonly sessionDocuments: Pick<SessionDocuments, 'settle' | 'sort'>;
  readonly trace: SessionTrace;
  readonly chance: Chance;
  /** See `TerminalDependencies`. */
  settle(login: Login): Promise<void>;
}

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
  };
}
