/**
 * The metrics of releases: how they ended and how long their stages took. Counters, a histogram, and quantiles that
 * need no further calculation.
 */
import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { inSeconds, minutes } from '../core/duration.ts';
import type { Outcome } from '../domain/release.ts';

const stages = ['login', 'list', 'balance', 'download', 'convert', 'first_byte', 'printed'] as const;
export type Stage = (typeof stages)[number];

const outcomes = ['completed', 'failed', 'unknown'] as const satisfies readonly Outcome[];

/** Seconds: from a printer on the same desk to a job that waits for paper. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface ReleaseMetrics {
  releaseEnded(release: { terminal: string; outcome: Outcome }): void;
  stageTook(took: { stage: Stage; span: Duration }): void;
  add(terminal: string): void;
  drop(terminal: string): void;
}

export function createReleaseMetrics(
  { clock }: { readonly clock: Clock },
  registers: Registry[],
): ReleaseMetrics {
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
  for (const stage of stages) stageSeconds.zero({ stage });

  const windows = new Map(stages.map((stage) => [stage, createStageWindow({ clock })]));
  // Not one metric with a label `quantile`: that label is a summary's.
  const quantile = (name: string, of: string, rank: number): unknown =>
    new Gauge({
      name,
      help: `${of} of the time that a stage took, in the last 15 minutes, from at most 500 values. Absent if there are none.`,
      labelNames: ['stage'],
      registers,
      collect() {
        this.reset();
        for (const [stage, window] of windows) {
          const value = window.quantile(rank);
          if (value !== undefined) this.set({ stage }, value);
        }
      },
    });
  quantile('platen_release_stage_p50_seconds', 'The median', 0.5);
  quantile('platen_release_stage_p95_seconds', 'The 95th percentile', 0.95);

  return {
    releaseEnded: ({ terminal, outcome }) => releases.inc({ terminal, outcome }),
    stageTook({ stage, span }) {
      stageSeconds.observe({ stage }, inSeconds(span));
      windows.get(stage)?.add(inSeconds(span));
    },
    add: (terminal) => {
      for (const outcome of outcomes) releases.inc({ terminal, outcome }, 0);
    },
    drop: (terminal) => {
      for (const outcome of outcomes) releases.remove({ terminal, outcome });
    },
  };
}

/** The newest figures of one stage, for their quantiles: only so long, and at most so many. */
const span = minutes(15);
const most = 500;

interface StageWindow {
  add(value: number): void;
  /** By the nearest rank; `undefined` if there were no recent figures. */
  quantile(rank: number): number | undefined;
}

function createStageWindow({ clock }: { readonly clock: Clock }): StageWindow {
  let figures: { readonly at: number; readonly value: number }[] = [];
  return {
    add(value) {
      figures.push({ at: clock.monotonic(), value });
      if (figures.length >= 2 * most) figures = figures.slice(-most);
    },
    quantile(rank) {
      const since = clock.monotonic() - span;
      figures = figures.slice(-most).filter(({ at }) => at >= since);
      const values = figures.map(({ value }) => value).sort((one, other) => one - other);
      return values[Math.ceil(rank * values.length) - 1];
    },
  };
}
