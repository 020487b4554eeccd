/**
 * Runs one terminal's machine: gives it login and list, its clock and delays, turns its states into the view the
 * kiosk shows and into the log records scripts wait for. What is decided is in `terminal.ts`.
 */
import type { SnapshotFrom } from 'xstate';
import { createActor, fromPromise } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Ledger, ReleaseRegister } from '../domain/ports/ledger.ts';
import type { Balance, Documents, Logins } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem.ts';
import { asProblem } from '../domain/problem.ts';
import type { FinishMode, Ticket } from '../domain/release.ts';
import type { TerminalView } from '../domain/terminal-view.ts';
import type { Login } from '../domain/user.ts';
import { quoting } from './quoting.ts';
import type { ReleaseDesk } from './release-desk.ts';
import { createSessionDocuments } from './session-documents.ts';
import { terminalMachine } from './terminal.ts';
import type { Picked, Said, Session, TerminalEvent, Wish } from './terminal-setup.ts';
import { viewOf } from './terminal-view.ts';

/** What config and output port say at this moment. */
export interface TerminalSettings {
  readonly autoRelease: boolean;
  readonly logoutTimeout: Duration;
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
}

export interface TerminalDependencies {
  readonly id: string;
  readonly logins: Logins;
  readonly documents: Documents;
  readonly finish: FinishMode;
  readonly balance: Pick<Balance, 'quote'>;
  readonly ledger: Ledger;
  readonly releases: Pick<ReleaseRegister, 'find'>;
  readonly desk: ReleaseDesk;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  settings(): TerminalSettings;
  onStage(stage: 'login' | 'list', span: Duration): void;
  /** Resolves when `settings` can be believed; the user's token may fetch what the device token may not. */
  settle(login: Login): Promise<void>;
}

export interface Terminal extends Service {
  readonly id: string;
  cardRead(card: CardNumber): void;
  /** A badge was there, and its number is of no use: the screen says so; who had a session has none any more. */
  cardUnreadable(problem: Problem): void;
  authorized(yes: boolean): void;
  /** What the last call to the service found: while it is down, the screen says so (badges are taken all the same). */
  cloudIs(state: 'up' | 'down'): void;
  /** These documents of the open session's list, in the list's order; others are ignored, with a record. */
  release(picked: Picked): void;
  /** The person, told that the document may have been printed, wants it once more (I1). */
  printAgain(said: Said): void;
  /** The person found what may have been printed: it counts as printed, and leaves the list. */
  itIsThere(said: Said): void;
  logout(said: Pick<Said, 'generation'>): void;
  /** No session is open. */
  isIdle(): boolean;
  readonly view: { current(): TerminalView; onChange(listener: () => void): () => void };
}

type Snapshot = SnapshotFrom<typeof terminalMachine>;

