/**
 * Runs one terminal's machine. It provides login and list, the clock and the delays. It turns the states into the view
 * for the kiosk, and into the log records that scripts wait for. The decisions are in `machine.ts`.
 */
import type { ActorRefFrom } from 'xstate';
import { assign, createActor } from 'xstate';
import type { Duration } from '../core/duration.ts';
import { forEver, milliseconds, minutes } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Progress, Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import { logFailure, serviceFailure } from '../domain/problem/service-failure.ts';
import { ignoredBecause } from '../domain/terminal/outage-words.ts';
import type { TerminalView, TerminalViewSource } from '../domain/terminal/terminal-view.ts';
import { outcomesOf } from '../release/session-progress.ts';
import { createAdmission } from './admission.ts';
import type { TerminalContext, Wishes } from './context.ts';
import { createDeskListener } from './desk-listener.ts';
import type { ChangeOffers } from './documents-view.ts';
import { mayChange } from './documents-view.ts';
import { SessionDocuments, ticketsFor } from './documents.ts';
import type { TerminalEvent, TerminalInput } from './events.ts';
import { changesWith, shownOf } from './list.ts';
import { isRefusedBadge } from './login.ts';
import type { TerminalSnapshot } from './machine.ts';
import { longestReading, longestSession, stateOf, terminalMachine } from './machine.ts';
import { withOwn } from './one-tree.ts';
import { deedOf } from './person/account.ts';
import { accountCalls } from './person/account-calls.ts';
import { forgetDefaults, keepDefaults, withDefaults } from './person/defaults.ts';
import { languageAt, rememberLanguage } from './person/language.ts';
import { PrintPermission } from './person/permission.ts';
import { Preview } from './person/preview.ts';
import { StickDesk } from './person/stick.ts';
import { printerOf } from './printers/at-hand.ts';
import { offersStandIn } from './printers/instead.ts';
import { mayPick } from './printers/picking.ts';
import { cardRegistration } from './registration.ts';
import type { SessionTrace } from './session-calls.ts';
import { createSessionTrace, sessionCalls } from './session-calls.ts';
import { createTerminalSignals } from './signals.ts';
import { viewOf } from './view.ts';
import type { TerminalDeps } from './world.ts';

export interface Terminal extends Service {
  readonly id: string;
  /** Words after the end have no effect. */
  tell(input: TerminalInput): void;
  /** `settings` or `surroundings` have changed. */
  viewChanged(): void;
  /** The PNG with that name in the view; `undefined` if it is no longer shown. */
  picture(name: string): Buffer | undefined;
  /** No person is at the terminal. */
  isIdle(): boolean;
  readonly view: TerminalViewSource;
}

export const createTerminal = (deps: TerminalDeps): Terminal => new TerminalRunner(deps);

/** Covers the login before a session and the goodbye after it. A session that lasts longer hangs. */
const grace = minutes(5);

type Provided = Required<Parameters<typeof terminalMachine.provide>[0]>;

class TerminalRunner implements Terminal {
  readonly id: string;
  readonly name: string;
  readonly view: TerminalViewSource = {
    current: () => this.#view(),
    onChange: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };

  readonly picture: Terminal['picture'] = (name) => this.#preview.picture(name);

  readonly #deps: TerminalDeps;
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  readonly #stopped = new AbortController();
  readonly #trace: SessionTrace;
  readonly #documents: SessionDocuments;
  readonly #preview: Preview;
  readonly #stick: StickDesk;
  readonly #actor: ActorRefFrom<typeof terminalMachine>;
  readonly #signals;
  readonly #hearing;
  readonly #permission: PrintPermission;
  #current: TerminalSnapshot;
  /** When the session ends if nothing more happens, and its latest end; in monotonic milliseconds. */
  #endsAt = 0;
  #latestEnd = 0;

