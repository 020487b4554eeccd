/** The parts that the terminals of one agent share, built once in `agent/commons.ts`. */
import type { Cloud } from '../cloud/client.ts';
import type { SettingsReading } from '../cloud/settings/settings-reading.ts';
import type { Config } from '../config/schema/config.ts';
import type { RootLog } from '../core/log.ts';
import type { Env } from '../domain/env.ts';
import type { Settling } from '../domain/settling.ts';
import type { Claims } from '../domain/ports/claims.ts';
import type { LockOut } from '../domain/lock-out.ts';
import type { Holds } from '../domain/ports/holds.ts';
import type { PagePictures } from '../domain/ports/preview.ts';
import type { Converter, Spool } from '../domain/ports/printing.ts';
import type { ServiceTime } from '../domain/service-time.ts';
import type { Obstacle } from '../enrollment/obstacle.ts';
import type { OnTheWay } from '../release/on-the-way.ts';
import type { DocumentsSetAside } from '../release/standing.ts';
import type { PrinterTurns } from '../release/turns.ts';
import type { Health } from '../operations/health.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Trust } from '../printing/ipp/system-trust.ts';
import type { DialIn } from '../readers/tcp/dial-in.ts';
import type { CardReturn } from '../terminal/person/card-return.ts';
import type { ConditionList } from '../status/conditions.ts';
import type { Store } from '../store/store.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';

export interface Shared extends Pick<Env, 'clock' | 'chance'> {
  /** The configuration in force at this moment. */
  config(): Config;
  readonly cloud: Cloud;
  readonly store: Store;
  readonly settingsReading: SettingsReading;
  readonly conditions: ConditionList;
  readonly metrics: Metrics;
  /** Absent if traces are not exported. */
  readonly traces: Pick<TraceExporter, 'add'> | undefined;
  readonly health: Health;
  readonly claims: Claims;
  readonly onTheWay: OnTheWay;
  readonly setAside: DocumentsSetAside;
  readonly turns: PrinterTurns;
  readonly lockOut: LockOut;
  readonly cardReturn: CardReturn;
  readonly spool: Spool;
  readonly converter: Converter;
  readonly pictures: PagePictures;
  readonly trust: Trust;
  /** Tells which gateway serves which terminal. */
  readonly holds: Pick<Holds, 'serve' | 'standing' | 'leave'>;
  /** Network readers of all terminals connect there. */
  readonly dialIn: DialIn;
  /** The known reason why the device cannot be used, if there is one. */
  obstacle(): Obstacle | undefined;
  readonly serviceTime: ServiceTime;
  /** Many gateways may start together with this one. */
  readonly settling: Settling;
  readonly log: RootLog;
}

export interface StationDeps extends Shared {
  /** A terminal may have become idle, or its last release may have ended. */
  onRest(): void;
}
