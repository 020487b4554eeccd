/** The reading of settings over scripted answers, with a clock that a test moves and a store in memory. */
import { onTestFinished } from 'vitest';
import { createSettingsReading } from '../../src/cloud/settings/settings-reading.ts';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, seconds } from '../../src/core/duration.ts';
import { createSettling } from '../../src/domain/settling.ts';
import { Secret } from '../../src/core/secret.ts';
import type { OutputPort } from '../../src/domain/output-port.ts';
import type { CallOptions } from '../../src/domain/ports/call.ts';
import type { KeptSettings } from '../../src/domain/ports/settings.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { runServices } from '../../src/core/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { TerminalConfig } from '../../src/domain/terminal/terminal-config.ts';
import type { UserToken } from '../../src/domain/user.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

export const lobbyPort: OutputPort = {
  id: 7,
  name: 'Lobby',
  address: '10.0.0.7',
  deviceSerial: 'SN-0001',
  autoRelease: true,
  logoutTimeoutSeconds: 90,
  monochrome: false,
  sendUsername: true,
};
export const alice: UserToken = { value: new Secret('token of alice'), expiresAt: hours(1) };

export type Answer<Value> = Value | ProblemCode | 'never' | 'bug';

/** The answers in turn, the last one again and again. */
function scripted<Value>(answers: Answer<Value>[], usual: Value) {
  return async ({ signal }: CallOptions): Promise<Value> => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === 'never') return new Promise((_, reject) => signal.addEventListener('abort', reject));
    if (answer === 'bug') throw new TypeError('undefined is not a function');
    if (typeof answer === 'string') throw new Problem(answer as ProblemCode, answer);
    return answer ?? usual;
  };
}

export interface StageOptions {
  readonly ports?: Answer<readonly OutputPort[]>[];
  readonly configs?: Answer<TerminalConfig | undefined>[];
  readonly kept?: Readonly<Record<string, KeptSettings>>;
  readonly terminals?: readonly string[];
  readonly save?: () => void;
  /** That begin at once with this one. */
  readonly gateways?: number;
}

export function settingsReadingOn(options: StageOptions) {
  const clock = createSteeredClock();
  const log = recordLog();
  const portsAsked: ('device' | 'user')[] = [];
  const configsAsked: { readonly serial: string; readonly by: 'device' | 'user'; readonly at: number }[] = [];
  const conditions: string[] = [];
  const changed: string[] = [];
  const kept = new Map(Object.entries(options.kept ?? {}));
  const listPorts = scripted<readonly OutputPort[]>(options.ports ?? [[lobbyPort]], []);
  const readConfig = scripted<TerminalConfig | undefined>(options.configs ?? [undefined], undefined);
  const begun = clock.monotonic();
  const evenChance = { ...systemChance, jitter: (span: Duration) => span };
  const settling = createSettling({ clock, chance: evenChance, gateways: () => options.gateways ?? 1 });
  const reading = createSettingsReading({
    ports: {
      list: (call) => {
        portsAsked.push(call.token ? 'user' : 'device');
        return listPorts(call);
      },
    },
    configs: {
      read: (serial, call) => {
        configsAsked.push({ serial, by: call.token ? 'user' : 'device', at: clock.monotonic() - begun });
        return readConfig(call);
      },
    },
    store: {
      load: (terminal) => kept.get(terminal),
      save: (news) => {
        options.save?.();
        for (const [terminal, settings] of news) kept.set(terminal, settings);
      },
    },
    conditions: {
      raise: ({ code }) => void conditions.push(code),
      clear: (_scope, subject) => void conditions.push(`cleared ${subject}`),
    },
    settling,
    clock,
    chance: evenChance,
    log: log.log,
    onChange: (terminal) => void changed.push(terminal),
  });
  for (const [at, terminal] of (options.terminals ?? ['lobby']).entries()) {
    const serialNumber = `SN-${String(at + 1).padStart(4, '0')}`;
    reading.want({ terminal, serialNumber, address: '10.0.0.9', outputPortId: undefined });
  }
  const stop = new AbortController();
  // One turn later: enrollment comes first, and may have a stored token.
  const running = Promise.resolve().then(() => runServices(reading.services, stop.signal));
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  /** Whether it has resolved after the time has passed. */
  const within = async (wait: Promise<void>, span: Duration = seconds(0)) => {
    let isOver = false;
    void wait.then(() => (isOver = true));
    await clock.advance(span);
    return isOver;
  };
  return {
    reading,
    settling,
    clock,
    log,
    portsAsked,
    configsAsked,
    conditions,
    changed,
    kept,
    within,
  };
}
