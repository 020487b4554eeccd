/** The status loop of a terminal, if the service wants reports: the content of the reports, and their target. */
import type { Cloud } from '../cloud/client.ts';
import type { SettingsReading } from '../cloud/settings/settings-reading.ts';
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import type { Duration } from '../core/duration.ts';
import { minutes, seconds } from '../core/duration.ts';
import type { Settling } from '../domain/settling.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';
import type { ConditionList } from '../status/conditions.ts';
import type { PrinterWatch } from '../status/printer-watch.ts';
import type { StatusReporter } from '../status/reporter.ts';
import { composeTerminalInfo, createStatusReporter } from '../status/reporter.ts';
import type { StationReaders } from './readers.ts';

export interface StationReportsDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly reports: Cloud['reports'];
  interval(): Duration;
  /** If another gateway serves the terminal, that gateway reports. */
  isServedHere(): boolean;
  readonly settingsReading: SettingsReading;
  readonly conditions: ConditionList;
  readonly readers: StationReaders;
  readonly watch: Pick<PrinterWatch, 'description'>;
  readonly settling: Settling;
}

/**
 * A single gateway reports every minute, which keeps the connection warm for the next badge. In a fleet it is every
 * quarter of an hour, because the service must take the reports of a thousand gateways (F13). Changes are told as they
 * come.
 */
const usual = { alone: minutes(1), inFleet: minutes(15) };

export function reportInterval({ status, fleet }: Pick<Config, 'status' | 'fleet'>): Duration {
  const { intervalSeconds } = status;
  if (intervalSeconds !== undefined) return seconds(intervalSeconds);
  return fleet ? usual.inFleet : usual.alone;
}

/** `undefined` if the configuration wants no reports. */
export function createStationReports(
  { id, serialNumber, outputPortId }: TerminalConfig,
  deps: StationReportsDeps,
): StatusReporter | undefined {
  const { reports, interval, isServedHere, settingsReading, conditions, readers, watch } = deps;
  const { settling, clock, chance, log } = deps;
  return (
    reports &&
    createStatusReporter({
      terminal: id,
      interval,
      reports,
      settling,
      clock,
      chance,
      log,
      compose: () =>
        composeTerminalInfo({
          version,
          conditions: conditions.list(id),
          changedAt: conditions.changedAt(id),
          readers: readers.states(),
          printer: watch.description(),
        }),
      target: () => {
        if (!isServedHere()) return undefined;
        const configured = outputPortId === 'auto' ? undefined : outputPortId;
        const port = settingsReading.of(id).port?.id ?? configured;
        return { outputPortId: port, serialNumber, terminalId: id };
      },
    })
  );
}
