/**
 * Runs one terminal's machine: gives it login and list, its clock and delays, turns its states into the view the
 * kiosk shows and into the log records scripts wait for. What is decided is in `terminal.ts`.
 */
import { assign, createActor } from 'xstate';
import type { Chance } from '../core/chance.ts';
import type { Duration } from '../core/duration.ts';
import { forEver, milliseconds, minutes } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Conditions } from '../domain/condition.ts';
import type { PrinterCan } from '../domain/document-changes.ts';
import type { LockOut } from '../domain/lock-out.ts';
import type { LoginOffer } from '../domain/login.ts';
import type { Languages } from '../domain/ports/languages.ts';
import type { Ledger, ReleaseRegister } from '../domain/ports/ledger.ts';
import type { Balance, Documents, Logins, Users } from '../domain/ports/service.ts';
import type { ReaderSignal } from '../domain/ports/readers.ts';
import type { Notice } from '../domain/terminal/notice.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import type { FinishMode } from '../domain/release.ts';
import type { TerminalView } from '../domain/terminal/terminal-view.ts';
import type { Login } from '../domain/user.ts';
import { createAdmission } from './admission.ts';
import { cardEnrolment } from './card-registration.ts';
import { createDeskListener } from './desk-listener.ts';
import { quoting } from './quoting.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import { createSessionDocuments } from './session-documents.ts';
import { sessionCalls } from './session-calls.ts';
import type { ChosenLanguage } from './session-language.ts';
import { createSessionLanguage } from './session-language.ts';
import { changesWith } from './session-list.ts';
import { ticketFor } from './session-ticket.ts';
import type { SessionTraceWorld } from './session-trace.ts';
import { createSessionTrace } from './session-trace.ts';
import { createTerminalSignals } from './signals.ts';
import { longestSession } from './delays.ts';
import type { TerminalSnapshot } from './state.ts';
import { stateOf } from './state.ts';
import { terminalMachine } from './machine.ts';
import { mayChange } from './documents-view.ts';
import type { PersonsWords } from './persons-words.ts';
import { personsWords } from './persons-words.ts';
import type { TerminalEvent } from './events.ts';
import { isRefusedBadge } from './setup.ts';
import type { Surroundings } from './view.ts';
import { viewOf } from './view.ts';

/** What config and output port say at this moment. */
export interface TerminalSettings {
  readonly autoRelease: boolean;
  readonly logoutTimeout: Duration;
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
  readonly login: LoginOffer;
  /** Whether anybody can answer what the terminal asks: at a page of their own, or at the prompt. */
  readonly canBeAsked: boolean;
  /** So many pages at once are printed without a question. */
  readonly askAbovePages: number;
}

export interface TerminalDependencies extends SessionTraceWorld {
  readonly id: string;
  readonly logins: Logins;
  readonly users: Pick<Users, 'enrolCard'>;
  /** Of all terminals. */
  readonly lockOut: LockOut;
  readonly conditions: Conditions;
  readonly documents: Documents;
  readonly finish: FinishMode;
  readonly balance: Pick<Balance, 'quote'>;
  readonly ledger: Ledger;
  readonly releases: Pick<ReleaseRegister, 'find'>;
  readonly desk: ReleaseDesk;
  readonly chance: Chance;
  readonly log: Log;
  readonly languages: Languages;
  settings(): TerminalSettings;
  /** Whoever prints here. */
  printerCan(): PrinterCan;
  surroundings(): Surroundings;
  /** Of the person whose badge that was. */
  onSignal(signal: ReaderSignal, card: CardNumber): void;
  /** Resolves when `settings` can be believed; the user's token may fetch what the device token may not. */
  settle(login: Login): Promise<void>;
}

