/** `platen status`: asks the running daemon through its operations listener. */
import { z } from 'zod';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { CommandFailed } from './failure.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { table } from './table.ts';

const condition = z.object({ scope: z.string(), severity: z.string(), code: z.string(), detail: z.string() });
const setting = z.object({ value: z.json(), from: z.string() });
const statusSchema = z.object({
  version: z.string(),
  ready: z.boolean(),
  enrollment: z.object({ state: z.string(), tokenExpiresIn: z.number() }),
  servers: z.array(
    z.object({
      baseUrl: z.string(),
      isUp: z.boolean(),
      version: z.string().optional(),
      enrollment: z.string(),
    }),
  ),
  surroundings: z
    .object({
      account: z.object({ id: z.number(), name: z.string(), timezone: z.string().optional() }).optional(),
      locations: z.array(z.string()).optional(),
      authProviders: z.array(z.string()).optional(),
      inputPorts: z.array(z.string()).optional(),
      seenAt: z.string(),
    })
    .nullable(),
  outbox: z.object({ waiting: z.number(), held: z.number(), deadLetters: z.number() }),
  conditions: z.array(condition),
  terminals: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      ready: z.boolean(),
      outage: z
        .object({ reason: z.string(), reference: z.string(), userCode: z.string().optional() })
        .nullable(),
      printer: z.object({ uri: z.string(), state: z.string() }),
      readers: z.array(
        z.object({
          name: z.string(),
          kind: z.string(),
          state: z.string(),
          frames: z.number(),
          garbage: z.number(),
          reconnects: z.number(),
        }),
      ),
      outputPortId: z.number().nullable(),
      autoRelease: z.boolean(),
      settings: z.record(z.string(), setting),
      settingsSince: z.string().nullable(),
      settingsRead: z.string().nullable(),
    }),
  ),
});
type Status = z.infer<typeof statusSchema>;

const answerLimit = seconds(5);

export async function statusCommand(
  { config: file, json, terminal }: { config: string; json?: boolean; terminal?: string },
  io: Io,
): Promise<number> {
  const config = loadConfig(file, io.env);
  const status = await askStatus(config, io);
  if (!status) {
    io.error(`platen: no agent answers at ${addressOf(config)}; start it with platen run -c ${file}`);
    return exitCode.notRunning;
  }
  const asked = terminal === undefined ? status : only(status, terminal);
  io.out(json ? JSON.stringify(asked, undefined, 2) : describe(asked));
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

function describe(status: Status): string {
  const { version, ready, enrollment, outbox, conditions, terminals } = status;
  const minutesLeft = Math.round(enrollment.tokenExpiresIn / 60_000);
  return [
    `platen ${version}: ${ready ? (conditions.length === 0 ? 'ready' : 'ready, with conditions') : 'not ready'}`,
    `cloud: ${enrollment.state}, the device token lives ${minutesLeft} min more`,
    ...status.servers.map(describeServer),
    ...describeSurroundings(status.surroundings),
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
    ...terminals.flatMap(describeOutage),
    ...(conditions.length === 0
      ? []
      : ['', ...conditions.map((one) => `${one.severity}: ${one.scope}: ${one.detail}`)]),
    ...(terminals.length <= mostInDetail
      ? terminals.flatMap(settingsOf)
      : ['', 'platen status --terminal ID shows the settings of one terminal and where they come from']),
  ].join('\n');
}

function describeOutage({ id, outage }: Status['terminals'][number]): readonly string[] {
  if (!outage) return [];
  const { reason, reference, userCode } = outage;
  const code = userCode === undefined ? '' : `, user code ${userCode}`;
  return ['', `${id} is out of service: ${reason}${code}, reference ${reference} in the log`];
}

/** A gateway has hundreds of terminals, and nobody reads the settings of all. */
const mostInDetail = 3;

/** The same of one terminal, and what concerns all. */
function only(status: Status, id: string): Status {
  const terminals = status.terminals.filter((terminal) => terminal.id === id);
  if (terminals.length === 0) throw new CommandFailed(`there is no terminal ${id}; see platen status`);
  const conditions = status.conditions.filter(({ scope }) => scope === id || scope === 'agent');
  return { ...status, terminals, conditions };
}

/** What a terminal has from elsewhere than the defaults; `--json` shows all of it. */
function settingsOf({ id, settings, settingsSince, settingsRead }: Status['terminals'][number]): string[] {
  const rows = Object.entries(settings)
    .filter(([, { from }]) => from !== 'default')
    .map(([name, { value, from }]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
      from,
    ]);
  const read = settingsRead === null ? 'a copy kept from before the start' : `last read ${settingsRead}`;
  const heard =
    settingsSince === null
      ? 'nothing heard from the service yet'
      : `as the service says since ${settingsSince}, ${read}`;
  return [
    '',
    `settings of ${id}: ${heard}`,
    ...(rows.length === 0 ? [] : [table([['SETTING', 'VALUE', 'FROM'], ...rows])]),
  ];
}

const describeServer = ({ baseUrl, isUp, version, enrollment }: Status['servers'][number]): string =>
  `server: ${baseUrl} ${isUp ? 'answers' : 'is away'}, version ${version ?? 'unknown'}, ${enrollment}`;

function describeSurroundings(seen: Status['surroundings']): readonly string[] {
  if (!seen?.account) return [];
  const { name, id, timezone } = seen.account;
  const places = seen.locations?.length ? `, location ${seen.locations.join(', ')}` : '';
  return [`account: ${name} (${id})${timezone === undefined ? '' : `, ${timezone}`}${places}`];
}
