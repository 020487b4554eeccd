/**
 * `platen run` as a process of its own, started as systemd starts it, from the bundle. Its log is read from its
 * standard output, record by record.
 */
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const platen = fileURLToPath(new URL('../../../tools/platen.js', import.meta.url));
/** No measurement takes longer; an agent that hangs is ended, and whoever waits for its word fails. */
const longestLife = 2 * 60_000;

export interface AgentProcess extends AsyncDisposable {
  readonly pid: number;
  /** `performance.now()` just before the process was made. */
  readonly startedAt: number;
  /**
   * Reads the log on until each of these messages has come, one named twice two times, in whatever order; gives the
   * moment of the last one. Rejects when the log ends before that.
   */
  told(...messages: string[]): Promise<number>;
  /** The same until that message has come so often; gives the moment of each. */
  moments(message: string, times: number): Promise<readonly number[]>;
}

/** How the program is run, where not as it is here. */
export interface Way {
  /** `tools/platen.js` of another tree. */
  readonly program?: string;
  /** Runs it somewhere else: the command that runs this command. */
  readonly inside?: (command: readonly string[]) => readonly [string, ...string[]];
  /** Besides the usual environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startAgentProcess(
  configFile: string,
  { program = platen, inside = ([name = '', ...words]) => [name, ...words], env }: Way = {},
): AgentProcess {
  const startedAt = performance.now();
  const [command, ...words] = inside([program, 'run', '-c', configFile]);
  const child = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestLife,
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const complaints = text(child.stderr);
  const lines = on(createInterface({ input: child.stdout }), 'line', { close: ['close'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);

  /** Its log is read once: of what went wrong, this is left. */
  const warnings: string[] = [];
  async function moments(...messages: readonly string[]): Promise<readonly number[]> {
    const missing = [...messages];
    const found: number[] = [];
    while (missing.length > 0) {
      const { done, value } = await lines.next();
      if (done) {
        const before = missing.join('", "');
        throw new Error([`the agent ended before "${before}": ${await complaints}`, ...warnings].join('\n'));
      }
      const record = JSON.parse(value[0]);
      if (record.level === 'warn' || record.level === 'error') warnings.push(value[0]);
      const place = missing.indexOf(record.msg);
      if (place < 0) continue;
      missing.splice(place, 1);
      found.push(performance.now());
    }
    return found;
  }

  return {
    pid,
    startedAt,
    told: async (...messages) => (await moments(...messages)).at(-1) ?? performance.now(),
    moments: (message, times) => moments(...Array<string>(times).fill(message)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
