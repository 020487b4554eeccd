/**
 * After the file is written, `platen init` asks the running agent for its state again and again, and tells what it
 * waits for. It ends when the terminals are ready, when the service has refused the device, or when the time is up.
 * Only the agent registers the device and writes the state directory (INVARIANTS.md D13).
 */
import type { Config } from '../../config/schema/config.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, minutes } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import type { Io } from '../io.ts';
import { askStatus } from '../running-agent.ts';
import type { Status } from '../status/schema.ts';

export type Followed =
  | { readonly end: 'ready' }
  /** A person must act: the key is wrong, or the device was rejected. */
  | { readonly end: 'refused'; readonly why: string }
  /** The time is up, or the person pressed Ctrl-C. */
  | { readonly end: 'waiting'; readonly for: string }
  | { readonly end: 'agent-ended'; readonly code: number };

export interface Following {
  readonly config: Config;
  readonly terminals: readonly string[];
  /** For the whole wait; absent: no limit, because a person watches. */
  readonly limit: Duration | undefined;
  /** The exit code of the agent, if it has ended. */
  ended(): Promise<number | undefined>;
  /** Called at the first answer of the agent. */
  onAnswer(): Promise<void>;
  readonly io: Io;
}

interface Stage {
  readonly now: 'starting' | 'approval' | 'approved' | 'ready' | 'refused';
  readonly sentence: string;
}

const pause = milliseconds(250);
/** After the approval a terminal is ready within seconds, unless it has a fault. */
const readyLimit = minutes(1);

export async function followToReady(following: Following): Promise<Followed> {
  const { config, io, limit } = following;
  const since = systemClock.monotonic();
  const took = () => systemClock.monotonic() - since;
  const tell = createTeller(io);
  let approvedAt: number | undefined;
  let isExplained = false;
  let hasAnswered = false;
  let last = 'the agent to start';

  for (;;) {
    if (io.stop.aborted) {
      tell.over();
      return { end: 'waiting', for: last };
    }
    const status = await askStatus(config, io);
    if (status && !hasAnswered) await following.onAnswer();
    hasAnswered ||= status !== undefined;
    const code = status ? undefined : await following.ended();
    if (code !== undefined) {
      tell.over();
      return { end: 'agent-ended', code };
    }
    const { now, sentence } = stageOf(status, following.terminals);
    if (now === 'ready') {
      tell.over();
      return { end: 'ready' };
    }
    if (now === 'refused') {
      tell.over();
      return { end: 'refused', why: sentence };
    }
    if (now === 'approval' && !isExplained) {
      isExplained = true;
      tell.over();
      for (const line of explanation(config)) io.out(line);
    }
    if (now === 'approved') approvedAt ??= took();
    last = sentence;
    tell.waiting(sentence);
    const isOver = limit !== undefined && took() >= limit;
    const isLate = approvedAt !== undefined && took() - approvedAt >= readyLimit;
    if (isOver || isLate) {
      tell.over();
      return { end: 'waiting', for: sentence };
    }
    // The loop above handles Ctrl-C in the same way as the end of the time.
    await systemClock.sleep(pause, { signal: io.stop }).catch(() => {});
  }
}

function stageOf(status: Status | undefined, wanted: readonly string[]): Stage {
  if (!status) return { now: 'starting', sentence: 'the agent to start' };
  const { state } = status.enrollment;
  const agents = status.conditions.filter(({ scope }) => scope === 'agent').map(({ detail }) => detail);
  if (state === 'needsPerson') return { now: 'refused', sentence: agents.join('; ') || 'a person is needed' };
  const terminals = status.terminals.filter(({ id }) => wanted.includes(id));
  if (state === 'awaitingApproval') {
    const code = terminals.map(({ outage }) => outage?.userCode).find((one) => one !== undefined);
    return {
      now: 'approval',
      sentence: `an administrator to approve${code === undefined ? '' : `, user code ${code}`}`,
    };
  }
  if (state !== 'authorized') {
    return {
      now: 'starting',
      sentence: `the print service${agents.length > 0 ? `: ${agents.join('; ')}` : ''}`,
    };
  }
  // The agent may not know a new terminal yet.
  const missing = wanted.filter((id) => !terminals.some((one) => one.id === id && one.ready));
  if (missing.length === 0) return { now: 'ready', sentence: '' };
  const why = missing.map((id) => {
    const own = status.conditions.filter(({ scope }) => scope === id).map(({ detail }) => detail);
    return own.length === 0 ? id : `${id} (${own.join('; ')})`;
  });
  return { now: 'approved', sentence: `the terminals to be ready: ${why.join(', ')}` };
}

const explanation = ({ cloud, device }: Config): readonly string[] => [
  `This device is registered. An administrator of ${cloud.baseUrl} must approve it once:`,
  `  in the list of endpoints, approve "${printable(device.description)}" of type ${device.clientType}.`,
  '  (With an API key that has "Automatic endpoint trust", this is not necessary.)',
];

interface Teller {
  waiting(sentence: string): void;
  over(): void;
}

/** On a terminal: one line that changes. Otherwise: a new line when something changes, and one a minute. */
function createTeller(io: Io): Teller {
  return process.stdout.isTTY ? spinner() : lines(io);
}

const frames = '|/-\\';

function spinner(): Teller {
  let turn = 0;
  return {
    waiting(sentence) {
      turn += 1;
      const room = Math.max(20, (process.stdout.columns || 80) - 20);
      const text = `${frames[turn % frames.length]} waiting for ${printable(sentence)}`.slice(0, room);
      process.stdout.write(`\r\u001b[K${text}`);
    },
    over: () => void process.stdout.write('\r\u001b[K'),
  };
}

function lines(io: Io): Teller {
  let last = '';
  let toldAt = 0;
  return {
    waiting(sentence) {
      const now = systemClock.monotonic();
      if (sentence === last && now - toldAt < minutes(1)) return;
      last = sentence;
      toldAt = now;
      io.out(`waiting for ${printable(sentence)}`);
    },
    over: () => {},
  };
}
