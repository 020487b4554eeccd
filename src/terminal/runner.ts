/**
 * Runs one terminal's machine. It gives the machine all that acts for it, and turns the states into the view for the
 * kiosk, and into signals at the reader. The decisions are in `machine.ts`.
 */
import type { ActorRefFrom } from 'xstate';
import { createActor } from 'xstate';
import { forEver, milliseconds, minutes } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Progress, Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import { serviceFailure } from '../domain/problem/service-failure.ts';
import { ignoredBecause } from '../domain/terminal/outage-words.ts';
import type { TerminalView, TerminalViewSource } from '../domain/terminal/terminal-view.ts';
import { createAdmission } from './admission.ts';
import { createDeskListener } from './desk-listener.ts';
import { offersAt } from './documents-view.ts';
import { SessionDocuments, ticketsFor } from './documents.ts';
import { longestSession } from './endings.ts';
import type { TerminalEvent, TerminalInput } from './events.ts';
import type { Calls, Given } from './given.ts';
import type { TerminalSnapshot } from './machine.ts';
import { stateOf, terminalMachine } from './machine.ts';
import { accountCalls } from './person/account-calls.ts';
import { PrintPermission } from './person/permission.ts';
import { Preview } from './person/preview.ts';
import { StickDesk } from './person/stick.ts';
import { printerOf } from './printers/at-hand.ts';
import { cardRegistration } from './registration.ts';
import type { SessionTrace } from './session-calls.ts';
import { createSessionTrace, sessionCalls } from './session-calls.ts';
import { createTerminalSignals } from './signals.ts';
import { languageAt, viewOf } from './view.ts';
import type { TerminalDeps } from './world.ts';

export interface Terminal extends Service {
  readonly id: string;
  /** Words after the end have no effect. */
  tell(input: TerminalInput): void;
  /** `settings` or `surroundings` have changed. */
  viewChanged(): void;
  /** The PNG with that name in the view; `undefined` if it is no longer shown. */
  picture(name: string): Buffer | undefined;
  /** The state in the view, without the cost of the view. */
  state(): TerminalView['state'];
  /** No person is at the terminal. */
  isIdle(): boolean;
  readonly view: TerminalViewSource;
}

export const createTerminal = (deps: TerminalDeps): Terminal => new TerminalRunner(deps);

/** Covers the login before a session and the goodbye after it. A session that lasts longer hangs. */
const grace = minutes(5);

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
    this.#actor = createActor(terminalMachine, { clock, input: this.#given() });
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

  state(): TerminalView['state'] {
    return stateOf(this.#current);
  }

  isIdle(): boolean {
    return ['outOfService', 'prompting', 'stopped'].includes(this.state());
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
    const { clock, settings, surroundings, printers } = this.#deps;
    const { context } = this.#current;
    const { login: offer, logoutTimeout, askAbovePages, account, preview: offersPreview } = settings();
    return viewOf(this.#current, {
      offer,
      logoutTimeout,
      askAbovePages,
      account,
      printers,
      offers: offersAt(context),
      ...surroundings(),
      offersPreview,
      preview: this.#preview.view(),
      stick: this.#stick.view(),
      untilEnd: milliseconds(context.endsAt - clock.monotonic()),
      language: languageAt(this.#current),
    });
  }

  #given(): Given {
    const { clock, settings, printers, languages, defaults, desk, surroundings, onSignal } = this.#deps;
    const log = this.#log;
    return {
      log,
      clock,
      settings,
      printers,
      languages,
      defaults,
      calls: this.#calls(),
      preview: this.#preview,
      stick: this.#stick,
      ignoreCard(card) {
        log.warn('card ignored', ignoredBecause(surroundings().outage));
        if (card) onSignal('refused', card);
      },
      isReleasing: () => desk.isReleasing(),
      release: (wanted, as) => {
        const { id: terminal, chance } = this.#deps;
        const world = {
          terminal,
          printer: printerOf(printers, as),
          trace: this.#trace.chosen(),
          chance,
          log,
        };
        desk.release(ticketsFor(wanted, as, world), this.#hearing.of(wanted.session.id));
      },
      confirm: (session, found) => this.#documents.confirm(session, found),
      discard: (choice) => {
        const { session, documents } = choice;
        this.#documents.discard(choice).catch((error: unknown) => {
          const problem = serviceFailure(error);
          this.#tell({ type: 'DELETION_REFUSED', sessionId: session.id, documents, problem });
        });
      },
      forget: ({ id }, { isEnding }) => {
        this.#hearing.forget();
        this.#permission.forget();
        if (!isEnding) desk.ownerLeft(id);
      },
    };
  }

  #calls(): Calls {
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
}