export interface Terminal extends Service, PersonsWords {
  readonly id: string;
  cardRead(card: CardNumber): void;
  /** A badge was there, and its number is of no use: the screen says so; who had a session has none any more. */
  cardUnreadable(problem: Problem): void;
  authorized(yes: boolean): void;
  /** What the last call to the service found: while it is down, the screen says so (badges are taken all the same). */
  cloudIs(state: 'up' | 'down'): void;
  /** Ends the session, or the login, of exactly this card. */
  cardRemoved(card: CardNumber): void;
  /** Down: none of the readers can be read, where there are some. */
  readersAre(state: 'up' | 'down'): void;
  /**
   * The service is told of a badge instead of a login here: whoever had a session has none any more. Gives the
   * generation of the view that shows it; `undefined` while the terminal is out of service.
   */
  cardRelayed(): number | undefined;
  /** What is said of it to the person, if nobody else has come since. */
  relayEnded(ended: { readonly generation: number; readonly notice: Notice }): void;
  /** Of the person who is signed in; remembered with their badge, if that signed them in. */
  language(chosen: ChosenLanguage): void;
  /** `settings` or `surroundings` say something else. */
  viewChanged(): void;
  /** Nobody is here. */
  isIdle(): boolean;
  readonly view: { current(): TerminalView; onChange(listener: () => void): () => void };
}

/** For the login before a session and the goodbye after it; what has no end then hangs. */
const grace = minutes(5);

