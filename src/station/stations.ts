/**
 * The terminals that run at the moment. A configuration is applied to them one by one. Terminals that it does not
 * change are not touched. Terminals that it changes or no longer names go on until they are idle and no release of
 * theirs is under way (INVARIANTS.md B.4, 11). Readers are closed before others open the same device. The start is the
 * first application, to no terminals at all.
 */
import { isSameValue } from '../config/changes.ts';
import type { Config } from '../config/schema/config.ts';
import { useSameDevice } from '../config/doubtful-readers.ts';
import { seconds } from '../core/duration.ts';
import { aborted } from '../core/service.ts';
import type { Heir } from '../domain/ports/wills.ts';
import type { ServiceState } from '../terminal/context.ts';
import { createHeir } from './heir.ts';
import type { Plan } from './plans.ts';
import { plansOf, servablesOf } from './plans.ts';
import type { Roster } from './roster.ts';
import { useOf } from './roster.ts';
import type { RunningStation, StationHooks } from './running-station.ts';
import type { Shared } from './world.ts';

/** How long a stop waits for releases past their intent. Only octets on their way make it wait longer than 5 s. */
const stopGrace = seconds(3);
/** Nothing is under way. */
const noGrace = seconds(0);

export interface StationsDeps {
  /** Empty at first. */
  readonly roster: Roster;
  readonly shared: Pick<Shared, 'conditions' | 'settingsReading' | 'holds' | 'metrics' | 'store' | 'log'>;
  open(plan: Plan, hooks: StationHooks): RunningStation;
  /** The view of a terminal has changed, or a release of it has ended. */
  onChange(): void;
}

export class Stations implements AsyncDisposable {
  /** Also settles releases that other gateways left. */
  readonly heir: Heir;
  readonly #deps: StationsDeps;
  readonly #roster: Roster;
  readonly #failed = Promise.withResolvers<never>();
  /** By id, in the order of the configuration. */
  #wanted: ReadonlyMap<string, Plan> = new Map();
  #state: 'opening' | 'running' | 'ending' = 'opening';
  #settling: Promise<void> | undefined;
  #isStepDue = false;
  /** After a step, a part of the configuration is not applied yet. */
  #isAwaited = false;
  #isAuthorized = false;
  #cloudState: ServiceState | undefined;

