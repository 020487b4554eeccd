/** `platen status`: asks the running daemon through its operations listener. */
import { z } from 'zod';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { table } from './table.ts';

const condition = z.object({ scope: z.string(), severity: z.string(), code: z.string(), detail: z.string() });
const statusSchema = z.object({
  version: z.string(),
  ready: z.boolean(),
  enrollment: z.object({ state: z.string(), tokenExpiresIn: z.number() }),
  outbox: z.object({ waiting: z.number(), held: z.number(), deadLetters: z.number() }),
  conditions: z.array(condition),
  terminals: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      ready: z.boolean(),
      printer: z.object({ uri: z.string(), state: z.string() }),
      readers: z.array(z.object({ name: z.string(), state: z.string() })),
      outputPortId: z.number().nullable(),
      autoRelease: z.boolean(),
    }),
  ),
});
type Status = z.infer<typeof statusSchema>;

const answerLimit = seconds(5);

export async function statusCommand(
  { config: file, json }: { config: string; json?: boolean },
  io: Io,
): Promise<number> {
  const config = loadConfig(file, io.env);
  const status = await askStatus(config, io);
  if (!status) {
    io.error(`platen: no agent answers at ${addressOf(config)}; start it with platen run -c ${file}`);
    return exitCode.notRunning;
  }
  io.out(json ? JSON.stringify(status, undefined, 2) : describe(status));
  return status.ready && status.conditions.length === 0 ? exitCode.ok : exitCode.failed;
}

/** What the running agent says of itself; `undefined` when none answers. */
export async function askStatus(config: Config, io: Io): Promise<Status | undefined> {
  try {
    const response = await fetch(addressOf(config), { signal: systemClock.deadline(answerLimit, io.stop) });
    return statusSchema.parse(await response.json());
  } catch {
    // Nobody listens, or somebody who is not this version of Platen: either way no agent answers.
    return undefined;
  }
}

function addressOf({ operations: { listen } }: Config): string {
  return `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}/status`;
}

function describe({ version, ready, enrollment, outbox, conditions, terminals }: Status): string {
  const minutesLeft = Math.round(enrollment.tokenExpiresIn / 60_000);
  return [
    `platen ${version}: ${ready ? (conditions.length === 0 ? 'ready' : 'ready, with conditions') : 'not ready'}`,
    `cloud: ${enrollment.state}, the device token lives ${minutesLeft} min more`,
    `history: ${outbox.waiting} waiting, ${outbox.held} held, ${outbox.deadLetters} dead letters`,
    '',
    table([
      ['TERMINAL', 'STATE', 'READY', 'PRINTER', 'READERS', 'OUTPUT PORT'],
      ...terminals.map((terminal) => [
        terminal.id,
        terminal.state,
        terminal.ready ? 'yes' : 'no',
        `${terminal.printer.uri} ${terminal.printer.state}`,
        terminal.readers.map(({ name, state }) => `${name} ${state}`).join(', ') || 'none',
        terminal.outputPortId === null ? 'unknown' : String(terminal.outputPortId),
      ]),
    ]),
    ...(conditions.length === 0
      ? []
      : ['', ...conditions.map((one) => `${one.severity}: ${one.scope}: ${one.detail}`)]),
  ].join('\n');
}
