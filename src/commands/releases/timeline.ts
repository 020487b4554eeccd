/** Where the time of one release went, as a table with a bar for each stage. No I/O. */
import type { Trace, TraceStage, TraceStep } from '../../domain/release-trace.ts';
import { longestStep, stepsToPaper, tookInAll } from '../../domain/release-trace.ts';

const barWidth = 40;
/** Nobody chooses within so many milliseconds: autoRelease does. */
const noticeable = 100;

const words: Readonly<Record<TraceStage, string>> = {
  badge: 'badge read',
  login: 'login',
  list: 'list',
  chosen: 'chosen',
  queue: 'waiting for others of the terminal',
  balance: 'balance',
  download: 'download',
  turn: 'waiting for its turn',
  prepare: 'printer asked',
  convert: 'convert',
  delivery: 'service asked to print',
  first_byte: 'first byte',
  sent: 'sent',
  printed: 'printed',
  followed: 'printer followed',
  deleted: 'deleted',
  recorded: 'recorded in history',
};

/** `12 ms`, `4.21 s`, `31 s`, `3 min 20 s`. */
export function tookText(span: number): string {
  if (span < 1000) return `${Math.round(span)} ms`;
  if (span < 10_000) return `${(span / 1000).toFixed(2)} s`;
  const seconds = Math.round(span / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Rows, with their heading. */
export function timelineOf(trace: Trace): string[][] {
  const inAll = tookInAll(trace);
  const longest = longestStep(trace);
  const waitedFor = new Set(stepsToPaper(trace));
  return [
    ['STAGE', 'AT', 'TOOK', ''],
    ...trace.steps.map((step) => [
      words[step.stage],
      tookText(step.at),
      tookText(step.took),
      (waitedFor.has(step) ? bar(step, inAll) : '(afterwards)') + (step === longest ? '  the longest' : ''),
    ]),
  ];
}

/** What a person does is dotted. */
function bar({ stage, at, took }: TraceStep, inAll: number): string {
  const place = (moment: number): number => Math.round((moment / Math.max(1, inAll)) * barWidth);
  const from = Math.min(place(at), barWidth - 1);
  const length = Math.max(1, place(at + took) - from);
  return ' '.repeat(from) + (stage === 'chosen' ? '.' : '#').repeat(length);
}

export function timelineSummary(trace: Trace): string {
  const choosing = trace.steps.find(({ stage }) => stage === 'chosen')?.took ?? 0;
  const paper = trace.steps.some(({ stage }) => stage === 'printed') ? 'the paper' : 'the end';
  return (
    `${tookText(tookInAll(trace))} from the badge to ${paper}` +
    (choosing >= noticeable ? `, ${tookText(choosing)} of it choosing` : '')
  );
}
