/**
 * The terminals that run at the moment. A configuration is applied to them one by one: those that it leaves as they are
 * are not touched; those that it changes or no longer names go on until nobody is at them and no release of theirs is
 * under way (INVARIANTS.md B.4, 11). Readers are closed before others open the same device. The start is the first
 * application, to no terminals at all.
 */
import { isSameValue } from '../config/same-value.ts';
import type { Config } from '../config/schema/config.ts';
import { useSameDevice } from '../config/alike-readers.ts';
import { seconds } from '../core/duration.ts';
import { aborted } from '../core/service.ts';
import type { Heir } from '../domain/ports/wills.ts';
import type { ServiceState } from '../terminal/context.ts';
import { createHeir } from './heir.ts';
import type { Plan } from './plans.ts';
import { plansOf, servablesOf } from './plans.ts';
import type { RunningStation, StationHooks } from './running-station.ts';
import type { Station } from './station.ts';
import type { Shared } from './world.ts';

/** How long a stop waits for releases that are past their intent; only octets on their way keep it longer than 5 s. */
const stopGrace = seconds(3);
/** Nothing is under way. */
const noGrace = seconds(0);

export interface StationsDeps {
  readonly shared: Pick<Shared, 'conditions' | 'settingsReading' | 'holds' | 'metrics' | 'store' | 'log'>;
  open(plan: Plan, hooks: StationHooks): RunningStation;
  /** A terminal shows something else, or a release of it has ended. */
  onChange(): void;
}

export class Stations implements AsyncDisposable {
  /** Also for what other gateways left. */
  readonly heir: Heir;
  readonly #deps: StationsDeps;
  readonly #running = new Map<string, RunningStation>();
  readonly #failed = Promise.withResolvers<never>();
  /** By id, in the order of the configuration. */
  #wanted: ReadonlyMap<string, Plan> = new Map();
  #state: 'opening' | 'running' | 'ending' = 'opening';
  #settling: Promise<void> | undefined;
  #isStepDue = false;
  /** After a step, something is not applied yet. */
  #isAwaited = false;
  #isAuthorized = false;
  #cloudState: ServiceState | undefined;

  constructor(deps: StationsDeps) {
    this.#deps = deps;
    this.heir = createHeir(() => this.list(), deps.shared.store.ledger);
    // Nobody listens yet when a service of the first moment fails.
    this.#failed.promise.catch(() => {});
  }

