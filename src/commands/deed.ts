/**
 * An administrator's action by a command is noted in the timeline: by the running agent or, if no agent runs, by the
 * command itself (INVARIANTS.md D13). If the note fails, the action is still done; a line tells it.
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
  /** Keys, terminals, fingerprints. Never a value that could be a secret, and never a person's name. */
  readonly changed: readonly string[];
}

/** Ctrl-C ends the command, but the finished part is still noted. */
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

/** For a machine on which no agent runs. If no agent has ever run, nothing is noted. */
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
