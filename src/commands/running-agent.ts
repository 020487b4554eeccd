/** The running agent as a command asks it, through its operations listener: who answers there, and what it says. */
import { isIPv6 } from 'node:net';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Io } from './io.ts';
import type { Status } from './status/schema.ts';
import { statusSchema } from './status/schema.ts';

/** `nobody` listens there; `silent`: the connection is taken, and no answer comes; `stranger`: it is no agent. */
export type AgentAnswer =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'nobody' | 'silent' | 'stranger' };

const answerLimit = seconds(5);

export async function askAgent(config: Config, io: Pick<Io, 'stop'>): Promise<AgentAnswer> {
  const signal = systemClock.deadline(answerLimit, io.stop);
  try {
    const response = await fetch(`${operationsAt(config)}/status`, { signal, redirect: 'error' });
    const { success, data: status } = statusSchema.safeParse(await response.json());
    return success ? { kind: 'status', status } : { kind: 'stranger' };
  } catch (error) {
    if (signal.aborted) return { kind: 'silent' };
    return { kind: isRefusal(error) ? 'nobody' : 'stranger' };
  }
}

/** What the running agent says of itself; `undefined` when none answers. */
export async function askStatus(config: Config, io: Pick<Io, 'stop'>): Promise<Status | undefined> {
  const answer = await askAgent(config, io);
  return answer.kind === 'status' ? answer.status : undefined;
}

export const operationsAt = ({ operations: { listen } }: Config): string => httpAt(listen);

export const httpAt = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

const nobodyThere = [
  'ECONNREFUSED',
  'EADDRNOTAVAIL',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** Nothing could be connected to; to port 0, which the agent itself chooses another for, nothing is tried. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return false;
  return ('code' in cause && nobodyThere.includes(String(cause.code))) || cause.message === 'bad port';
}
