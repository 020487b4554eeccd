/** A command asks the running agent through its control socket (`operations/control.ts`). */
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { errnoSaid } from '../core/errno.ts';
import { permissionDenied } from '../config/file-access.ts';
import type { Config } from '../config/schema/config.ts';
import type { Duration } from '../core/duration.ts';
import { inSeconds, seconds } from '../core/duration.ts';
import { callerHeader, socketAddress } from '../operations/control-address.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';

export interface ControlCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Default: five seconds. */
  readonly limit?: Duration;
}

/** The caller, the clock, and the signal that stops the wait. */
export type Asking = Pick<Io, 'clock' | 'stop' | 'caller'>;

export interface ControlAnswer {
  readonly status: number;
  readonly text: string;
}

/** The agent accepted the connection, but did not answer. */
export class AgentSilent extends CommandFailed {}

const answerLimit = seconds(5);
const refusal = z.object({ detail: z.string() });
/** No agent has run here yet, or it has ended, or it was killed. */
const noAgentCodes = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'];

/** The sentence of every command that needs a running agent. `file`: its configuration. */
export const notRunning = (file: string): string =>
  `The agent is not running. Start it: systemctl start platen, or platen run -c ${file}`;

/**
 * The JSON of the answer; `undefined` if no agent runs. Rejects `CommandFailed` with the reason if the agent refuses.
 */
export async function callControl(
  config: Pick<Config, 'stateDir'>,
  io: Asking,
  call: ControlCall,
): Promise<unknown> {
  const answer = await askControl(config, io, call);
  if (!answer) return undefined;
  const said = jsonOf(answer);
  if (answer.status === 200) return said;
  const { data: { detail } = { detail: noSense(config) } } = refusal.safeParse(said);
  throw new CommandFailed(detail);
}

/**
 * The answer, whatever its status is; `undefined` if no agent runs. Rejects `CommandFailed` if the agent cannot be
 * asked.
 */
export async function askControl(
  { stateDir }: Pick<Config, 'stateDir'>,
  io: Asking,
  call: ControlCall,
): Promise<ControlAnswer | undefined> {
  try {
    using address = socketAddress(stateDir);
    const answer = await exchange(address.path, io, call);
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  } catch (cause) {
    const code = errnoSaid(cause);
    if (noAgentCodes.includes(code)) return undefined;
    if (code === 'ABORT_ERR') {
      const within = `${inSeconds(call.limit ?? answerLimit)} s`;
      throw new AgentSilent(
        `the agent of ${stateDir} did not answer within ${within}. Restart it: systemctl restart platen`,
        { cause },
      );
    }
    if (code === 'EACCES') throw new CommandFailed(`${stateDir}: ${permissionDenied(stateDir)}`, { cause });
    throw new CommandFailed(`the agent of ${stateDir} does not answer (${code})`, { cause });
  }
}

/** `undefined` if the text is no JSON. */
export function jsonOf({ text: said }: ControlAnswer): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

const noSense = ({ stateDir }: Pick<Config, 'stateDir'>): string =>
  `the agent of ${stateDir} gave an answer that this command does not understand. Restart it: systemctl restart platen`;

function exchange(
  socketPath: string,
  { clock, stop, caller }: Asking,
  call: ControlCall,
): Promise<IncomingMessage> {
  const { method, path, body, limit = answerLimit } = call;
  const signal = clock.deadline(limit, stop);
  const headers = caller === undefined ? {} : { [callerHeader]: String(caller) };
  return new Promise((resolve, reject) => {
    const options = { socketPath, method, path, headers, signal, agent: false };
    const asked = request(options, resolve).on('error', reject);
    if (body === undefined) asked.end();
    else asked.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}
