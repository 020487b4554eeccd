/**
 * Knows what the service says of each terminal of this agent: its output port and its TerminalConfig. Until the
 * service has answered, and as long as it does not, that is what it said before, kept over restarts. What a terminal
 * makes of it is `domain/terminal-settings.ts`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Service } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import { findOutputPort } from '../../domain/output-port.ts';
import type { OutputPorts, TerminalConfigs } from '../../domain/ports/service.ts';
import type { KeptSettings, SettingsStore } from '../../domain/ports/settings.ts';
import type { CloudSettings } from '../../domain/terminal/terminal-settings.ts';
import type { UserToken } from '../../domain/user.ts';
import { createOutputPortReading } from './output-port-reading.ts';
import { createTerminalConfigReading } from './terminal-config-reading.ts';

export interface WantedSettings {
  readonly terminal: string;
  readonly serialNumber: string;
  /** Host of the printer's URI; `undefined` where that comes from the output port. */
  readonly address: string | undefined;
  /** Given by the configuration: nothing to be found. */
  readonly outputPortId: number | undefined;
}

export interface HeardSettings extends CloudSettings {
  /** Wall time since which the service says so; `undefined` when it has said nothing yet. */
  readonly since?: number;
  /** Wall time of its last answer; `undefined` when there was none since the start. */
  readonly lastRead?: number;
}

export interface SettingsDirectory {
  /** What reads. */
  readonly services: readonly Service[];
  of(terminal: string): HeardSettings;
  /** This terminal is of this agent now, or is another than it was; what is not known of it is read soon. */
  want(wanted: WantedSettings): void;
  /** This terminal is of this agent no longer. */
  forget(terminal: string): void;
  /**
   * The device was authorized: reads everything. Resolves when the list of output ports was read, or could not be;
   * after 5 s in any case. Terminal configs come when they come.
   */
  look(): Promise<void>;
  /** A user logged in at the terminal: what the device token may not read is read with theirs. Resolves as `look`. */
  offer(terminal: string, token: UserToken): Promise<void>;
  /** Reads everything soon, because the service is back, say. */
  readAgain(): void;
}

const subject = 'output port';

export function createSettingsDirectory(dependencies: {
  readonly ports: OutputPorts;
  readonly configs: TerminalConfigs;
  readonly store: SettingsStore;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** What the service says of a terminal became known, or changed. */
  onChange(terminal: string): void;
}): SettingsDirectory {
  const { store, conditions, clock, chance, log } = dependencies;
  const wanted = new Map<string, WantedSettings>();
  const heard = new Map<string, HeardSettings>();
  const of = (terminal: string): HeardSettings => heard.get(terminal) ?? {};

  const ports = createOutputPortReading({
    ...{ ports: dependencies.ports, clock, chance, log },
    onList(listed) {
      const said = new Map<string, CloudSettings>();
      for (const one of wanted.values()) {
        const port = portIn(listed, one);
        if (port) said.set(one.terminal, { ...of(one.terminal), port });
      }
      hear(said);
    },
  });
  const configs = createTerminalConfigReading({
    ...{ configs: dependencies.configs, clock, chance, log },
    terminals: () => [...wanted.values()],
    onConfig(terminal, config) {
      if (wanted.has(terminal)) hear(new Map([[terminal, { port: of(terminal).port, config }]]));
    },
  });

  function portIn(listed: readonly OutputPort[], wants: WantedSettings): OutputPort | undefined {
    const { terminal, serialNumber, address, outputPortId: id } = wants;
    const port = portOf(listed, wants);
    if (port) conditions.clear(terminal, subject);
    else {
      const detail =
        id === undefined
          ? `no output port has the serial number ${serialNumber}${address === undefined ? '' : ` or the address ${address}`}`
          : `no output port has the id ${id}`;
      conditions.raise({
        code: 'output-port-unknown',
        severity: 'warning',
        scope: terminal,
        subject,
        detail,
      });
    }
    return port;
  }

  function hear(said: ReadonlyMap<string, CloudSettings>): void {
    const now = clock.now();
    const news = new Map<string, KeptSettings>();
    for (const [terminal, { port, config }] of said) {
      const before = of(terminal);
      const isNews = before.since === undefined || !isSame(before, { port, config });
      const since = isNews ? now : before.since;
      heard.set(terminal, { port, config, since, lastRead: now });
      if (isNews) news.set(terminal, { port, config, since });
      if (port && before.port?.id !== port.id) {
        log.info('output port found', { terminal, outputPortId: port.id });
      }
      const isOther = before.port && (before.port.id !== port?.id || before.port.address !== port.address);
      if (isOther) configs.readAgain(terminal);
    }
    keep(news);
    for (const terminal of news.keys()) dependencies.onChange(terminal);
  }

  /** A copy that cannot be kept is missed at the next start only. */
  function keep(news: ReadonlyMap<string, KeptSettings>): void {
    if (news.size === 0) return;
    try {
      store.save(news);
    } catch (error) {
      log.warn('settings not kept', { error: error as Error });
    }
  }

  return {
    services: [ports, configs],
    of,
    want(one) {
      wanted.set(one.terminal, one);
      const known = heard.get(one.terminal) ?? store.load(one.terminal) ?? {};
      // What was said of another printer must not send its documents there.
      const isOthers = known.port !== undefined && portOf([known.port], one) === undefined;
      heard.set(one.terminal, isOthers ? {} : known);
      ports.readAgain();
      configs.readAgain(one.terminal);
    },
    forget(terminal) {
      wanted.delete(terminal);
      heard.delete(terminal);
      configs.forget(terminal);
    },
    async look() {
      configs.readAgain();
      await ports.look();
    },
    async offer(terminal, token) {
      configs.offer(terminal, token);
      await ports.offer(token);
    },
    readAgain() {
      ports.readAgain();
      configs.readAgain();
    },
  };
}

const portOf = (
  listed: readonly OutputPort[],
  { serialNumber, address, outputPortId: id }: WantedSettings,
): OutputPort | undefined =>
  findOutputPort(listed, { serialNumber, address, ...(id === undefined ? {} : { id }) });

/** Fields that are absent and fields that are undefined say the same, as they do in the kept copy. */
const isSame = (a: CloudSettings, b: CloudSettings): boolean =>
  isDeepStrictEqual(asKept([a.port, a.config]), asKept([b.port, b.config]));
const asKept = (value: object): unknown => JSON.parse(JSON.stringify(value));
