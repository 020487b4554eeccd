/**
 * The terminals that run at the moment. A configuration is applied to them one by one: those that it leaves as they are
 * are not touched; those that it changes or no longer names go on until nobody is at them and no release of theirs is
 * under way (reliability.md B.4, 11). Readers are closed before others open the same device. The start is the first
 * application, to no terminals at all.
 */
import { isSameValue } from '../config/same-value.ts';
import type { Config } from '../config/schema/config.ts';
import { useSameDevice } from '../config/same-device.ts';
import type { Duration } from '../core/duration.ts';
import { seconds } from '../core/duration.ts';
import { aborted } from '../core/service.ts';
import type { Plan, RunningStation, StationHooks } from './running-station.ts';
import type { Station } from './station.ts';
import type { Shared } from './world.ts';

export interface Stations extends AsyncDisposable {
  /** In the order of the configuration; those that are to go come last. */
  list(): readonly Station[];
  of(id: string): Station | undefined;
  /** Resolves when everything is applied that nobody is in the way of. */
  apply(config: Config): Promise<void>;
  /** What is not applied yet, each with its reason. */
  pending(): readonly string[];
  /** The device may act for its terminals, or may not: those there are, and those to come. */
  authorized(yes: boolean): void;
  cloudIs(state: 'up' | 'down'): void;
  /** Ends all of them in order when the signal aborts; rejects when a service of one ends before. */
  run(signal: AbortSignal): Promise<void>;
}

/** How long a stop waits for releases that are past their intent; only octets on their way keep it longer than 5 s. */
const stopGrace = seconds(3);
/** Nothing is under way. */
const noGrace = seconds(0);

export interface StationsWorld {
  readonly shared: Pick<Shared, 'conditions' | 'directory' | 'metrics' | 'store' | 'log'>;
  open(plan: Plan, hooks: StationHooks): RunningStation;
  /** A terminal shows something else, or a release of it has ended. */
  onChange(): void;
}