export function createTerminal(dependencies: TerminalDependencies): Terminal {
  const { id, logins, documents, balance, ledger, desk, clock, chance, settings } = dependencies;
  const log = dependencies.log.with({ terminal: id });
  const listeners = new Set<() => void>();
  const trace = createSessionTrace(dependencies);
  const offers = () => ({ can: dependencies.printerCan(), monochrome: settings().monochrome });

  /** When the session ends if nothing more happens, and at the latest; monotonic milliseconds. */
  let endsAt = 0;
  let latestEnd = 0;

  const stopped = new AbortController();
  const sessionDocuments = createSessionDocuments({
    ...{ documents, ledger, log },
    finish: dependencies.finish,
    releases: dependencies.releases,
    stopped: stopped.signal,
    standing: (uuid) => desk.standing(uuid),
  });
  const admit = createAdmission({
    ...{ terminal: id, logins, clock, log },
    lockOut: dependencies.lockOut,
    conditions: dependencies.conditions,
    stopped: stopped.signal,
  });
  const machine = terminalMachine.provide({
    actors: {
      ...sessionCalls({
        ...{ admit, documents, sessionDocuments, trace, chance },
        settle: (login) => dependencies.settle(login),
      }),
      enrolCard: cardEnrolment({ users: dependencies.users, clock, chance, log }),
      quote: quoting({ balance, log, monochrome: () => settings().monochrome }),
    },
    actions: {
      tellCardIgnored: ({ event }) => {
        log.warn('card ignored', { code: 'terminal-not-authorized' });
        if (event.type === 'CARD') dependencies.onSignal('refused', event.card);
      },
      tellNotOffered: (_, { way }) =>
        log.warn('login failed', { code: 'login-refused', way, detail: 'not offered at this terminal' }),
      tellListFailed: (_, { error }) => tellFailure('list failed', error),
      tellSessionOpened: (_, { session }) => {
        latestEnd = clock.monotonic() + longestSession;
        log.info('session opened', { sessionId: session.id });
      },
      tellSessionClosed: (_, { session, reason }) => {
        if (!session) return;
        log.info('session closed', { sessionId: session.id, reason });
        hearing.forget();
        if (reason !== 'stopped') desk.ownerLeft(session.id);
      },
      tellCountdown: () => {
        endsAt = Math.min(clock.monotonic() + settings().logoutTimeout, latestEnd);
      },
      noteChange: assign(({ context }, changed) => ({
        quotes: [],
        changes: changesWith(context, changed, settings()),
      })),
      tellIgnored: () => log.warn('choice ignored'),
      tellLeftOut: (_, { count }) => {
        if (count > 0) log.warn('choice ignored', { documents: count });
      },
      discard: (_, choice) =>
        sessionDocuments.discard(choice, (refused) => tell({ type: 'DELETION_REFUSED', ...refused })),
      confirm: (_, { session, found }) => sessionDocuments.confirm(session, found),
      release: ({ context: { changes } }, { session, wishes }) => {
        const { monochrome, sendUsername } = settings();
        const world = { terminal: id, monochrome, sendUsername, trace: trace.chosen(), chance, log };
        const tickets = wishes.map((wish) => ticketFor({ session, wish, changes }, world));
        desk.release(tickets, hearing.of(session.id));
      },
    },
    guards: {
      autoRelease: () => settings().autoRelease,
      canBeAsked: () => settings().canBeAsked,
      asksPin: () => settings().login.cardPin,
      isOffered: ({ context }, { generation, way }) =>
        generation === context.generation && settings().login.ways.includes(way),
      mayLook: ({ context }) => context.cloud === 'up' && !desk.isReleasing(),
      mayChange: ({ context }, changed) => mayChange(context, changed, offers()),
      offersEnrolment: () => settings().login.enrollment,
      leadsToEnrolment: ({ context }, { error }) =>
        settings().login.enrollment && isRefusedBadge(context, error),
    },
    delays: { logoutTimeout: () => settings().logoutTimeout },
  });

  function tellFailure(msg: string, error: unknown) {
    logFailure(log, msg, serviceFailure(error));
  }

  const tellListeners = () => {
    for (const listener of listeners) listener();
  };

  const actor = createActor(machine, { clock });
  /** What happens after the end concerns nobody here. */
  const tell = (event: TerminalEvent) => {
    if (!stopped.signal.aborted) actor.send(event);
  };
  let current: TerminalSnapshot = actor.getSnapshot();
  const isIdle = () => ['outOfService', 'prompting', 'stopped'].includes(stateOf(current));
  const signals = createTerminalSignals({ from: current, onSignal: dependencies.onSignal });
  const hearing = createDeskListener({ clock, tell, released: (ended) => signals.released(ended) });
  const language = createSessionLanguage({ languages: dependencies.languages, log });

  return {
    name: `terminal ${id}`,
    id,
    cardRead(card) {
      trace.badgeRead();
      tell({ type: 'CARD', card });
    },
    cardUnreadable: (problem) => tell({ type: 'CARD_UNREADABLE', problem }),
    authorized: (yes) => tell({ type: yes ? 'AUTHORIZED' : 'UNAUTHORIZED' }),
    cloudIs: (state) => tell({ type: state === 'up' ? 'CLOUD_UP' : 'CLOUD_DOWN' }),
    ...personsWords(tell),
    cardRemoved: (card) => tell({ type: 'CARD_REMOVED', card }),
    readersAre: (state) => tell({ type: 'READERS', state }),
    cardRelayed() {
      tell({ type: 'CARD_RELAYED' });
      return current.value === 'relaying' ? current.context.generation : undefined;
    },
    relayEnded: (ended) => tell({ type: 'RELAY_ENDED', ...ended }),
    language(chosen) {
      if (!language.choose(chosen, current)) return log.warn('choice ignored');
      tell({ type: 'ACTIVITY', generation: chosen.generation });
      tellListeners();
    },
    viewChanged: tellListeners,
    isIdle,
    view: {
      current: () =>
        viewOf(current, {
          untilEnd: milliseconds(endsAt - clock.monotonic()),
          offer: settings().login,
          offers: offers(),
          askAbovePages: settings().askAbovePages,
          ...dependencies.surroundings(),
          language: language.of(current),
        }),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async run(signal, progress) {
      const failed = new Promise<never>((_resolve, reject) => {
        actor.subscribe({
          next: (snapshot) => {
            current = snapshot;
            progress?.(isIdle() ? forEver : milliseconds(longestSession + grace));
            signals.moved(snapshot);
            language.moved(snapshot);
            tellListeners();
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
