/**
 * The calls of a session to the service: the person, the waiting documents, and their costs. The file also has the part
 * of a release's trace from the badge to the choice.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';
import type { Quote } from '../domain/balance.ts';
import type { Env } from '../domain/env.ts';
import type { Claims } from '../domain/ports/claims.ts';
import type { Balance, Documents, ReadyDocuments } from '../domain/ports/service.ts';
import type { TraceSoFar, TraceStep } from '../domain/release-trace.ts';
import type { Credentials, Login } from '../domain/user.ts';
import type { Admit } from './admission.ts';
import type { Calls, Quoted } from './given.ts';
import type { SessionDocuments } from './documents.ts';
import type { PrintPermission } from './person/permission.ts';

export interface SessionCallDeps extends Pick<Env, 'chance' | 'log'> {
  readonly admit: Admit;
  readonly documents: Pick<Documents, 'ready'>;
  readonly balance: Pick<Balance, 'quote'>;
  readonly claims: Pick<Claims, 'elsewhere'>;
  readonly sessionDocuments: Pick<SessionDocuments, 'settle' | 'sort'>;
  readonly permission: Pick<PrintPermission, 'ask' | 'isRefused'>;
  readonly trace: SessionTrace;
  /** See `TerminalDeps`. */
  settle(login: Login): Promise<void>;
  /** Whether everything is printed in black and white there. */
  monochrome(at: Pick<Quoted, 'printer'>): boolean;
}

/** A person reads no more quotes than that, and each one is a call. */
const mostQuotes = 50;

export function sessionCalls(deps: SessionCallDeps): Pick<Calls, 'login' | 'list' | 'look' | 'quote'> {
  const { admit, documents, claims, sessionDocuments, permission, trace, chance } = deps;
  const elsewhere = (ready: ReadyDocuments, signal: AbortSignal) =>
    claims.elsewhere(
      ready.documents.map(({ uuid }) => uuid),
      { signal },
    );
  return {
    async login({ credentials }, { signal }) {
      trace.begins(credentials.kind);
      const login = await trace.measured('login', () => admit(credentials, { signal }));
      const card = credentials.kind === 'card' ? { card: credentials.card } : {};
      const isProven = 'password' in credentials && credentials.password !== undefined;
      return { id: chance.uuid(), login, ...card, ...(isProven && { isProven }) };
    },

    async list({ session }, { signal }) {
      const { login } = session;
      void permission.ask(session);
      const settled = deps.settle(login);
      const ready = await trace.measured('list', () => documents.ready(login.token, { signal }));
      await settled;
      const held = await elsewhere(ready, signal);
      sessionDocuments.settle(ready, login, held);
      const sorted = sessionDocuments.sort(ready, held);
      return (await permission.isRefused(session)) ? { ...sorted, isRefusedHere: true } : sorted;
    },

    async look({ session, inBackground }, { signal }) {
      const ready = await documents.ready(session.login.token, { inBackground, signal });
      return sessionDocuments.sort(ready, await elsewhere(ready, signal));
    },

    quote(wanted, tell) {
      const left = new AbortController();
      quoteEach(deps, { ...wanted, signal: left.signal, tell }).catch((error: unknown) => {
        if (!left.signal.aborted) deps.log.error('quote failed unexpectedly', { error: error as Error });
      });
      return () => left.abort();
    },
  };
}

/**
 * The quotes are fetched in turn while the person chooses, and are for showing only: before a print the release asks
 * again (I9). Ends if the service gives no answer, and when the person leaves.
 */
async function quoteEach(
  { balance, monochrome }: Pick<SessionCallDeps, 'balance' | 'monochrome'>,
  wanted: Quoted & { readonly signal: AbortSignal; tell(quote: Quote): void },
): Promise<void> {
  const { session, documents, quoted, signal } = wanted;
  for (const document of documents.slice(quoted, mostQuotes)) {
    const asked = { document, ...session.login, monochrome: monochrome(wanted) };
    const quote = await balance.quote(asked, { signal });
    if (quote === undefined || signal.aborted) return;
    const mayBeCheaper = !quote.isSufficient && !asked.monochrome && !document.grayscale;
    const inGrey = mayBeCheaper ? await balance.quote({ ...asked, monochrome: true }, { signal }) : undefined;
    if (signal.aborted) return;
    wanted.tell({ ...quote, ...(inGrey?.isSufficient && { isSufficientInGrey: true as const }) });
  }
}

export interface SessionTraceDeps {
  readonly clock: Clock;
  /** Called when the stage has succeeded. */
  onStage(stage: 'login' | 'list', span: Duration): void;
}

/** One terminal has one session at a time. */
export interface SessionTrace {
  badgeRead(): void;
  /** A login begins. With a badge the trace began earlier, when the badge was read and before a PIN was typed. */
  begins(how: Credentials['kind']): void;
  /** Of several lists, the last one led to the choice. A result that comes too late for its session leaves no step. */
  measured<Result>(stage: 'login' | 'list', call: () => Promise<Result>): Promise<Result>;
  /** The steps before a release that is wanted now. */
  chosen(): TraceSoFar;
}

export function createSessionTrace({ clock, onStage }: SessionTraceDeps): SessionTrace {
  let badgeAt = 0;
  let origin = 0;
  let since = '';
  const steps = new Map<TraceStep['stage'], TraceStep>();
  const step = (stage: TraceStep['stage'], from: number): TraceStep => ({
    stage,
    at: Math.round(from - origin),
    took: Math.round(clock.monotonic() - from),
  });

  return {
    badgeRead: () => {
      badgeAt = clock.monotonic();
    },
    begins(how) {
      const now = clock.monotonic();
      origin = how === 'card' ? badgeAt : now;
      since = isoInstant(clock.now() - (now - origin));
      steps.clear();
      if (how === 'card') steps.set('badge', { stage: 'badge', at: 0, took: Math.round(now - origin) });
    },
    async measured(stage, call) {
      const from = clock.monotonic();
      const session = origin;
      const result = await call();
      // Another person may have held a badge meanwhile.
      if (session === origin) steps.set(stage, step(stage, from));
      onStage(stage, milliseconds(clock.monotonic() - from));
      return result;
    },
    chosen() {
      const { at = 0, took = 0 } = steps.get('list') ?? {};
      return { since, origin, steps: [...steps.values(), step('chosen', origin + at + took)] };
    },
  };
}