export function createTerminal(dependencies: TerminalDependencies): Terminal {
  const { id, logins, documents, balance, ledger, desk, clock, chance, settings } = dependencies;
  const log = dependencies.log.with({ terminal: id });
  const listeners = new Set<() => void>();

  async function measured<Result>(stage: 'login' | 'list', call: () => Promise<Result>): Promise<Result> {
    const since = clock.monotonic();
    const result = await call();
    dependencies.onStage(stage, milliseconds(clock.monotonic() - since));
    return result;
  }

  const stopped = new AbortController();
  const sessionDocuments = createSessionDocuments({
    ...{ documents, ledger, log },
    finish: dependencies.finish,
    releases: dependencies.releases,
    stopped: stopped.signal,
    standing: (uuid) => desk.standing(uuid),
  });
  const machine = terminalMachine.provide({
    actors: {
      login: fromPromise(async ({ input: { card }, signal }) => {
        const login = await measured('login', () => logins.login({ kind: 'card', card }, { signal }));
        return { id: chance.uuid(), card, login };
      }),
      list: fromPromise(async ({ input: { session }, signal }) => {
        const { token } = session.login;
        const settled = dependencies.settle(session.login);
        const ready = await measured('list', () => documents.ready(token, { signal }));
        await settled;
        return sessionDocuments.sort(ready, session.login);
      }),
      quote: quoting({ balance, log }),
    },
    actions: {
      tellReady: () => log.info('terminal ready'),
      tellCardIgnored: () => log.warn('card ignored', { code: 'terminal-not-authorized' }),
      tellLoginFailed: (_, { error }) => tellFailure('login failed', error),
      tellListFailed: (_, { error }) => tellFailure('list failed', error),
      tellSessionOpened: (_, { session }) => log.info('session opened', { sessionId: session.id }),
      tellSessionClosed: (_, { session, reason }) => {
        if (session) log.info('session closed', { sessionId: session.id, reason });
      },
      tellIgnored: () => log.warn('choice ignored'),
      tellLeftOut: (_, { count }) => {
        if (count > 0) log.warn('choice ignored', { documents: count });
      },
      confirm: (_, { session, found }) => sessionDocuments.confirm(session, found),
      release: (_, { session, wishes }) => {
        const { id: sessionId } = session;
        // Releases outlive the terminal when the agent stops.
        desk.release(
          wishes.map((wish) => ticketFor(session, wish)),
          {
            onPlace: (before) => tell({ type: 'QUEUED', sessionId, before }),
            onEnded: ({ ticket: { document }, outcome, problem }) =>
              tell({
                type: 'RELEASE_ENDED',
                sessionId,
                documentUuid: document.uuid,
                problem: outcome === 'completed' ? undefined : problem,
              }),
          },
        );
      },
    },
    guards: { autoRelease: () => settings().autoRelease },
    delays: { logoutTimeout: () => settings().logoutTimeout },
  });

  function tellFailure(msg: string, error: unknown) {
    const problem = asProblem(error, 'cloud-protocol', 'the call failed');
    log.warn(msg, { code: problem.code, detail: problem.message, advice: problem.advice });
  }

  function ticketFor(session: Session, { document, again }: Wish): Ticket {
    const { monochrome, sendUsername } = settings();
    const releaseId = chance.uuid().replaceAll('-', '');
    if (again !== undefined) log.info('release repeated', { releaseId, again });
    return {
      releaseId,
      terminal: id,
      sessionId: session.id,
      document,
      user: session.login.user,
      token: session.login.token,
      monochrome,
      sendUsername,
      ...(again === undefined ? {} : { again }),
    };
  }

  const actor = createActor(machine, { clock });
  /** What happens after the end concerns nobody here. */
  const tell = (event: TerminalEvent) => {
    if (!stopped.signal.aborted) actor.send(event);
  };
  let current: Snapshot = actor.getSnapshot();

  return {
    name: `terminal ${id}`,
    id,
    cardRead: (card) => tell({ type: 'CARD', card }),
    cardUnreadable: (problem) => tell({ type: 'CARD_UNREADABLE', problem }),
    authorized: (yes) => tell({ type: yes ? 'AUTHORIZED' : 'UNAUTHORIZED' }),
    cloudIs: (state) => tell({ type: state === 'up' ? 'CLOUD_UP' : 'CLOUD_DOWN' }),
    release: (picked) => tell({ type: 'RELEASE', ...picked }),
    printAgain: (said) => tell({ type: 'PRINT_AGAIN', ...said }),
    itIsThere: (said) => tell({ type: 'IT_IS_THERE', ...said }),
    logout: (said) => tell({ type: 'LOGOUT', ...said }),
    isIdle: () => current.context.session === undefined && current.context.card === undefined,
    view: {
      current: () => viewOf(current),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async run(signal) {
      const failed = new Promise<never>((_resolve, reject) => {
        actor.subscribe({
          next: (snapshot) => {
            current = snapshot;
            for (const listener of listeners) listener();
          },
          error: reject,
        });
      });
      actor.start();
      try {
        await Promise.race([aborted(signal), failed]);
        actor.send({ type: 'STOP' });
      } finally {
        stopped.abort();
        actor.stop();
      }
    },
  };
}
