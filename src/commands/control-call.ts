/** A command asks the running agent to do something, through its control socket (`operations/control.ts`). */
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { inSeconds, seconds } from '../core/duration.ts';
import { controlAddress } from '../operations/control-address.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';

export interface ControlCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const answerLimit = seconds(5);
const refusal = z.object({ detail: z.string() });
/** Nobody has run here yet, or has ended, or was killed. */
const nobody = ['ENOENT', 'ECONNREFUSED'];

/** The answer's JSON; `undefined` when no agent runs. Rejects `CommandFailed` with what the agent says against it. */
export async function callControl(
  { stateDir }: Pick<Config, 'stateDir'>,
  io: Pick<Io, 'stop'>,
  call: ControlCall,
): Promise<unknown> {
  try {
    using address = controlAddress(stateDir);
    const answer = await exchange(address.path, io.stop, call);
    const said: unknown = await json(answer);
    if (answer.statusCode === 200) return said;
    throw new CommandFailed(refusal.parse(said).detail);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'no answer that makes sense';
    if (nobody.includes(code)) return undefined;
    throw new CommandFailed(`the agent of ${stateDir} ${whyNot(code)}`, { cause: error });
  }
}

function whyNot(code: string): string {
  if (code === 'ABORT_ERR')
    return `did not answer within ${inSeconds(answerLimit)} s; systemctl restart platen`;
  const help = code === 'EACCES' ? "; run this as root or as the agent's user" : '';
  return `could not be asked (${code})${help}`;
}

function exchange(socketPath: string, stop: AbortSignal, call: ControlCall): Promise<IncomingMessage> {
  const { method, path, body } = call;
  const signal = systemClock.deadline(answerLimit, stop);
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path, signal, agent: false }, resolve).on('error', reject);
    if (body === undefined) asked.end();
    else asked.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}
