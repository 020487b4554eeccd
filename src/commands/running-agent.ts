/** A command asks the running agent through its control socket: which program answers there, and its status. */
import { isIPv6 } from 'node:net';
import type { Config } from '../config/schema/config.ts';
import type { Asking } from './control-call.ts';
import { AgentSilent, askControl, jsonOf } from './control-call.ts';
import type { Status } from './status/schema.ts';
import { statusSchema } from './status/schema.ts';

/**
 * `nobody`: no program works on the state directory. `silent`: no answer comes. `stranger`: no agent of this version.
 */
export type AgentAnswer =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'nobody' | 'silent' | 'stranger' };

/** Rejects `CommandFailed` if this user may not ask. */
export async function askAgent(config: Pick<Config, 'stateDir'>, io: Asking): Promise<AgentAnswer> {
  try {
    const answer = await askControl(config, io, { method: 'GET', path: '/status' });
    if (!answer) return { kind: 'nobody' };
    const { success, data: status } = statusSchema.safeParse(jsonOf(answer));
    return success ? { kind: 'status', status } : { kind: 'stranger' };
  } catch (error) {
    if (error instanceof AgentSilent) return { kind: 'silent' };
    throw error;
  }
}

/** The status of the running agent; `undefined` if none answers. */
export async function askStatus(config: Pick<Config, 'stateDir'>, io: Asking): Promise<Status | undefined> {
  const answer = await askAgent(config, io);
  return answer.kind === 'status' ? answer.status : undefined;
}

export const httpAt = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
