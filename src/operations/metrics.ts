/**
 * The figures of `/metrics` (contract, section 4), in a registry of its own so that two agents can live in one test.
 * It only records figures; the code that records a figure decides its meaning. Releases, the gateway and the fleet
 * have their own files. Prometheus text format 0.0.4, names as in https://prometheus.io/docs/practices/naming.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { hours, inSeconds } from '../core/duration.ts';
import type { Env } from '../domain/env.ts';
import type { FrameVerdict } from '../domain/ports/readers.ts';
import { frameVerdicts } from '../domain/ports/readers.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import { relayOutcomes } from '../domain/relay-outcome.ts';
import type { GatewaySources } from './gateway-metrics.ts';
import { registerGateway } from './gateway-metrics.ts';
import type { ReleaseMetrics } from './release-metrics.ts';
import { createReleaseMetrics } from './release-metrics.ts';

/** A terminal and its readers have series of their own. */
export interface MeasuredTerminal {
  readonly id: string;
  /** By name. */
  readonly readers: readonly string[];
}

/** Calls to the print service under `cloud.limits`: how long they wait, and what the service refuses. */
interface CloudMetrics {
  /** A call has waited for so long for the limit, or for the Retry-After of a 429. */
  callWaited(forWhom: 'person' | 'background', span: Duration): void;
  /** The service answered a call with 429. */
  callRefused(): void;
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
  /** Adds the metrics that are read at each scrape. Called once. */
  readFrom(sources: GatewaySources): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export function createMetrics({ clock }: Pick<Env, 'clock'>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectProcessMetrics(registry);

  const { add: addReleases, drop: dropReleases, ...releases } = createReleaseMetrics({ clock }, registers);
  const { add: addReaders, drop: dropReaders, ...readers } = createReaderMetrics(registers);
  const { printerReady, cloudUp, blockedSeconds } = gaugesIn(registers);

  return {
    ...releases,
    ...readers,
    ...cloudMetricsIn(registers),
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
    readFrom: (sources) => registerGateway(sources, registers),
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

interface ReaderMetrics {
  readerIs(reader: { terminal: string; reader: string; state: 'up' | 'down' }): void;
  readerFrame(frame: { terminal: string; reader: string; verdict: FrameVerdict }): void;
  cardUnreadable(card: { terminal: string; reader: string }): void;
  cardRelayed(card: { terminal: string; reader: string; outcome: RelayOutcome }): void;
  add(terminal: string, readers: readonly string[]): void;
  drop(terminal: string, readers: readonly string[]): void;
}

const labelNames = ['terminal', 'reader'] as const;

const seriesIn = (registers: Registry[]) => ({
  up: new Gauge({
    name: 'platen_reader_up',
    help: '1 while the card reader is open.',
    labelNames,
    registers,
  }),
  openings: new Counter({
    name: 'platen_reader_openings_total',
    help: 'How often the card reader was opened. More than once means that it was away.',
    labelNames,
    registers,
  }),
  cardsUnreadable: new Counter({
    name: 'platen_cards_unreadable_total',
    help: 'Card numbers that do not fit the card rule.',
    labelNames,
    registers,
  }),
  cardsRelayed: new Counter({
    name: 'platen_cards_relayed_total',
    help: 'Badges forwarded to the print service for printing, by outcome.',
    labelNames: [...labelNames, 'outcome'],
    registers,
  }),
  frames: new Counter({
    name: 'platen_reader_frames_total',
    help: 'Frames that the card reader sent, by verdict.',
    labelNames: [...labelNames, 'verdict'],
    registers,
  }),
});

/** The metrics of the card readers: whether each is open, its frames, and the results of its badges. */
function createReaderMetrics(registers: Registry[]): ReaderMetrics {
  const { up, openings, cardsUnreadable, cardsRelayed, frames } = seriesIn(registers);

  function addReader(terminal: string, reader: string): void {
    up.set({ terminal, reader }, 0);
    openings.inc({ terminal, reader }, 0);
    cardsUnreadable.inc({ terminal, reader }, 0);
    for (const outcome of relayOutcomes) cardsRelayed.inc({ terminal, reader, outcome }, 0);
    for (const verdict of frameVerdicts) frames.inc({ terminal, reader, verdict }, 0);
  }

  function dropReader(terminal: string, reader: string): void {
    for (const series of [up, openings, cardsUnreadable]) series.remove({ terminal, reader });
    for (const outcome of relayOutcomes) cardsRelayed.remove({ terminal, reader, outcome });
    for (const verdict of frameVerdicts) frames.remove({ terminal, reader, verdict });
  }

  return {
    readerIs({ terminal, reader, state }) {
      up.set({ terminal, reader }, state === 'up' ? 1 : 0);
      if (state === 'up') openings.inc({ terminal, reader });
    },
    readerFrame: (frame) => frames.inc(frame),
    cardUnreadable: (card) => cardsUnreadable.inc(card),
    cardRelayed: (card) => cardsRelayed.inc(card),
    add: (terminal, readers) => {
      for (const reader of readers) addReader(terminal, reader);
    },
    drop: (terminal, readers) => {
      for (const reader of readers) dropReader(terminal, reader);
    },
  };
}

/** Seconds. Of a person's call up to 2 are promised. */
const waits = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

function cloudMetricsIn(registers: Registry[]): CloudMetrics {
  const waited = new Histogram({
    name: 'platen_cloud_limit_wait_seconds',
    help: 'How long a call to the print service waited for cloud.limits, or for the Retry-After of a 429.',
    labelNames: ['for'],
    buckets: waits,
    registers,
  });
  for (const forWhom of ['person', 'background']) waited.zero({ for: forWhom });
  const refused = new Counter({
    name: 'platen_cloud_refused_calls_total',
    help: 'Calls that the print service answered with 429, because there were too many.',
    registers,
  });
  return {
    callWaited: (forWhom, span) => waited.observe({ for: forWhom }, inSeconds(span)),
    callRefused: () => refused.inc(),
  };
}
