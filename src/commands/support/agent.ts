/** What the running agent and the doctor say, as a support bundle has it. */
import { z } from 'zod';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { checkCommand } from '../check/check.ts';
import type { Io } from '../io.ts';
import { httpAt } from '../running-agent.ts';

const answerLimit = seconds(5);

interface Listener {
  readonly listen: Parameters<typeof httpAt>[0];
}

/** As every version of the agent says it, and other programs do not. */
const status = z.looseObject({ version: z.string(), terminals: z.array(z.unknown()) });

/** Rejects where no agent answers. */
export async function statusText(operations: Listener, io: Io): Promise<string> {
  const said = status.parse(JSON.parse(await askOperations(operations, '/status', io)));
  return JSON.stringify(withoutCodes(said), undefined, 2);
}

/** Rejects where no agent answers. */
export async function metricsText(operations: Listener, io: Io): Promise<string> {
  const said = await askOperations(operations, '/metrics', io);
  if (!said.includes('platen_build_info'))
    throw new Error(`no agent answers at ${httpAt(operations.listen)}`);
  return said;
}

async function askOperations({ listen }: Listener, path: string, io: Io): Promise<string> {
  const signal = systemClock.deadline(answerLimit, io.stop);
  try {
    const answered = await fetch(`${httpAt(listen)}${path}`, { signal, redirect: 'error' });
    return await answered.text();
  } catch (cause) {
    throw new Error(`no agent answers at ${httpAt(listen)}`, { cause });
  }
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
