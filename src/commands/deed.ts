/**
 * What an administrator did by a command is noted in the timeline: by the running agent or, where none runs, by the
 * command itself in its place (INVARIANTS.md D13). What was done stays done where that fails; a line tells of it.
 */
import { existsSync, realpathSync } from 'node:fs';
import type { Config } from '../config/schema/config.ts';
import { isoInstant, systemClock } from '../core/clock.ts';
import type { AdministratorAction, TimelineEntry } from '../domain/terminal/timeline.ts';
import { lockInstance } from '../store/files/state-directory.ts';
import { openTimeline } from '../store/files/timeline-files.ts';
import { callControl } from './control-call.ts';
import type { Io } from './io.ts';

export interface Deed {
  readonly action: AdministratorAction;
  /** Keys, terminals, fingerprints: no value that could be a secret, and nobody's name. */
  readonly changed: readonly string[];
}

/** Ctrl-C ends the command; what was done by then is noted all the same. */
const never = new AbortController().signal;

export async function noteDeed(
  config: Pick<Config, 'stateDir'>,
  io: Pick<Io, 'error' | 'caller'>,
  { action, changed }: Deed,
): Promise<void> {
  try {
    const asking = { clock: systemClock, stop: never, caller: io.caller };
    const call = { method: 'POST', path: '/administration', body: { action, changed } } as const;
    if ((await callControl(config, asking, call)) !== undefined) return;
    noteAlone(config, io, { what: 'administrator acted', facts: { action, changed } });
  } catch (error) {
    tell(io, error);
  }
}

/** Where no agent runs. Nothing is noted where none has ever run. */
export function noteAlone(
  { stateDir }: Pick<Config, 'stateDir'>,
  io: Pick<Io, 'error' | 'caller'>,
  { what, facts }: Pick<TimelineEntry, 'what' | 'facts'>,
): void {
  if (!existsSync(stateDir)) return;
  try {
    const real = realpathSync(stateDir);
    using _ = lockInstance(real);
    const log = { warn: (_msg: string, { error }: { error?: unknown } = {}) => tell(io, error) };
    const by = io.caller === undefined ? {} : { by: io.caller };
    openTimeline({ stateDir: real, clock: systemClock, log }).add({
      time: isoInstant(systemClock.now()),
      what,
      facts: { ...facts, ...by },
    });
  } catch (error) {
    tell(io, error);
  }
}

function tell(io: Pick<Io, 'error'>, error: unknown): void {
  const why = error instanceof Error ? error.message : 'it could not be written';
  io.error(`platen: the command did its work, but could not write it to the timeline: ${why}`);
}