  constructor(deps: TerminalDeps) {
    const { id, desk, clock } = deps;
    this.id = id;
    this.name = `terminal ${id}`;
    this.#deps = deps;
    this.#log = deps.log.with({ terminal: id });
    this.#trace = createSessionTrace(deps);
    this.#documents = new SessionDocuments({
      ...deps,
      log: this.#log,
      stopped: this.#stopped.signal,
      standing: (uuid) => desk.standing(uuid),
    });
    this.#permission = new PrintPermission({
      ports: deps.permittedPorts,
      port: deps.outputPort,
      clock,
      log: this.#log,
      onRefusal: (sessionId) => this.#tell({ type: 'REFUSED_HERE', sessionId }),
    });
    const shown = { ...deps, log: this.#log, onChange: () => this.viewChanged() };
    this.#preview = new Preview(shown);
    this.#stick = new StickDesk({ ...shown, tell: (event) => this.#tell(event) });
    const machine = withOwn(terminalMachine, {
      actors: this.#actors(),
      actions: { ...this.#tellings(), ...this.#deeds() },
      guards: this.#guards(),
      delays: {
        logoutTimeout: () => deps.settings().logoutTimeout,
        readingTime: () => this.#readingTime(),
      },
    });
    this.#actor = createActor(machine, { clock });
    this.#current = this.#actor.getSnapshot();
    this.#signals = createTerminalSignals({ from: this.#current, onSignal: deps.onSignal });
    this.#hearing = createDeskListener({
      clock,
      tell: (event) => this.#tell(event),
      released: (ended) => this.#signals.released(ended),
    });
  }

  tell(input: TerminalInput): void {
    if (input.type === 'card') this.#trace.badgeRead();
    this.#tell(input);
  }

  viewChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  isIdle(): boolean {
    return ['outOfService', 'prompting', 'stopped'].includes(stateOf(this.#current));
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const failed = new Promise<never>((_resolve, reject) => {
      this.#actor.subscribe({
        next: (snapshot) => {
          this.#current = snapshot;
          progress?.(this.isIdle() ? forEver : milliseconds(longestSession + grace));
          this.#signals.moved(snapshot);
          const at = stateOf(snapshot);
          this.#preview.follow(at, snapshot.context);
          this.#stick.follow(snapshot.context.session, { isAtList: at === 'choosing' });
          this.viewChanged();
        },
        error: reject,
      });
    });
    this.#actor.start();
    try {
      await Promise.race([aborted(signal), failed]);
      this.#actor.send({ type: 'STOP' });
    } finally {
      this.#stopped.abort();
      this.#preview.lookAway();
      this.#stick.follow(undefined, { isAtList: false });
      this.#actor.stop();
    }
  }

  #tell(event: TerminalEvent): void {
    if (!this.#stopped.signal.aborted) this.#actor.send(event);
  }

  #view(): TerminalView {
    const { clock, languages, settings, surroundings, printers } = this.#deps;
    const { login: offer, logoutTimeout, askAbovePages, account, preview: offersPreview } = settings();
    return viewOf(this.#current, {
      offer,
      logoutTimeout,
      askAbovePages,
      account,
      printers,
      offers: this.#offers(this.#current.context),
      ...surroundings(),
      offersPreview,
      preview: this.#preview.view(),
      stick: this.#stick.view(),
      untilEnd: milliseconds(this.#endsAt - clock.monotonic()),
      language: languageAt(this.#current, languages),
    });
  }

  /** Never longer than the normal countdown. */
  #readingTime(): Duration {
    return milliseconds(Math.min(longestReading, this.#deps.settings().logoutTimeout));
  }

  /** The changes that the printer of that moment offers. */
  #offers(context: TerminalContext): ChangeOffers {
    const printer = printerOf(this.#deps.printers, context);
    return { can: printer.can(), monochrome: printer.monochrome };
  }

  #actors(): Provided['actors'] {
    const { id, logins, lockOut, conditions, users, documents, balance, claims } = this.#deps;
    const { ownAccount: account, cardReturn, clock, chance, printers } = this.#deps;
    const [log, stopped] = [this.#log, this.#stopped.signal];
    const admit = createAdmission({ terminal: id, logins, lockOut, conditions, clock, log, stopped });
    return {
      ...accountCalls({ account, balance, users, logins, cardReturn, admit, clock, chance, log }),
      ...sessionCalls({
        admit,
        documents,
        balance,
        claims,
        chance,
        log,
        sessionDocuments: this.#documents,
        trace: this.#trace,
        permission: this.#permission,
        settle: (login) => {
          void cardReturn.giveBack(login);
          return this.#deps.settle(login);
        },
        monochrome: (at) => printerOf(printers, at).monochrome,
      }),
      registerCard: cardRegistration({ users, clock, chance, log }),
    };
  }

  #tellings(): Provided['actions'] {
    const { clock, desk, settings, onSignal } = this.#deps;
    const log = this.#log;
    return {
      tellCardIgnored: ({ event }) => {
        log.warn('card ignored', ignoredBecause(this.#deps.surroundings().outage));
        if (event.type === 'card') onSignal('refused', event.card);
      },
      tellNotOffered: (_, { way }) =>
        log.warn('login failed', { code: 'login-refused', way, detail: 'not offered at this terminal' }),
      tellListFailed: (_, { error }) => logFailure(log, 'list failed', serviceFailure(error)),
      tellSessionOpened: (_, { session }) => {
        this.#latestEnd = clock.monotonic() + longestSession;
        log.info('session opened', { sessionId: session.id });
      },
      tellSessionClosed: ({ context: { isEnding, progress } }, { session, reason }) => {
        if (!session) return;
        log.info('session closed', { sessionId: session.id, reason, ...outcomesOf(progress) });
        this.#hearing.forget();
        this.#permission.forget();
        if (!isEnding) desk.ownerLeft(session.id);
      },
      tellCountdown: () => {
        this.#endsAt = Math.min(clock.monotonic() + settings().logoutTimeout, this.#latestEnd);
      },
      tellEndSoon: () => {
        this.#endsAt = Math.min(clock.monotonic() + this.#readingTime(), this.#latestEnd);
      },
      tellIgnored: () => log.warn('choice ignored'),
      tellLeftOut: (_, { count }) => count > 0 && log.warn('choice ignored', { documents: count }),
    };
  }

  #deeds(): Provided['actions'] {
    const { languages, defaults: kept } = this.#deps;
    const keeping = { kept, log: this.#log };
    return {
      noteChange: assign(({ context }, changed) => ({
        quotes: [],
        changes: changesWith(context, changed, this.#offers(context)),
        touched: new Set([...context.touched, changed.documentUuid]),
      })),
      applyDefaults: assign(({ context }) => withDefaults(context, { kept, offers: this.#offers(context) })),
      keepDefaults: assign(({ context }, wanted) => keepDefaults(context, wanted, keeping)),
      forgetDefaults: assign(({ context }) => forgetDefaults(context, keeping)),
      discard: (_, choice) => {
        const { session, documents } = choice;
        this.#documents.discard(choice).catch((error: unknown) => {
          const problem = serviceFailure(error);
          this.#tell({ type: 'DELETION_REFUSED', sessionId: session.id, documents, problem });
        });
      },
      lookAt: (_, wanted) => this.#preview.lookAt(wanted),
      lookAway: () => this.#preview.lookAway(),
      useStick: (_, said) => this.#stick.hear(said),
      confirm: (_, { session, found }) => this.#documents.confirm(session, found),
      release: ({ context }, wanted) => this.#release(wanted, context),
      rememberLanguage: ({ context: { session } }, { language }) =>
        session && rememberLanguage(session, language, { languages, log: this.#log }),
    };
  }

  #guards(): Provided['guards'] {
    const { settings, desk, printers } = this.#deps;
    return {
      autoRelease: () => settings().autoRelease,
      canBeAsked: () => settings().canBeAsked,
      asksPin: () => settings().login.cardPin,
      isOffered: ({ context }, { generation, way }) =>
        generation === context.generation && settings().login.ways.includes(way),
      mayLook: ({ context }) => context.cloud === 'up' && !desk.isReleasing(),
      mayOpenAccount: ({ context }, { generation }) =>
        generation === context.generation && settings().account !== 'off',
      mayAlter: ({ context }, said) => deedOf(context, said, settings().account) !== undefined,
      mayChange: ({ context }, changed) => mayChange(context, changed, this.#offers(context)),
      mayPick: ({ context }, said) => mayPick(context, said, printers),
      offersStandIn: ({ context }) => settings().canBeAsked && offersStandIn(context, printers),
      mayLookAt: ({ context }, said) => settings().preview && shownOf(context, said) !== undefined,
      mayUseStick: ({ context }, said) => said.generation === context.generation && this.#stick.offers(said),
      offersNoEnrolment: () => !settings().login.enrollment,
      leadsToEnrolment: ({ context }, { error }) =>
        settings().login.enrollment && isRefusedBadge(context, error),
    };
  }

  #release(wanted: Wishes, context: TerminalContext): void {
    const { id, desk, chance, printers } = this.#deps;
    const printer = printerOf(printers, context);
    const world = { terminal: id, printer, trace: this.#trace.chosen(), chance, log: this.#log };
    desk.release(ticketsFor(wanted, context, world), this.#hearing.of(wanted.session.id));
  }
}
