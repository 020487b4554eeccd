/**
 * The reason why a device cannot be used, read from its enrollment machine: for the conditions, and for the person at
 * the terminal.
 */
import type { SnapshotFrom } from 'xstate';
import { OAuthRefusal } from '../domain/device.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import { serviceFailure } from '../domain/problem/service-failure.ts';
import type { enrollmentMachine } from './machine.ts';

export interface Obstacle {
  readonly code: ProblemCode;
  readonly detail: string;
  /** An administrator types this to approve the device (RFC 8628, 3.3). It is set if the service gave one. */
  readonly userCode?: string;
}

/** `undefined`: this state shows no obstacle, because a call is under way or all is well. */
export function obstacleOf({ value, context }: SnapshotFrom<typeof enrollmentMachine>): Obstacle | undefined {
  const { lastError, reaction, registration } = context;
  const said = lastError instanceof Error ? lastError.message : undefined;
  if (value === 'needsPerson' && typeof reaction === 'object') {
    const code = reaction.needsPerson;
    return { code, detail: said ?? problemKinds[code].advice };
  }
  if (value === 'backingOff') {
    const { code, message: detail } = failureIn(lastError);
    return { code, detail };
  }
  if (typeof value !== 'object') return undefined;
  return {
    code: 'terminal-not-authorized',
    detail: 'an administrator must approve this terminal in the print service',
    ...(registration?.userCode === undefined ? {} : { userCode: registration.userCode }),
  };
}

/**
 * Of several servers, an approval that an administrator must give comes first, then an obstacle that needs a repair. A
 * server that is away may come back by itself.
 */
export function foremostObstacle(obstacles: readonly (Obstacle | undefined)[]): Obstacle | undefined {
  const known = obstacles.filter((one) => one !== undefined);
  return (
    known.find(({ code }) => code === 'terminal-not-authorized') ??
    known.find(({ code }) => problemKinds[code].retry === 'after-repair') ??
    known[0]
  );
}

/** An OAuth code that is no verdict on this device is a fault of the service (src/cloud/README.md 4). */
export const failureIn = (lastError: unknown): Problem =>
  lastError instanceof OAuthRefusal
    ? new Problem('cloud-protocol', lastError.message, { cause: lastError })
    : serviceFailure(lastError);
