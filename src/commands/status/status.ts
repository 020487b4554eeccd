/** `platen status`: asks the running agent through its control socket, once or repeatedly. */
import type { Config } from '../../config/schema/config.ts';
import { systemClock } from '../../core/clock.ts';
import { minutes, seconds } from '../../core/duration.ts';
import type { ReleaseRow } from '../../domain/ports/ledger.ts';
import { openReleaseRegister } from '../../store/ledger/release-register.ts';
import { statePlace } from '../config-part.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedTerminal } from '../named-terminal.ts';
import { notRunning } from '../control-call.ts';
import { askStatus } from '../running-agent.ts';
import { dotOf, paintFor, screenWidth } from '../terminal-text/screen.ts';
import type { VersionRecord } from './by-version.ts';
import { lastSevenDays } from './by-version.ts';
import type { Look, Sight } from './look.ts';
import type { Status } from './schema.ts';
import { isStandby } from './terminals.ts';
import { lastReleases, statusJson, statusLineOf, statusText } from './view.ts';
import { watchStatus } from './watch.ts';

export interface StatusOptions {
  readonly config: string;
  readonly json?: boolean;
  readonly terminal?: string;
  readonly all?: boolean;
  /** Seconds between two looks; true: 2 seconds. */
  readonly watch?: number | true;
}

const usualInterval = 2;

export async function statusCommand(options: StatusOptions, io: Io): Promise<number> {
  const { config: file, json, watch } = options;
  const config = statePlace(file, io);
  const away = notRunning(file);
  const week = weekOf(config, options);
  const see = () => sightOf(config, { ...options, week }, io);
  if (watch !== undefined) {
    const interval = seconds(watch === true ? usualInterval : watch);
    await watchStatus({
      see,
      show: (sight) => statusText(sight, lookFor(options, io)),
      line: statusLineOf,
      data: statusJson,
      away,
      interval,
      json,
      io,
    });
    return exitCode.ok;
  }
  const sight = await see();
  if (!sight) {
    io.error(`platen: ${away}`);
    return exitCode.notRunning;
  }
  io.out(json ? JSON.stringify(statusJson(sight), undefined, 2) : statusText(sight, lookFor(options, io)));
  return sight.isWell ? exitCode.ok : exitCode.failed;
}

export interface WholeSight extends Sight {
  /** For the whole agent, even if only one terminal is shown. */
  readonly isWell: boolean;
}

/** `undefined` if no agent answers. */
async function sightOf(
  config: Pick<Config, 'stateDir'>,
  { terminal, week }: Pick<StatusOptions, 'terminal'> & { readonly week: Week },
  io: Io,
): Promise<WholeSight | undefined> {
  const status = await askStatus(config, io);
  if (!status) return undefined;
  return {
    status: terminal === undefined ? status : only(status, terminal),
    releases: newestReleases(config, terminal),
    lastSevenDays: week(status),
    now: systemClock.now(),
    isWell: (status.ready || isStandby(status.terminals)) && status.conditions.length === 0,
  };
}

type Week = (status: Status) => readonly VersionRecord[];

const weekKeepsFor = minutes(1);

/** With `--watch` this is read only once a minute, because it may be thousands of releases. */
function weekOf({ stateDir }: Pick<Config, 'stateDir'>, { terminal }: StatusOptions): Week {
  let found: readonly VersionRecord[] = [];
  let foundAt = Number.NEGATIVE_INFINITY;
  return (status) => {
    if (systemClock.monotonic() - foundAt < weekKeepsFor) return found;
    found = lastSevenDays({ stateDir, terminal, status, now: systemClock.now() });
    foundAt = systemClock.monotonic();
    return found;
  };
}

/** `undefined` if the ledger cannot be read. `platen check` tells the reason, and the rest is still shown. */
function newestReleases(
  { stateDir }: Pick<Config, 'stateDir'>,
  terminal: string | undefined,
): readonly ReleaseRow[] | undefined {
  try {
    using register = openReleaseRegister({ stateDir });
    return register.list(lastReleases, terminal === undefined ? {} : { terminal });
  } catch {
    return undefined;
  }
}

/** Only this terminal, and the facts about the whole agent. */
function only(status: Status, id: string): Status {
  const terminals = [namedTerminal(status.terminals, id)];
  const conditions = status.conditions.filter(({ scope }) => scope === id || scope === 'agent');
  return { ...status, terminals, conditions };
}

const lookFor = ({ all }: StatusOptions, { screen, env }: Io): Look => ({
  width: screenWidth(screen),
  dot: dotOf(env),
  paint: paintFor(screen),
  isWhole: all === true,
});
