/** Watches the state directory: whether it is an older one that was put back, and whether its disk fills up. */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, minutes, seconds } from '../core/duration.ts';
import { runPeriodically } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { OutputPort } from '../domain/output-port.ts';
import type { PortHistory } from '../domain/ports/service.ts';
import { complaintAboutRoom, roomOf } from '../domain/problem/disk-room.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';

interface StateAgeDeps extends Env {
  /** Wall time of the last event that the state directory knew when it was opened; absent if it is new. */
  readonly lastSign: number | undefined;
  /** As far as they are known. */
  ports(): readonly { readonly terminal: string; readonly port: OutputPort }[];
  readonly history: PortHistory;
}

/** Records have whole seconds, and the agent wrote its stop a moment after its last record. */
const tolerance = seconds(2);
/** One port is enough to see it, and a gateway may have hundreds. */
const mostAsked = 20;
const retry = { first: seconds(10), factor: 2, longest: hours(1) };

/**
 * Finds out whether the directory is an older one that was put back. Then the service has records of prints here that
 * the directory does not know. It asks once after each start, about the time in which this agent did not run. No other
 * part depends on the answer. If the service does not tell its history to a device, it is not asked again.
 */
export function createStateAge(deps: StateAgeDeps): Service {
  const { lastSign, ports, history, conditions, clock, log } = deps;
  const startedAt = clock.now();
  let isAsked = lastSign === undefined;

  async function ask(since: number, signal: AbortSignal): Promise<void> {
    const known = ports().slice(0, mostAsked);
    if (known.length === 0) throw new Problem('output-port-unknown', 'no output port is known yet');
    for (const { terminal, port } of known) {
      const span = { from: since + tolerance, to: startedAt };
      const found = span.from < span.to ? await history.youngest(port, span, { signal }) : undefined;
      if (found !== undefined) return tell(terminal, { found, since });
    }
  }

  const tell = (terminal: string, { found, since }: Readonly<Record<'found' | 'since', number>>): void =>
    conditions.raise({
      code: 'state-older',
      severity: 'warning',
      scope: 'agent',
      subject: 'state directory',
      detail: `the print service has a record of a print at ${terminal} from ${isoInstant(found)}, and this state directory knows of nothing after ${isoInstant(since)}`,
    });

  function waitAfter(error: unknown): Duration | undefined {
    isAsked = isProblem(error, 'cloud-denied', 'cloud-not-found', 'cloud-feature-off', 'cloud-rejected');
    log.debug('age of the state directory not known', { error: error as Error });
    return undefined;
  }

  const attempt = async (signal: AbortSignal): Promise<void> => {
    if (isAsked || lastSign === undefined) return;
    await ask(lastSign, signal);
    isAsked = true;
  };
  return {
    name: 'age of the state directory',
    run: (signal, progress) =>
      runPeriodically({ attempt, interval: hours(24), retry, onFailure: waitAfter }, deps, signal, progress),
  };
}

interface RoomWatchDeps extends Pick<Env, 'clock' | 'chance' | 'conditions'> {
  readonly stateDir: string;
  /** The system's function if absent. */
  readonly look?: (path: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize' | 'ffree' | 'files'>>;
}

const interval = minutes(1);
const about = { scope: 'agent', subject: 'room' };

/**
 * Looks at the disk each minute, so that a disk that fills up is reported while documents still print. The spool
 * decides anew whether a document may go there.
 */
export const createRoomWatch = (deps: RoomWatchDeps): Service => ({
  name: 'room',
  run(signal, progress) {
    const { stateDir, conditions, look = statfs } = deps;
    const attempt = async () => {
      const complaint = complaintAboutRoom(roomOf(await look(stateDir)), stateDir);
      if (complaint) conditions.raise({ code: 'disk-filling', ...about, ...complaint });
      else conditions.clear(about.scope, about.subject);
    };
    const again = { first: interval, factor: 1, longest: interval };
    // If the directory cannot be looked at, the store reports it.
    return runPeriodically(
      { attempt, interval, retry: again, onFailure: () => undefined },
      deps,
      signal,
      progress,
    );
  },
});