  constructor(deps: StationsDeps) {
    this.#deps = deps;
    this.#roster = deps.roster;
    this.heir = createHeir(() => this.#roster.list(), deps.shared.store.ledger);
    // A service may fail before `run` listens to this promise.
    this.#failed.promise.catch(() => {});
  }

  /** Resolves when everything is applied that can be applied now. */
  async apply(config: Config): Promise<void> {
    this.#wanted = new Map(
      plansOf(config).map((plan) => {
        const { id } = plan.terminal;
        const present = this.#roster.runningAs(id)?.plan;
        return [id, present && isSameValue(present, plan) ? present : plan];
      }),
    );
    this.#roster.orderBy([...this.#wanted.keys()]);
    for (const station of this.#roster.list()) station.configChanged();
    await this.#settle();
  }

  /** The parts that are not applied yet, each with its reason. */
  pending(): readonly string[] {
    return [
      ...this.#outdated().map(({ station }) => {
        const plan = this.#wanted.get(station.id);
        const why = useOf(station) ?? this.#obstacleOf(plan);
        return `${station.id}: ${plan ? 'the change' : 'the removal'} waits: ${why}`;
      }),
      ...this.#missing().map((plan) => `${plan.terminal.id}: the terminal waits: ${this.#obstacleOf(plan)}`),
    ];
  }

  /** Whether the device may act for its terminals, the present ones and later ones. */
  authorized(yes: boolean): void {
    this.#isAuthorized = yes;
    // A terminal is ready only when its output port is read, if possible, because the port may switch on autoRelease.
    const known = yes ? this.#deps.shared.settingsReading.look() : Promise.resolve();
    void known.then(() => this.#roster.list().forEach((station) => station.authorized(this.#isAuthorized)));
  }

  /** Called when another gateway serves a terminal, or this one does again: each gateway has the series of its own. */
  readonly servingChanged = (): void => this.#tellMeasured();

  cloudIs(state: ServiceState): void {
    this.#cloudState = state;
    for (const station of this.#roster.list()) station.cloudIs(state);
  }

  /** Ends all terminals in order when the signal aborts. Rejects when a service ends before that. */
  async run(signal: AbortSignal): Promise<void> {
    this.#state = 'running';
    for (const one of this.#roster.running()) this.#begin(one, 'at-start');
    this.#settleOrphans();
    try {
      await Promise.race([aborted(signal), this.#failed.promise]);
    } finally {
      this.#state = 'ending';
      await this.#settling?.catch(this.#failed.reject);
      await Promise.all([this.#leave(), ...this.#roster.running().map((one) => one.end(stopGrace))]);
    }
  }

  /** Another gateway may take over as soon as no reader is open here. It does not wait for our releases (F11). */
  async #leave(): Promise<void> {
    await Promise.all(this.#roster.running().map((one) => one.close()));
    await this.#deps.shared.holds.leave();
  }

  #tellMeasured(): void {
    const { metrics, holds } = this.#deps.shared;
    metrics.terminalsAre(
      this.#roster.running().map(({ measured: { id, readers } }) => ({
        id,
        readers: holds.standing(id).is === 'held' ? readers : [],
      })),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'ending';
    await Promise.all(this.#roster.running().map((one) => one[Symbol.asyncDispose]()));
  }

  /** Terminals that the configuration no longer wants, or wants changed. */
  #outdated(): readonly RunningStation[] {
    return this.#roster.running().filter(({ plan }) => this.#wanted.get(plan.terminal.id) !== plan);
  }

  #missing(): readonly Plan[] {
    return [...this.#wanted.values()].filter(({ terminal }) => !this.#roster.of(terminal.id));
  }

  #obstacleOf(plan: Plan | undefined): string {
    const holder = holderOf(plan, this.#roster.running());
    return holder ? `its reader or TTY is still at ${holder.station.id}` : 'it is being closed';
  }

  /** Steps run in turn. A call during a step causes one more step. */
  #settle(): Promise<void> {
    this.#isStepDue = true;
    return (this.#settling ??= this.#settled());
  }

  async #settled(): Promise<void> {
    try {
      while (this.#isStepDue) {
        this.#isStepDue = false;
        await this.#step();
      }
    } finally {
      // Cleared at once, so that a later call starts a new round.
      this.#settling = undefined;
    }
  }

  /** The terminal may have become idle. */
  #settleSoon(id: string): void {
    if (this.#isAwaited && this.#roster.isIdle(id)) this.#settle().catch(this.#failed.reject);
  }

  async #step(): Promise<void> {
    if (this.#isEnding()) return;
    const gone = this.#leaving();
    await Promise.all(gone.map((one) => this.#end(one)));
    if (this.#isEnding()) return;
    for (const { station } of gone) this.#forget(station.id);
    const { come, failures } = this.#openMissing();
    this.#isAwaited = this.#missing().length > 0 || this.#outdated().length > 0;
    const plans = this.#roster.running().map(({ plan }) => plan);
    this.#deps.shared.holds.serve(servablesOf(plans));
    this.#tellMeasured();
    if (this.#state === 'running') {
      for (const one of come) this.#begin(one, 'later');
      this.#tell(gone, come);
    }
    // The other terminals run by now. A terminal that cannot be opened must not block them.
    if (failures.length > 0) throw failures[0];
  }

  #isEnding(): boolean {
    return this.#state === 'ending';
  }

  /** Terminals that can end now, and whose successors then find their devices free. */
  #leaving(): readonly RunningStation[] {
    let going = this.#outdated().filter(({ station }) => !useOf(station));
    for (;;) {
      const staying = this.#roster.running().filter((one) => !going.includes(one));
      const fewer = going.filter(({ station }) => !holderOf(this.#wanted.get(station.id), staying));
      if (fewer.length === going.length) return going;
      going = fewer;
    }
  }

  #openMissing() {
    const come: RunningStation[] = [];
    const failures: unknown[] = [];
    for (const plan of this.#missing().filter((one) => !holderOf(one, this.#roster.running()))) {
      try {
        come.push(this.#open(plan));
      } catch (error) {
        failures.push(error);
      }
    }
    return { come, failures };
  }

  #open(plan: Plan): RunningStation {
    const { id } = plan.terminal;
    const one = this.#deps.open(plan, {
      onRest: () => {
        this.#deps.onChange();
        this.#settleSoon(id);
      },
      onFailure: this.#failed.reject,
    });
    this.#roster.add(one);
    return one;
  }

  /** For the terminals of the start, the list of ports is read once for all. */
  #begin(one: RunningStation, when: 'at-start' | 'later'): void {
    one.begin();
    if (this.#cloudState) one.station.cloudIs(this.#cloudState);
    if (!this.#isAuthorized || when === 'at-start') return;
    void this.#deps.shared.settingsReading.look().then(() => one.station.authorized(this.#isAuthorized));
  }

  async #end(one: RunningStation): Promise<void> {
    await one.end(noGrace);
    this.#roster.remove(one.station.id);
    await one[Symbol.asyncDispose]();
  }

  /** The successor finds the remaining faults again. */
  #forget(id: string): void {
    const { conditions, settingsReading, log } = this.#deps.shared;
    conditions.forget(id);
    if (this.#wanted.has(id)) return;
    settingsReading.forget(id);
    log.levels.developerLog(id, 'off');
  }

  #tell(gone: readonly RunningStation[], come: readonly RunningStation[]): void {
    const { log } = this.#deps.shared;
    const left = new Set(gone.map(({ station }) => station.id));
    for (const { station } of come) {
      log.info(left.delete(station.id) ? 'terminal changed' : 'terminal added', { terminal: station.id });
    }
    for (const terminal of left) if (!this.#wanted.has(terminal)) log.info('terminal removed', { terminal });
  }

  /**
   * A terminal that is no longer in the file may have left releases open. Another terminal settles them: by its printer
   * if that is the same, else as unknown.
   */
  #settleOrphans(): void {
    const open = this.#deps.shared.store.ledger.open();
    this.heir.resume(open.filter(({ terminal, from }) => !this.#wanted.has(terminal) || from !== undefined));
  }
}

/** The running terminal that has a device which this plan needs. */
const holderOf = (plan: Plan | undefined, among: Iterable<RunningStation>): RunningStation | undefined =>
  plan &&
  [...among].find(
    ({ plan: { terminal } }) => terminal.id !== plan.terminal.id && useSameDevice(terminal, plan.terminal),
  );
