/**
 * The metrics of a fleet's member: whether the engine answers, which members beat, and how much this gateway serves.
 */
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

/** The fleet as this gateway sees it at this moment. */
export interface FleetNow {
  readonly site: string;
  readonly engine: { readonly isUp: boolean; readonly place?: string; readonly detail?: string };
  /** Since the engine last heard of this gateway; `null`: it never did. */
  readonly beatAgeSeconds: number | null;
  readonly members: readonly {
    readonly name: string;
    readonly isSelf: boolean;
    readonly isBeating: boolean;
    readonly lastBeatSeconds: number;
  }[];
  /** Terminals that this gateway serves, and all terminals for which it is set up. */
  readonly held: number;
  readonly terminals: number;
  /** The engine's load by all members, at the last look at unsettled work; absent before the first. */
  readonly load?: {
    readonly octets: number;
    readonly openClaims: number;
    readonly owedRecords: number;
    /** Of these: those whose release ended five minutes ago and more. */
    readonly overdueRecords: number;
    readonly lookSeconds: number;
  };
  /** The fleet's configuration, as far as this gateway follows it. */
  readonly configuration?: {
    readonly version: number | null;
    readonly shadowed: readonly string[];
    readonly rollout: {
      readonly number: number;
      readonly state: string;
      readonly gateway: string | null;
      readonly why: string | null;
    } | null;
  };
}

/** The label instead of a version. */
const ownAlone = 'own';

export function registerFleet(fleetNow: () => FleetNow, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (now: FleetNow) => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(fleetNow()));
      },
    });
  gauge('platen_fleet_engine_up', '1 while the engine of the fleet answers.', ({ engine }) =>
    Number(engine.isUp),
  );
  gauge(
    'platen_fleet_members',
    'Live gateways of this site, with this one. From the last answer of the engine.',
    ({ members }) => members.filter(({ isBeating }) => isBeating).length,
  );
  gauge('platen_fleet_terminals_held', 'Terminals that this gateway serves.', ({ held }) => held);
  gauge(
    'platen_fleet_beat_age_seconds',
    'Seconds since the engine last heard from this gateway. -1 before the first time.',
    ({ beatAgeSeconds }) => beatAgeSeconds ?? -1,
  );
  gauge(
    'platen_fleet_rollout_halted',
    '1 while the newest roll-out is halted. From the last answer of the engine.',
    ({ configuration }) => Number(configuration?.rollout?.state === 'halted'),
  );
  registerLoad(fleetNow, registers);
  registerConfiguration(fleetNow, registers);
}

type Load = NonNullable<FleetNow['load']>;
const loads: readonly (readonly [name: string, help: string, read: (load: Load) => number])[] = [
  [
    'platen_fleet_tables_bytes',
    'Size of the tables of the fleet in the engine, with their indexes. At the last look, which is once a minute.',
    ({ octets }) => octets,
  ],
  [
    'platen_fleet_claims_open',
    'Documents that all gateways of the fleet have in hand. At the last look.',
    ({ openClaims }) => openClaims,
  ],
  [
    'platen_fleet_records_owed',
    'History records of ended releases that all gateways of the fleet still have to post. At the last look.',
    ({ owedRecords }) => owedRecords,
  ],
  [
    'platen_fleet_records_overdue',
    'Those of them whose release ended more than five minutes ago. At the last look.',
    ({ overdueRecords }) => overdueRecords,
  ],
  [
    'platen_fleet_look_seconds',
    'Time that the engine took to tell this gateway what gone gateways have left. At the last look.',
    ({ lookSeconds }) => lookSeconds,
  ],
];

function registerLoad(fleetNow: () => FleetNow, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (load: Load) => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const { load } = fleetNow();
        this.remove();
        if (load) this.set(read(load));
      },
    });
  for (const [name, help, read] of loads) gauge(name, help, read);
}

const registerConfiguration = (fleetNow: () => FleetNow, registers: Registry[]): unknown =>
  new Gauge({
    name: 'platen_fleet_config_info',
    help: "Always 1. The label is the version of the fleet's configuration in use, or own if this gateway uses only its own file.",
    labelNames: ['version'],
    registers,
    collect() {
      this.reset();
      this.set({ version: String(fleetNow().configuration?.version ?? ownAlone) }, 1);
    },
  });
