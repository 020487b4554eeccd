/**
 * Looks at the disk of the state directory each minute, so that a disk that fills up is reported while documents still
 * print. The spool decides anew whether a document may go there.
 */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { minutes } from '../core/duration.ts';
import { runPeriodically } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import { complaintAboutRoom, roomOf } from '../domain/problem/disk-room.ts';

export interface RoomWatchDeps extends Pick<Env, 'clock' | 'chance' | 'conditions'> {
  readonly stateDir: string;
  /** The system's function if absent. */
  readonly look?: (path: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize' | 'ffree' | 'files'>>;
}

const interval = minutes(1);
const about = { scope: 'agent', subject: 'room' };

export const createRoomWatch = (deps: RoomWatchDeps): Service => ({
  name: 'room',
  run(signal, progress) {
    const { stateDir, conditions, look = statfs } = deps;
    const attempt = async () => {
      const complaint = complaintAboutRoom(roomOf(await look(stateDir)), stateDir);
      if (complaint) conditions.raise({ code: 'disk-filling', ...about, ...complaint });
      else conditions.clear(about.scope, about.subject);
    };
    const retry = { first: interval, factor: 1, longest: interval };
    // If the directory cannot be looked at, the store reports it.
    return runPeriodically({ attempt, interval, retry, onFailure: () => undefined }, deps, signal, progress);
  },
});