  /** In the order of the configuration; those that are to go come last. */
  list(): readonly Station[] {
    const ids = new Set([...this.#wanted.keys(), ...this.#running.keys()]);
    return [...ids].flatMap((id) => this.#running.get(id)?.station ?? []);
  }

  of(id: string): Station | undefined {
    return this.#running.get(id)?.station;
  }

  /** Resolves when everything is applied that nobody is in the way of. */
  async apply(config: Config): Promise<void> {
    this.#wanted = new Map(
      plansOf(config).map((plan) => {
        const { id } = plan.terminal;
        const present = this.#running.get(id)?.plan;
        return [id, present && isSameValue(present, plan) ? present : plan];
      }),
    );
    for (const station of this.list()) station.configChanged();
    await this.#settle();
  }

  /** What is not applied yet, each with its reason. */
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

  /** The device may act for its terminals, or may not: those there are, and those to come. */
  authorized(yes: boolean): void {
    this.#isAuthorized = yes;
    // A terminal is ready when it knows its output port, as far as it can: autoRelease may stand there.
    const known = yes ? this.#deps.shared.settingsReading.look() : Promise.resolve();
    void known.then(() => this.list().forEach((station) => station.authorized(this.#isAuthorized)));
  }

  /** Nobody is at it, and nothing of it is on its way out. */
  isIdle(id: string): boolean {
    const station = this.of(id);
    return !station || useOf(station) === undefined;
  }

  /** Who serves the terminal is another. Resolves when its readers are closed, where it is not this gateway. */
  async holdChanged(id: string): Promise<void> {
    const closed = this.of(id)?.holdChanged();
    this.#tellMeasured();
    await closed;
  }

  cloudIs(state: ServiceState): void {
    this.#cloudState = state;
    for (const station of this.list()) station.cloudIs(state);
  }

  /** Ends all of them in order when the signal aborts; rejects when a service of one ends before. */
  async run(signal: AbortSignal): Promise<void> {
    this.#state = 'running';
    for (const one of this.#running.values()) this.#begin(one, 'at-start');
    this.#settleOrphans();
    try {
      await Promise.race([aborted(signal), this.#failed.promise]);
    } finally {
      this.#state = 'ending';
      await this.#settling?.catch(this.#failed.reject);
      await Promise.all([this.#leave(), ...[...this.#running.values()].map((one) => one.end(stopGrace))]);
    }
  }

  /** Another gateway may take over as soon as no reader is open here: it waits for no release of ours (F11). */
  async #leave(): Promise<void> {
    await Promise.all([...this.#running.values()].map((one) => one.close()));
    await this.#deps.shared.holds.leave();
  }

  #tellMeasured(): void {
    const { metrics, holds } = this.#deps.shared;
    metrics.terminalsAre(
      [...this.#running.values()].map(({ measured: { id, readers } }) => ({
        id,
        readers: holds.standing(id).is === 'held' ? readers : [],
      })),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'ending';
    await Promise.all([...this.#running.values()].map((one) => one[Symbol.asyncDispose]()));
  }

  /** What the configuration does not want any more, or otherwise. */
  #outdated(): readonly RunningStation[] {
    return [...this.#running.values()].filter(({ plan }) => this.#wanted.get(plan.terminal.id) !== plan);
  }

  #missing(): readonly Plan[] {
    return [...this.#wanted.values()].filter(({ terminal }) => !this.#running.has(terminal.id));
  }

  #obstacleOf(plan: Plan | undefined): string {
    const holder = holderOf(plan, this.#running.values());
    return holder ? `its reader or TTY is still at ${holder.station.id}` : 'it is being closed';
  }

  /** One after the other: a step that is under way is followed by one more. */
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
      // At once: whoever asks from here on begins anew.
      this.#settling = undefined;
    }
  }

  /** A terminal may have come to rest. */
  #settleSoon(one: Station): void {
    if (this.#isAwaited && !useOf(one)) this.#settle().catch(this.#failed.reject);
  }

  async #step(): Promise<void> {
    if (this.#isEnding()) return;
    const gone = this.#leaving();
    await Promise.all(gone.map((one) => this.#end(one)));
    if (this.#isEnding()) return;
    for (const { station } of gone) this.#forget(station.id);
    const { come, failures } = this.#openMissing();
    this.#isAwaited = this.#missing().length > 0 || this.#outdated().length > 0;
    const plans = [...this.#running.values()].map(({ plan }) => plan);
    this.#deps.shared.holds.serve(servablesOf(plans));
    this.#tellMeasured();
    if (this.#state === 'running') {
      for (const one of come) this.#begin(one, 'later');
      this.#tell(gone, come);
    }
    // The others run by now: one that cannot be opened strands none.
    if (failures.length > 0) throw failures[0];
  }

  #isEnding(): boolean {
    return this.#state === 'ending';
  }

  /** Those that can go now, and whose successors find their devices free then. */
  #leaving(): readonly RunningStation[] {
    let going = this.#outdated().filter(({ station }) => !useOf(station));
    for (;;) {
      const staying = [...this.#running.values()].filter((one) => !going.includes(one));
      const fewer = going.filter(({ station }) => !holderOf(this.#wanted.get(station.id), staying));
      if (fewer.length === going.length) return going;
      going = fewer;
    }
  }

  #openMissing() {
    const come: RunningStation[] = [];
    const failures: unknown[] = [];
    for (const plan of this.#missing().filter((one) => !holderOf(one, this.#running.values()))) {
      try {
        come.push(this.#open(plan));
      } catch (error) {
        failures.push(error);
      }
    }
    return { come, failures };
  }

  #open(plan: Plan): RunningStation {
    const one = this.#deps.open(plan, {
      onRest: (station) => {
        this.#deps.onChange();
        this.#settleSoon(station);
      },
      onFailure: this.#failed.reject,
    });
    this.#running.set(plan.terminal.id, one);
    return one;
  }

  /** Of those that are there at the start, the list of ports is read for all at once. */
  #begin(one: RunningStation, when: 'at-start' | 'later'): void {
    one.begin();
    if (this.#cloudState) one.station.cloudIs(this.#cloudState);
    if (!this.#isAuthorized || when === 'at-start') return;
    void this.#deps.shared.settingsReading.look().then(() => one.station.authorized(this.#isAuthorized));
  }

  async #end(one: RunningStation): Promise<void> {
    await one.end(noGrace);
    this.#running.delete(one.station.id);
    await one[Symbol.asyncDispose]();
  }

  /** What is still the matter, its successor finds anew. */
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
   * What a terminal left open that the file no longer names is settled at another one: by its printer where that is the
   * same, else as unknown.
   */
  #settleOrphans(): void {
    const open = this.#deps.shared.store.ledger.open();
    this.heir.resume(open.filter(({ terminal, from }) => !this.#wanted.has(terminal) || from !== undefined));
  }
}

/** Who has a device that this one is to have. */
const holderOf = (plan: Plan | undefined, among: Iterable<RunningStation>): RunningStation | undefined =>
  plan &&
  [...among].find(
    ({ plan: { terminal } }) => terminal.id !== plan.terminal.id && useSameDevice(terminal, plan.terminal),
  );

/** Who or what a change of it has to wait for. */
function useOf({ terminal, desk }: Station): string | undefined {
  if (!terminal.isIdle()) return 'somebody is using it';
  return desk.isIdle() ? undefined : 'a document is being printed';
}
