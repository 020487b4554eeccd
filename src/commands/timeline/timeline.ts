/**
 * `platen timeline`: the events at a terminal, or its state at one moment. It reads the agent's files
 * (`store/files/timeline-files.ts`), with or without a running agent.
 */
import { namesPart } from '../../config/part.ts';
import { isoInstant, isoWithOffset, systemClock } from '../../core/clock.ts';
import { hours, minutes } from '../../core/duration.ts';
import type { TimelineEntry } from '../../domain/terminal/timeline.ts';
import { isAdministration } from '../../domain/terminal/timeline.ts';
import { timelineOf } from '../../store/files/timeline-files.ts';
import { configPart } from '../config-part.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { noSuchTerminal } from '../named-terminal.ts';
import type { Moment } from '../terminal-text/moment.ts';
import type { TerminalState } from './state.ts';
import { StateGathering } from './state.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { screenWidth } from '../terminal-text/screen.ts';
import { stateLines, timelineLines } from './view.ts';

export interface TimelineOptions {
  readonly config: string;
  /** Absent: all terminals. */
  readonly terminal?: string;
  readonly at?: Moment;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly admin?: boolean;
  readonly json?: boolean;
}

const usualSpan = hours(24);
const everything = hours(31 * 24);
/** Before and after the requested moment. */
const around = minutes(15);

interface Window {
  readonly from: number;
  /** Absent: no end, so that entries are shown even if a clock was set back. */
  readonly to?: number;
  /** The moment of the requested state. */
  readonly at?: number;
}

export async function timelineCommand(options: TimelineOptions, io: Io): Promise<number> {
  const { config: file, terminal, admin, json } = options;
  if (options.at && terminal === undefined) {
    io.error('platen: --at needs a terminal: platen timeline TERMINAL --at TIME');
    return exitCode.usage;
  }
  const { stateDir, terminals } = configPart(file, io, namesPart);
  const window = windowOf(options, systemClock.now());
  const found = look(timelineOf({ stateDir, terminal }), window);
  if (terminal !== undefined && !found.isKnown && !terminals.some((one) => one?.id === terminal)) {
    throw noSuchTerminal(
      terminal,
      terminals.filter((one) => one !== undefined),
    );
  }
  const entries = admin === true ? found.entries.filter(isAdministration) : found.entries;
  const lines = json
    ? jsonLines(entries, { window, state: found.state, terminal })
    : textLines(entries, { window, state: found.state, terminal, width: screenWidth(io.screen) });
  for (const line of lines) io.out(line);
  return exitCode.ok;
}

function windowOf({ at, since, until, admin }: TimelineOptions, now: number): Window {
  if (at) return { from: at(now) - around, to: at(now) + around, at: at(now) };
  const to = until?.(now);
  const from = since?.(now) ?? (to ?? now) - (admin === true ? everything : usualSpan);
  return { from, ...(to === undefined ? {} : { to }) };
}

interface Found {
  readonly entries: readonly TimelineEntry[];
  /** There was an event at the terminal at any time. */
  readonly isKnown: boolean;
  readonly state: TerminalState;
}

function look(all: Iterable<TimelineEntry>, window: Window): Found {
  const first = isoInstant(window.from);
  const [last, moment] = [window.to, window.at].map((wall) =>
    wall === undefined ? undefined : isoInstant(wall),
  );
  const gathering = new StateGathering();
  const entries: TimelineEntry[] = [];
  let isKnown = false;
  for (const entry of all) {
    isKnown ||= entry.terminal !== undefined;
    if (moment === undefined || entry.time <= moment) gathering.before(entry);
    else gathering.after(entry);
    if (entry.time >= first && (last === undefined || entry.time <= last)) entries.push(entry);
  }
  return { entries, isKnown, state: gathering.state() };
}

interface Shown {
  readonly window: Window;
  readonly state: TerminalState;
  readonly terminal: string | undefined;
}

function jsonLines(entries: readonly TimelineEntry[], { window: { at }, state, terminal }: Shown): string[] {
  const lines = entries.map(({ time, what, terminal: where, facts }) => ({
    time,
    what,
    ...(where === undefined ? {} : { terminal: where }),
    ...facts,
  }));
  const stood = at === undefined ? [] : [{ time: isoInstant(at), what: 'state', terminal, ...state }];
  return [...stood, ...lines].map((line) => JSON.stringify(line));
}

function textLines(
  entries: readonly TimelineEntry[],
  { window, state, terminal, width }: Shown & { readonly width: number },
): string[] {
  const { from, to = systemClock.now(), at } = window;
  const between = [from, to].map((wall) => localTime(isoWithOffset(wall)).slice(0, 16)).join(' and ');
  const stood = at === undefined ? [] : [...stateLines(state, { terminal: terminal ?? '', at, width }), ''];
  if (entries.length === 0)
    return [...stood, `Nothing is recorded for ${terminal ?? 'this agent'} between ${between}.`];
  return [...stood, ...timelineLines(entries, { isOfOne: terminal !== undefined, width })];
}
