/** The timeline on paper or a screen, in local time: a heading for each day, a line for each entry. No I/O. */
import { isoWithOffset } from '../../core/clock.ts';
import { printable } from '../../core/log.ts';
import { shortReleaseId } from '../../domain/release.ts';
import type { TimelineEntry } from '../../domain/terminal/timeline.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { columnsOf } from '../../prompt/columns.ts';
import { wrapped } from '../terminal-text/text-width.ts';
import type { AgentState, Standing, TerminalState } from './state.ts';
import { toldLater } from '../../domain/problem/problem.ts';
import { sentenceOf } from './words.ts';

export function timelineLines(
  entries: readonly TimelineEntry[],
  { isOfOne, width }: { readonly isOfOne: boolean; readonly width: number },
): readonly string[] {
  const widest = Math.max(1, ...entries.map(({ terminal = '' }) => terminal.length));
  let day = '';
  return entries.flatMap((entry) => {
    const [date = '', time = ''] = localTime(entry.time).split(' ');
    const heading = date === day ? [] : [...(day === '' ? [] : ['']), date];
    day = date;
    const where = isOfOne ? '' : `${(entry.terminal ?? '-').padEnd(widest)}  `;
    return [...heading, ...behind(`${time}  ${where}`, sentenceOf(entry), width)];
  });
}

/** The sentence goes on below where it began. */
function behind(head: string, sentence: string, width: number): readonly string[] {
  const indent = columnsOf(head);
  const [first = '', ...rest] = wrapped(sentence, { width: width - indent, indent: 0 });
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
}

export function stateLines(
  state: TerminalState,
  { terminal, at, width }: { terminal: string; at: number; width: number },
): string[] {
  const { agent, outOfService, standing, session, underWay } = state;
  const day = isoWithOffset(at).slice(0, 10);
  const when = (instant: string) => `since ${sinceOn(day, instant)}`;
  const ran = agent.state === 'running';
  const lines = [
    `${terminal} at ${localTime(isoWithOffset(at)).slice(0, 16)}:`,
    `  ${agentText(agent, day)}`,
    ...(outOfService
      ? [`  Out of service ${when(outOfService.since)}: ${outageReason(outOfService.reason)}.`]
      : []),
    ...standing.map((one) => `  ${standingText(one, when(one.since))}`),
    ...(ran && !outOfService && standing.length === 0 ? ['  Platen knew of no problem.'] : []),
    ...(ran
      ? [`  ${session ? `Somebody was signed in ${when(session.since)}.` : 'Nobody was signed in.'}`]
      : []),
    ...underWay.map(
      ({ releaseId, since }) => `  Release ${shortReleaseId(releaseId)} was in progress ${when(since)}.`,
    ),
    ...(ran && underWay.length === 0 ? ['  No release was in progress.'] : []),
  ];
  return lines.map(printable).flatMap((line) => {
    const [, head = '', text = ''] = /^( *)(.*)$/.exec(line) ?? [];
    return wrapped(text, { width: width - head.length, indent: 2 }).map((part) => head + part);
  });
}

function agentText({ state, since, version, until }: AgentState, day: string): string {
  const began = since === undefined ? '' : sinceOn(day, since);
  const again = until === undefined ? '' : ` It started again at ${sinceOn(day, until)}.`;
  if (state === 'running') return `The agent was running, version ${version ?? '?'}, since ${began}.`;
  if (state === 'stopped') return `The agent was not running: it was stopped at ${began}.${again}`;
  if (since === undefined) return 'Nothing is known about the agent at that time.';
  return `The agent was not running all the time. It was last seen at ${began}.${again}`;
}

function standingText({ subject, detail, code }: Standing, when: string): string {
  const advice = toldLater(code);
  return `${subject}: ${detail} (${code}), ${when}.${advice === '' ? '' : ` ${advice}`}`;
}

/** `10:15` of the same day, else with its day. */
function sinceOn(day: string, instant: string): string {
  const [date = '', time = ''] = localTime(instant).split(' ');
  return date === day ? time.slice(0, 5) : `${date} ${time.slice(0, 5)}`;
}
