/**
 * The figures of `/metrics` (contract, section 4), in a registry of its own so that two agents can live in one test. It
 * only records figures; the code that records a figure decides its meaning. Each noun has its own file; Prometheus text
 * format 0.0.4, names as in https://prometheus.io/docs/practices/naming.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { hours, inSeconds } from '../core/duration.ts';
import type { CallRates, CloudMetrics } from './cloud-metrics.ts';
import { createCloudMetrics } from './cloud-metrics.ts';
import type { GatewaySources } from './gateway-metrics.ts';
import { registerGateway } from './gateway-metrics.ts';
import type { ReaderMetrics } from './reader-metrics.ts';
import { createReaderMetrics } from './reader-metrics.ts';
import type { ReleaseMetrics } from './release-metrics.ts';
import { createReleaseMetrics } from './release-metrics.ts';

/** A terminal and its readers have series of their own. */
export interface MeasuredTerminal {
  readonly id: string;
  /** By name. */
  readonly readers: readonly string[];
}

export interface Metrics
  extends CloudMetrics,
    Omit<ReleaseMetrics, 'add' | 'drop'>,
    Omit<ReaderMetrics, 'add' | 'drop'> {
  printerIs(printer: { terminal: string; state: 'ready' | 'not-ready' }): void;
  cloudIs(state: 'up' | 'slow' | 'down'): void;
  /** No other code ran for so long. */
  eventLoopBlocked(span: Duration): void;
  /**
   * Sets the terminals from now on. New series start at 0, because a dashboard cannot alert on a missing series. The
   * series of removed terminals and readers are removed, too.
   */
  terminalsAre(terminals: readonly MeasuredTerminal[]): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export function createMetrics(sources: GatewaySources & CallRates): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectProcessMetrics(registry);

  const { add: addReleases, drop: dropReleases, ...releases } = createReleaseMetrics(sources, registers);
  const { add: addReaders, drop: dropReaders, ...readers } = createReaderMetrics(registers);
  const { printerReady, cloudUp, blockedSeconds } = gaugesIn(registers);
  registerGateway(sources, registers);

  return {
    ...releases,
    ...readers,
    ...createCloudMetrics(sources, registers),
    printerIs: ({ terminal, state }) => printerReady.set({ terminal }, state === 'ready' ? 1 : 0),
    cloudIs: (state) => cloudUp.set(state === 'down' ? 0 : 1),
    eventLoopBlocked: (span) => blockedSeconds.inc(inSeconds(span)),
    terminalsAre: following({
      begin(terminal) {
        addReleases(terminal);
        printerReady.set({ terminal }, 0);
      },
      end(terminal) {
        dropReleases(terminal);
        printerReady.remove({ terminal });
      },
      addReaders,
      dropReaders,
    }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

const gaugesIn = (registers: Registry[]) => ({
  printerReady: new Gauge({
    name: 'platen_printer_ready',
    help: '1 while the printer answers and can print. Assumed for raw printers not contacted recently.',
    labelNames: ['terminal'],
    registers,
  }),
  cloudUp: new Gauge({
    name: 'platen_cloud_up',
    help: '1 if the print service answered the last call, 0 if it did not.',
    registers,
  }),
  blockedSeconds: new Counter({
    name: 'platen_event_loop_blocked_seconds_total',
    help: 'Time in which Platen did not run at all. Only pauses of more than a second count.',
    registers,
  }),
});

interface SeriesOfTerminals {
  begin(terminal: string): void;
  end(terminal: string): void;
  addReaders(terminal: string, readers: readonly string[]): void;
  dropReaders(terminal: string, readers: readonly string[]): void;
}

function following(series: SeriesOfTerminals): Metrics['terminalsAre'] {
  let measured = new Map<string, readonly string[]>();
  return (terminals) => {
    const now = new Map(terminals.map(({ id, readers }) => [id, readers]));
    for (const [id, readers] of measured) {
      series.dropReaders(
        id,
        readers.filter((reader) => !now.get(id)?.includes(reader)),
      );
      if (!now.has(id)) series.end(id);
    }
    for (const [id, readers] of now) {
      const known = measured.get(id);
      if (!known) series.begin(id);
      series.addReaders(
        id,
        readers.filter((reader) => !known?.includes(reader)),
      );
    }
    measured = now;
  };
}

/**
 * The metrics of the process, without the histogram of the event loop's lag. Its timer, 100 times a second, would cost
 * more than all other work of an idle agent. Long pauses are in `platen_event_loop_blocked_seconds_total`.
 */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: hours(1) });
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
  }
}
