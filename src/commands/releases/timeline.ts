/** The duration of each stage of one release, as a table with bars. No I/O. */
import type { Trace, TraceStep } from '../../domain/release-trace.ts';
import { longestStep, stageWords, stepsToPaper, tookInAll } from '../../domain/release-trace.ts';

const barWidth = 40;
/** Nobody chooses within this number of milliseconds. A shorter time means autoRelease. */
const noticeable = 100;

/** `12 ms`, `4.21 s`, `31 s`, `3 min 20 s`. */
export function tookText(span: number): string {
  if (span < 1000) return `${Math.round(span)} ms`;
  if (span < 10_000) return `${(span / 1000).toFixed(2)} s`;
  const seconds = Math.round(span / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Rows, with their heading. */
export function timelineOf(trace: Trace): string[][] {
  const drawn = barsOf(trace);
  const longest = longestStep(trace);
  const waitedFor = new Set(stepsToPaper(trace));
  return [
    ['STAGE', 'AT', 'TOOK', ''],
    ...trace.steps.map((step) => [
      stageWords[step.stage],
      tookText(step.at),
      tookText(step.took),
      (waitedFor.has(step) ? drawn(step) : '(afterwards)') + (step === longest ? '  the longest' : ''),
    ]),
  ];
}

/**
 * The person's choice is dotted, and is drawn at most as long as a quarter of all other stages. Otherwise the other
 * bars would be too short.
 */
function barsOf(trace: Trace): (step: TraceStep) => string {
  const choice = trace.steps.find(({ stage }) => stage === 'chosen');
  const chosenAt = choice?.at ?? 0;
  const choosing = choice?.took ?? 0;
  const kept = Math.min(choosing, (tookInAll(trace) - choosing) / 4);
  const drawnAt = (moment: number): number => {
    if (moment <= chosenAt) return moment;
    return moment < chosenAt + choosing ? chosenAt + kept : moment - choosing + kept;
  };
  const inAll = Math.max(1, drawnAt(tookInAll(trace)));
  const place = (moment: number): number => Math.round((drawnAt(moment) / inAll) * barWidth);

  return ({ stage, at, took }) => {
    const from = Math.min(place(at), barWidth - 1);
    const length = Math.max(1, place(at + took) - from);
    return ' '.repeat(from) + (stage === 'chosen' ? '.' : '#').repeat(length);
  };
}

export function timelineSummary(trace: Trace): string {
  const choosing = trace.steps.find(({ stage }) => stage === 'chosen')?.took ?? 0;
  const paper = trace.steps.some(({ stage }) => stage === 'printed') ? 'the paper' : 'the end';
  return (
    `${tookText(tookInAll(trace))} from the badge to ${paper}` +
    (choosing >= noticeable ? `, ${tookText(choosing)} of it choosing` : '')
  );
}