export function createStations({ shared, open: openStation, onChange }: StationsWorld): Stations {
  const { conditions, directory, metrics, log } = shared;
  const running = new Map<string, RunningStation>();
  const failed = Promise.withResolvers<never>();
  // Nobody listens yet when a service of the first moment fails.
  failed.promise.catch(() => {});
  /** By id, in the order of the configuration. */
  let wanted: ReadonlyMap<string, Plan> = new Map();
  let state: 'opening' | 'running' | 'ending' = 'opening';
  let settling: Promise<void> | undefined;
  let isUnsettled = false;
  /** Something is not applied yet. */
  let isAwaited = false;
  let isAuthorized = false;
  let cloudState: 'up' | 'down' | undefined;

  const isEnding = (): boolean => state === 'ending';
  const isOutdated = ({ plan }: RunningStation): boolean => wanted.get(plan.terminal.id) !== plan;
  const outdated = () => [...running.values()].filter(isOutdated);
  const missing = () => [...wanted.values()].filter(({ terminal }) => !running.has(terminal.id));

  function list(): readonly Station[] {
    const ids = new Set([...wanted.keys(), ...running.keys()]);
    return [...ids].flatMap((id) => running.get(id)?.station ?? []);
  }

  /** Those that can go now, and whose successors find their devices free then. */
  function leaving(): readonly RunningStation[] {
    let going = outdated().filter(({ station }) => !useOf(station));
    for (;;) {
      const staying = [...running.values()].filter((one) => !going.includes(one));
      const fewer = going.filter(({ station }) => !holderOf(wanted.get(station.id), staying));
      if (fewer.length === going.length) return going;
      going = fewer;
    }
  }

  /** Who has a device that this one is to have. */
  const holderOf = (plan: Plan | undefined, among: Iterable<RunningStation>): RunningStation | undefined =>
    plan &&
    [...among].find(
      ({ plan: { terminal } }) => terminal.id !== plan.terminal.id && useSameDevice(terminal, plan.terminal),
    );

  async function step(): Promise<void> {
    if (isEnding()) return;
    const gone = leaving();
    await Promise.all(gone.map((one) => end(one, noGrace)));
    if (isEnding()) return;
    for (const { station } of gone) forget(station.id);
    const failures: unknown[] = [];
    const come: RunningStation[] = [];
    for (const plan of missing().filter((one) => !holderOf(one, running.values()))) {
      try {
        come.push(open(plan));
      } catch (error) {
        failures.push(error);
      }
    }
    isAwaited = missing().length > 0 || outdated().length > 0;
    metrics.terminalsAre([...running.values()].map(({ measured }) => measured));
    if (state === 'running') for (const one of come) begin(one);
    tell(gone, come);
    // The others run by now: one that cannot be opened strands none.
    if (failures.length > 0) throw failures[0];
  }

  function tell(gone: readonly RunningStation[], come: readonly RunningStation[]): void {
    if (state !== 'running') return;
    const left = new Set(gone.map(({ station }) => station.id));
    for (const { station } of come) {
      log.info(left.delete(station.id) ? 'terminal changed' : 'terminal added', { terminal: station.id });
    }
    for (const terminal of left) if (!wanted.has(terminal)) log.info('terminal removed', { terminal });
  }

  function open(plan: Plan): RunningStation {
    const onRest = (station: Station): void => {
      onChange();
      settleSoon(station);
    };
    const one = openStation(plan, { onRest, onFailure: failed.reject });
    running.set(plan.terminal.id, one);
    return one;
  }

  function begin(one: RunningStation): void {
    one.begin();
    if (cloudState) one.station.terminal.cloudIs(cloudState);
    if (isAuthorized) void directory.look().then(() => one.station.authorized(isAuthorized));
  }

  /**
   * What a terminal left open that the file no longer names is settled at another one: by its printer where that is the
   * same, else as unknown.
   */
  function settleOrphans(): void {
    const orphans = shared.store.ledger.open().filter(({ terminal }) => !wanted.has(terminal));
    list()[0]?.desk.resume(orphans);
  }

  async function end(one: RunningStation, grace: Duration): Promise<void> {
    await one.end(grace);
    running.delete(one.station.id);
    await one[Symbol.asyncDispose]();
  }

  /** What is still the matter, its successor finds anew. */
  function forget(id: string): void {
    conditions.forget(id);
    if (wanted.has(id)) return;
    directory.forget(id);
    log.levels.developerLog(id, 'off');
  }

  /** One after the other: a step that is under way is followed by one more. */
  function settle(): Promise<void> {
    isUnsettled = true;
    return (settling ??= settled());
  }

  async function settled(): Promise<void> {
    try {
      while (isUnsettled) {
        isUnsettled = false;
        await step();
      }
    } finally {
      // At once: whoever asks from here on begins anew.
      settling = undefined;
    }
  }

  /** A terminal may have come to rest. */
  function settleSoon(one: Station): void {
    if (isAwaited && !useOf(one)) settle().catch(failed.reject);
  }

  return {
    list,
    of: (id) => running.get(id)?.station,
    async apply(config) {
      wanted = new Map(
        plansOf(config).map((plan) => {
          const { id } = plan.terminal;
          const present = running.get(id)?.plan;
          return [id, present && isSameValue(present, plan) ? present : plan];
        }),
      );
      for (const station of list()) station.configChanged();
      await settle();
    },
    pending() {
      const deviceOf = (plan: Plan | undefined) => {
        const holder = holderOf(plan, running.values());
        return holder ? `its reader or TTY is still at ${holder.station.id}` : 'it is being closed';
      };
      return [
        ...outdated().map(({ station }) => {
          const plan = wanted.get(station.id);
          const why = useOf(station) ?? deviceOf(plan);
          return `${station.id}: ${plan ? 'the change' : 'the removal'} waits: ${why}`;
        }),
        ...missing().map((plan) => `${plan.terminal.id}: the terminal waits: ${deviceOf(plan)}`),
      ];
    },
    authorized(yes) {
      isAuthorized = yes;
      // A terminal is ready when it knows its output port, as far as it can: autoRelease may stand there.
      const known = yes ? directory.look() : Promise.resolve();
      void known.then(() => list().forEach((station) => station.authorized(isAuthorized)));
    },
    cloudIs(next) {
      cloudState = next;
      for (const { terminal } of list()) terminal.cloudIs(next);
    },
    async run(signal) {
      state = 'running';
      for (const one of running.values()) begin(one);
      settleOrphans();
      try {
        await Promise.race([aborted(signal), failed.promise]);
      } finally {
        state = 'ending';
        await settling?.catch(failed.reject);
        await Promise.all([...running.values()].map((one) => one.end(stopGrace)));
      }
    },
    async [Symbol.asyncDispose]() {
      state = 'ending';
      await Promise.all([...running.values()].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

/** Who or what a change of it has to wait for. */
function useOf({ terminal, desk }: Station): string | undefined {
  if (!terminal.isIdle()) return 'somebody is using it';
  return desk.isIdle() ? undefined : 'a document is being printed';
}

const plansOf = ({ terminals, printerNetwork }: Config): readonly Plan[] =>
  terminals.map((terminal) =>
    terminal.printer.uri === 'auto' ? { terminal, printerNetwork } : { terminal },
  );
