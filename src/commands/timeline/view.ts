/** The timeline as text, in local time: a heading for each day, a line for each entry. No I/O. */
import { isoWithOffset } from '../../core/clock.ts';
import { printable } from '../../core/text/printable.ts';
import { shortReleaseId } from '../../domain/release.ts';
import type { TimelineEntry, TimelineEvent } from '../../domain/terminal/timeline.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { columnsOf } from '../../prompt/columns.ts';
import { wrapped } from '../terminal-text/text-width.ts';
import { faultAndRemedy } from '../../domain/problem/problem.ts';
import { sessionEnd } from '../logs/session-end.ts';
import type { AgentState, Standing, TerminalState } from './state.ts';

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

/** The next lines of a sentence are indented to its beginning. */
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
  const advice = faultAndRemedy(code);
  return `${subject}: ${detail} (${code}), ${when}.${advice === '' ? '' : ` ${advice}`}`;
}

/** `10:15` on the same day; otherwise with the day. */
function sinceOn(day: string, instant: string): string {
  const [date = '', time = ''] = localTime(instant).split(' ');
  return date === day ? time.slice(0, 5) : `${date} ${time.slice(0, 5)}`;
}

/** Each entry of the timeline as a sentence. No I/O. */
type Facts = TimelineEntry['facts'];

export const sentenceOf = ({ what, facts }: TimelineEntry): string => printable(sentences[what](facts));

const sentences: Readonly<Record<TimelineEvent, (facts: Facts) => string>> = {
  'agent started': ({ version, afterCrash }) =>
    `The agent started, version ${text(version)}${afterCrash === true ? '; it was not stopped normally before' : ''}`,
  'agent stopped': () => 'The agent stopped',
  'service overdue': ({ services }) => `A part of the agent makes no progress: ${text(services)}`,
  'event loop blocked': ({ seconds }) => `The agent was blocked for ${Number(seconds).toFixed(1)} s`,
  'engine away': () => 'The engine of the fleet is away',
  'engine back': () => 'The engine of the fleet is back',
  'config reloaded': ({ changed, pending }) =>
    `Configuration reloaded: ${list(changed) || 'nothing changed'}${list(pending) && `; waits: ${list(pending)}`}`,
  'config not reloaded': ({ mistakes }) =>
    `Configuration not reloaded: ${text(mistakes)} ${mistakes === 1 ? 'mistake' : 'mistakes'}. The earlier one is still used`,
  'log level lowered': ({ to, minutes, by }) => `Log level ${text(to)} for ${text(minutes)} min${byUser(by)}`,
  'log level as configured': ({ by }) => `Log level as configured again${byUser(by)}`,
  'dead letters retried': ({ records, by }) => `Dead letters to be sent again: ${text(records)}${byUser(by)}`,
  'diagnosis asked for': ({ from, by }) => `Support bundle asked for at ${text(from)}${byUser(by)}`,
  'terminal move asked for': ({ to, from, by }) =>
    `Move to ${text(to)} asked for at ${text(from)}${byUser(by)}`,
  'administrator acted': ({ action, changed, by }) =>
    `platen ${text(action)}${list(changed) && `: ${list(changed)}`}${byUser(by)}`,
  'release settled by an administrator': ({ releaseId, word, by, name }) =>
    `Release ${short(releaseId)}: ${word === 'came-out' ? 'it was printed' : 'nothing was printed'}, says ${sayer(by, name)}`,
  'condition acknowledged': ({ code, subject, note, by, name }) =>
    `${text(subject)}: ${sayer(by, name)} has taken this on (${text(code)})${note === '' ? '' : `: ${text(note)}`}`,
  'terminal added': () => 'Added to the configuration',
  'terminal changed': () => 'Changed in the configuration',
  'terminal removed': () => 'Removed from the configuration',
  'terminal taken over': () => 'Taken over from another gateway',
  'terminal handed over': () => 'Handed over to another gateway',
  'terminal ready': () => 'Ready',
  'terminal out of service': ({ reason, code, reference }) =>
    `Out of service: ${outageReason(text(reason))}${code === undefined ? '' : ` (${text(code)})`}, on the screen as ${text(reference)}`,
  'terminal back in service': () => 'Back in service',
  'session opened': () => 'Session opened',
  'session closed': (facts) => `Session closed: ${sessionEnd(facts, endings)}`,
  'login failed': ({ code, locked }) =>
    `Sign-in refused: ${why(code)}${locked === undefined ? '' : ` This ${text(locked)} pauses.`}`,
  'list failed': ({ code }) => `The list of documents could not be fetched: ${why(code)}`,
  'card ignored': ({ code }) => `Card ignored: ${why(code)}`,
  'card not converted': ({ code }) => `Card refused: ${why(code)}`,
  'card relayed': ({ outcome }) => `Card reported to the service: ${text(outcome)}`,
  'second card ignored': ({ reader }) => `A second card was ignored at ${text(reader)}`,
  'claim refused': () => 'A document was left to another gateway of the fleet, which prints it',
  'release started': ({ releaseId, printer }) =>
    `Release ${short(releaseId)} started${printer === undefined ? '' : ` at ${text(printer)}`}`,
  'release resumed': ({ releaseId }) => `Release ${short(releaseId)} resumed after the restart`,
  'release repeated': ({ releaseId }) => `Release ${short(releaseId)} prints again, as the person asked`,
  'release sent plain': ({ releaseId, before }) =>
    `Release ${short(releaseId)} prints what release ${short(before)} could not: the printer did not unpack it`,
  'release skipped': ({ code, reasons }) => `A document was not printed: ${why(code, reasons)}`,
  'release ended': ({ releaseId, outcome, code, reasons }) =>
    outcome === 'unknown' && code === 'claim-lost'
      ? `Release ${short(releaseId)} is settled by another gateway of the fleet`
      : `Release ${short(releaseId)} ${ends[text(outcome)] ?? text(outcome)}${code === undefined ? '' : `: ${why(code, reasons)}`}`,
  'release confirmed by a person': ({ releaseId }) =>
    `Release ${short(releaseId)}: the person found the paper`,
  'delivery refused': ({ releaseId, code }) =>
    `Release ${short(releaseId)}: the service does not print it: ${why(code)}`,
  'condition raised': ({ subject, detail, code }) => `${text(subject)}: ${text(detail)} (${text(code)})`,
  'condition cleared': ({ subject, code }) => `${text(subject)}: solved (${text(code)})`,
};

const endings: Readonly<Record<string, string>> = {
  badge: 'a card was held to the reader',
  logout: 'the person signed out',
  timeout: 'nobody used the terminal',
  stopped: 'the agent or this terminal stopped',
  error: 'the terminal was no longer in service',
};

const ends: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed, nothing was printed',
  unknown: 'ended, and nobody knows whether it was printed',
};

const why = (code: unknown, reasons?: unknown): string =>
  [faultAndRemedy(text(code), Array.isArray(reasons) ? reasons : []), `(${text(code)})`]
    .filter(Boolean)
    .join(' ');
const short = (releaseId: unknown): string => shortReleaseId(text(releaseId));
const list = (fact: unknown): string => (Array.isArray(fact) ? fact.join(', ') : '');
const text = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '?';
const sayer = (by: unknown, name: unknown): string =>
  typeof name === 'string' ? name : typeof by === 'number' ? `uid ${by}` : 'an administrator';
const byUser = (by: unknown): string => (typeof by === 'number' ? `, by uid ${by}` : '');
