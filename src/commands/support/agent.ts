/** What the running agent and the doctor say, as a support bundle has it. */
import { z } from 'zod';
import { checkCommand } from '../check/check.ts';
import { askControl } from '../control-call.ts';
import type { Io } from '../io.ts';

/** As every version of the agent says it, and other programs do not. */
const status = z.looseObject({ version: z.string(), terminals: z.array(z.unknown()) });

/** Rejects where no agent answers. */
export async function statusText(stateDir: string, io: Io): Promise<string> {
  const said = status.parse(JSON.parse(await pageOf(stateDir, '/status', io)));
  return JSON.stringify(withoutCodes(said), undefined, 2);
}

/** Rejects where no agent answers. */
export const metricsText = (stateDir: string, io: Io): Promise<string> => pageOf(stateDir, '/metrics', io);

async function pageOf(stateDir: string, path: string, io: Io): Promise<string> {
  const answer = await askControl({ stateDir }, io, { method: 'GET', path });
  if (answer?.status !== 200) throw new Error(`no agent of this version answers on ${stateDir}`);
  return answer.text;
}

/** While a device waits for approval, its user code says which one it is to whoever may approve. */
function withoutCodes(said: unknown): unknown {
  if (Array.isArray(said)) return said.map(withoutCodes);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(
    Object.entries(said).map(([key, one]) => [key, key === 'userCode' ? '[left out]' : withoutCodes(one)]),
  );
}

/** What `platen check --json` finds. */
export async function checkText(config: string, io: Io): Promise<string> {
  const lines: string[] = [];
  const tell = (text: string): void => void lines.push(text);
  await checkCommand({ config, json: true }, { ...io, out: tell, error: tell, screen: undefined });
  return lines.join('\n');
}
