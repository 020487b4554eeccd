/**
 * What `platen check` asks the running agent: is it the agent of these files, its device token, its page, and its
 * terminals. If no agent runs, the check tells whether an agent could start.
 */
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { isAbsolute } from 'node:path';
import type { Config } from '../../config/schema/config.ts';
import { parseInstant, systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { version } from '../../core/version.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { readStoredToken } from '../../store/sealed/token-slots.ts';
import { createLog } from '../../core/log.ts';
import type { Examination, Step } from './examination.ts';
import { notRunning } from '../control-call.ts';
import type { Io } from '../io.ts';
import type { AgentAnswer } from '../running-agent.ts';
import { httpAt } from '../running-agent.ts';
import { spanText } from '../terminal-text/span-text.ts';
import type { Status } from '../status/schema.ts';

export interface AgentPlace {
  readonly file: string;
  readonly config: Config;
  readonly io: Io;
  /** All lines share one question. */
  ask(): Promise<AgentAnswer>;
}

const limit = seconds(6);

export function examineAgent(place: AgentPlace): readonly Step[] {
  const { config, ask } = place;
  const ofStatus =
    (tell: (status: Status) => ReturnType<Examination>): Examination =>
    async () => {
      const answer = await ask();
      if (answer.kind !== 'status') throw new Error('no agent answers');
      return tell(answer.status);
    };
  const needs = ['agent'];
  return [
    { what: 'agent', kind: 'agent', limit, examine: () => examineAnswer(place) },
    {
      what: 'agent up to date',
      kind: 'agent up to date',
      needs,
      examine: ofStatus((status) => examineAge(place.file, status)),
    },
    {
      what: 'device token',
      kind: 'device token',
      needs: ['state directory'],
      limit,
      examine: () => examineToken(place),
    },
    ...config.terminals.slice(0, 1).map(
      ({ id }): Step => ({
        what: 'kiosk page',
        kind: 'kiosk page',
        limit,
        examine: (call) => examinePage(place, `/t/${id}`, call),
      }),
    ),
  ];
}

async function examineAnswer({ config, file, ask }: AgentPlace): ReturnType<Examination> {
  const answer = await ask();
  switch (answer.kind) {
    case 'status': {
      const { pid, startedAt, terminals } = answer.status;
      const ready = terminals.filter((terminal) => terminal.ready).length;
      const process = pid === undefined ? '' : `pid ${pid}, `;
      const since = startedAt === undefined ? '' : `up ${spanText(ageOf(startedAt))}, `;
      return `answers: ${process}${since}${ready} of ${terminals.length} terminals ready`;
    }
    case 'silent':
      throw new Error(
        'the agent accepts the connection but does not answer. Restart it: systemctl restart platen',
      );
    case 'stranger':
      throw new Error(
        `the agent of ${config.stateDir} has another version. Restart it: systemctl restart platen`,
      );
    default:
      await examinePort(config.operations.listen, 'operations.listen');
      return { waiting: notRunning(file) };
  }
}

async function examineAge(file: string, status: Status): Promise<string> {
  if (status.version !== version) {
    throw new Error(
      `version ${status.version} is running, but ${version} is installed. Restart it: systemctl restart platen`,
    );
  }
  const { config } = status;
  if (config === undefined) return `version ${version}`;
  const read = config.file ?? '';
  if (isAbsolute(read) && (await realpath(read).catch(() => read)) !== (await realpath(file))) {
    throw new Error(
      `the agent uses ${read}, not this file. Check that file, or restart the agent with this one`,
    );
  }
  const { mtimeMs } = await stat(file);
  if (mtimeMs > (parseInstant(config.readAt) ?? mtimeMs)) {
    throw new Error(`${file} was changed after the agent read it. Run: platen reload`);
  }
  if (config.pending.length > 0)
    return `version ${version}; waiting until nobody prints: ${config.pending.join(', ')}`;
  return `version ${version}, uses ${file} as it is now`;
}

async function examineToken({ config, ask }: AgentPlace): ReturnType<Examination> {
  const answer = await ask();
  if (answer.kind !== 'status') return storedToken(config);
  const { state, tokenExpiresIn } = answer.status.enrollment;
  if (state === 'authorized')
    return `the device is authorized; its token is valid for ${spanText(tokenExpiresIn)}, and the agent renews it before that`;
  const code = answer.status.terminals.find(({ outage }) => outage?.userCode)?.outage?.userCode;
  if (state === 'awaitingApproval') {
    const shown = code === undefined ? '' : `, user code ${code}`;
    return { waiting: `an administrator must approve this device in the print service${shown}` };
  }
  throw new Error(`the device is not authorized (${state}); see platen status`);
}

function storedToken({ stateDir, device: { sealingKey } }: Config): { waiting: string } {
  const stored = readStoredToken({ stateDir, sealingKey, log: createLog({ level: 'fatal' }) });
  return stored
    ? { waiting: 'a token is stored; the agent checks at its start whether it is still valid' }
    : { waiting: 'there is no token yet. Start the agent, and approve the device in the print service' };
}

async function examinePage(
  { config, ask }: AgentPlace,
  path: string,
  { signal }: CallOptions,
): ReturnType<Examination> {
  const { listen, user } = config.kiosk;
  const { kind } = await ask();
  if (kind === 'silent') return { waiting: 'see the line “agent”' };
  if (kind !== 'status') return examinePort(listen, 'kiosk.listen');
  // The system chose the port. Only the log of the agent has its number.
  if (listen.port === 0) return 'on any free port';
  const page = `${httpAt(listen)}${path}`;
  const answer = await fetch(page, { signal, redirect: 'error' }).catch((cause) => {
    throw new Error(`${page} does not answer. Restart the agent: systemctl restart platen`, { cause });
  });
  await answer.body?.cancel();
  if (answer.ok) return `${page} answers`;
  if (answer.status === 403 && user !== undefined) return `${page} answers only the user of the browser`;
  throw new Error(`${page} answers ${answer.status}. Is it this agent's page? See kiosk.listen`);
}

/**
 * While no agent runs, no other program may use its address. The exception is systemd: it keeps the address for the
 * agent, and never answers.
 */
async function examinePort(listen: { host: string; port: number }, key: string): Promise<string> {
  const { host, port } = listen;
  if (port === 0) return 'a free port is chosen at the start';
  const socket = connect({ host, port }).on('error', () => {});
  const within = { signal: systemClock.deadline(seconds(2)) };
  const happens = (event: string) =>
    once(socket, event, within).then(
      () => true,
      () => false,
    );
  try {
    if (!(await happens('connect'))) return `${host}:${port} is free`;
    socket.write('GET / HTTP/1.0\r\n\r\n');
    if (!(await Promise.race([happens('data'), happens('close')])))
      return `${host}:${port} is reserved for the agent by platen.service; nothing answers there now`;
  } finally {
    socket.destroy();
  }
  throw new Error(`another program uses ${host}:${port}. Stop it, or change ${key}. To find it: ss -ltnp`);
}

const ageOf = (instant: string): number => systemClock.now() - (parseInstant(instant) ?? systemClock.now());
