/**
 * The figures of `/metrics` (contract, section 4), in a registry of its own so that two agents can live in one test.
 * Recording only: what a figure means is decided by whoever records it. Prometheus text format 0.0.4.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { inSeconds, seconds } from '../core/duration.ts';
import type { OutboxCounts } from '../domain/ports/ledger.ts';
import type { FrameVerdict } from '../domain/ports/readers.ts';
import { frameVerdicts } from '../domain/ports/readers.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import { relayOutcomes } from '../domain/relay-outcome.ts';
import type { Outcome } from '../domain/release.ts';

const stages = ['login', 'list', 'balance', 'download', 'convert', 'first_byte', 'printed'] as const;
export type Stage = (typeof stages)[number];

const outcomes = ['completed', 'failed', 'unknown'] as const satisfies readonly Outcome[];

/** Seconds: from a printer on the same desk to a job that waits for paper. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Metrics {
  releaseEnded(release: { terminal: string; outcome: Outcome }): void;
  stageTook(took: { stage: Stage; span: Duration }): void;
  readerIs(reader: { terminal: string; reader: string; state: 'up' | 'down' }): void;
  readerFrame(frame: { terminal: string; reader: string; verdict: FrameVerdict }): void;
  cardUnreadable(card: { terminal: string; reader: string }): void;
  cardRelayed(card: { terminal: string; reader: string; outcome: RelayOutcome }): void;
  printerIs(printer: { terminal: string; state: 'ready' | 'not-ready' }): void;
  cloudIs(state: 'up' | 'down'): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export interface MetricsSources {
  readonly version: string;
  /** Their series stand at 0 from the start: a dashboard cannot alert on what it does not see. */
  readonly terminals: readonly { readonly id: string; readonly readers: readonly string[] }[];
  /** Asked at each scrape. */
  outbox(): OutboxCounts;
  /** Until the device token expires; `undefined` without one. Asked at each scrape. */
  tokenExpiresIn(): Duration | undefined;
}

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const releases = new Counter({
    name: 'platen_releases_total',
    help: 'Releases that ended, by outcome.',
    labelNames: ['terminal', 'outcome'],
    registers,
  });
  const stageSeconds = new Histogram({
    name: 'platen_release_stage_seconds',
    help: 'How long a stage of a release took.',
    labelNames: ['stage'],
    buckets,
    registers,
  });
  const readerUp = new Gauge({
    name: 'platen_reader_up',
    help: '1 while the card reader is open.',
    labelNames: ['terminal', 'reader'],
    registers,
  });
  const readerOpenings = new Counter({
    name: 'platen_reader_openings_total',
    help: 'How often the card reader was opened; more than once means that it was away.',
    labelNames: ['terminal', 'reader'],
    registers,
  });
  const cardsUnreadable = new Counter({
    name: 'platen_cards_unreadable_total',
    help: 'Card numbers that the card rule does not fit.',
    labelNames: ['terminal', 'reader'],
    registers,
  });
  const cardsRelayed = new Counter({
    name: 'platen_cards_relayed_total',
    help: 'Badges that the print service was told of to print by itself, by outcome.',
    labelNames: ['terminal', 'reader', 'outcome'],
    registers,
  });
  const readerFrames = new Counter({
    name: 'platen_reader_frames_total',
    help: 'What the card reader sent, by what became of it.',
    labelNames: ['terminal', 'reader', 'verdict'],
    registers,
  });
  const printerReady = new Gauge({
    name: 'platen_printer_ready',
    help: '1 while the printer answers and can print.',
    labelNames: ['terminal'],
    registers,
  });
  const cloudUp = new Gauge({
    name: 'platen_cloud_up',
    help: '1 after a call to the print service was answered, 0 after one was not.',
    registers,
  });
  registerSources(sources, registers);

  for (const { id, readers } of sources.terminals) {
    for (const outcome of outcomes) releases.inc({ terminal: id, outcome }, 0);
    for (const reader of readers) {
      readerUp.set({ terminal: id, reader }, 0);
      cardsUnreadable.inc({ terminal: id, reader }, 0);
      readerOpenings.inc({ terminal: id, reader }, 0);
      for (const outcome of relayOutcomes) cardsRelayed.inc({ terminal: id, reader, outcome }, 0);
      for (const verdict of frameVerdicts) readerFrames.inc({ terminal: id, reader, verdict }, 0);
    }
    printerReady.set({ terminal: id }, 0);
  }
  for (const stage of stages) stageSeconds.zero({ stage });

  return {
    releaseEnded: ({ terminal, outcome }) => releases.inc({ terminal, outcome }),
    stageTook: ({ stage, span }) => stageSeconds.observe({ stage }, inSeconds(span)),
    readerIs({ terminal, reader, state }) {
      readerUp.set({ terminal, reader }, state === 'up' ? 1 : 0);
      if (state === 'up') readerOpenings.inc({ terminal, reader });
    },
    readerFrame: (frame) => readerFrames.inc(frame),
    cardUnreadable: (card) => cardsUnreadable.inc(card),
    cardRelayed: (card) => cardsRelayed.inc(card),
    printerIs: ({ terminal, state }) => printerReady.set({ terminal }, state === 'ready' ? 1 : 0),
    cloudIs: (state) => cloudUp.set(state === 'up' ? 1 : 0),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** What is asked for at each scrape, and what never changes. */
function registerSources(sources: MetricsSources, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('platen_outbox_records', 'History records that the print service has not accepted yet.', () => {
    const { waiting, held } = sources.outbox();
    return waiting + held;
  });
  gauge(
    'platen_outbox_dead_letters',
    'History records that the print service refused for good.',
    () => sources.outbox().deadLetters,
  );
  gauge('platen_token_expires_seconds', 'Until the device token expires; 0 without one.', () =>
    inSeconds(sources.tokenExpiresIn() ?? seconds(0)),
  );
  new Gauge({
    name: 'platen_build_info',
    help: 'Always 1; the versions are the labels.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: sources.version, node: process.versions.node }, 1);
}
