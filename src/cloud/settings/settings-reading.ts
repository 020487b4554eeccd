/**
 * Knows the service's settings for each terminal of this agent: its output port and its TerminalConfig. Until the
 * service answers, the earlier settings count, which are kept over restarts. `domain/terminal/terminal-settings.ts`
 * decides how a terminal uses them.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { Settling } from '../../domain/settling.ts';
import { settled } from '../../domain/settling.ts';
import type { OutputPort, SoughtPort } from '../../domain/output-port.ts';
import { findOutputPort, isSameSerial } from '../../domain/output-port.ts';
import type { OutputPorts, TerminalConfigs } from '../../domain/ports/service.ts';
import type { KeptSettings, SettingsStore } from '../../domain/ports/settings.ts';
import type { TerminalConfig } from '../../domain/terminal/terminal-config.ts';
import type { CloudSettings } from '../../domain/terminal/terminal-settings.ts';
import type { UserToken } from '../../domain/user.ts';
import { OutputPortReading } from './output-port-reading.ts';
import { TerminalConfigReading } from './terminal-config-reading.ts';

export interface WantedSettings {
  readonly terminal: string;
  readonly serialNumber: string;
  /** Host of the printer's URI; `undefined` if that comes from the output port. */
  readonly address: string | undefined;
  /** Given by the configuration: then no search is needed. */
  readonly outputPortId: number | undefined;
}

export interface HeardSettings extends CloudSettings {
  /** Wall time since which the service has these settings; `undefined` before its first answer. */
  readonly since?: number;
  /** Wall time of its last answer; `undefined` when there was none since the start. */
  readonly lastRead?: number;
}

export interface SettingsReading {
  readonly services: readonly Service[];
  of(terminal: string): HeardSettings;
  /** This terminal is new here, or was changed; its missing settings are read soon. */
  want(wanted: WantedSettings): void;
  /** This terminal does not belong to this agent any more. */
  forget(terminal: string): void;
  /**
   * The device was authorized: reads everything. Resolves when the list of output ports was read, or could not be;
   * after 5 s in any case. If all terminals are known already, and many gateways begin at the same time, it resolves at
   * once. It does not wait for terminal configs.
   */
  look(): Promise<void>;
  /**
   * A user logged in at the terminal: settings that the device token may not read are read with theirs, and a delayed
   * reading starts now. Resolves as `look`.
   */
  offer(terminal: string, token: UserToken): Promise<void>;
  /** Reads everything soon, for example because the service is back. */
  readAgain(): void;
}

export interface SettingsReadingDeps extends Env {
  readonly ports: OutputPorts;
  readonly configs: TerminalConfigs;
  readonly store: SettingsStore;
  /** Absent: no other gateway starts at the same time. */
  readonly settling?: Settling;
  /** Called when the settings of a terminal became known, or changed. */
  onChange(terminal: string): void;
}

const subject = 'output port';

export const createSettingsReading = (deps: SettingsReadingDeps): SettingsReading =>
  new SettingsOfService(deps);

class SettingsOfService implements SettingsReading {
  readonly #deps: SettingsReadingDeps;
  readonly #wanted = new Map<string, WantedSettings>();
  readonly #heard = new Map<string, HeardSettings>();
  readonly #ports: OutputPortReading;
  readonly #configs: TerminalConfigReading;

  constructor(deps: SettingsReadingDeps) {
    const { ports, configs, settling = settled, clock, chance, log } = deps;
    this.#deps = deps;
    this.#ports = new OutputPortReading({
      ports,
      settling,
      clock,
      chance,
      log,
      sought: () => [...this.#wanted.values()].map(soughtBy),
      onList: (listed) => this.#hearList(listed),
    });
    this.#configs = new TerminalConfigReading({
      configs,
      settling,
      clock,
      chance,
      log,
      terminals: () => [...this.#wanted.values()],
      onConfig: (terminal, config) => this.#hearConfig(terminal, config),
    });
  }

  get services(): readonly Service[] {
    return [this.#ports, this.#configs];
  }

  of(terminal: string): HeardSettings {
    return this.#heard.get(terminal) ?? {};
  }

  want(one: WantedSettings): void {
    this.#wanted.set(one.terminal, one);
    const known = this.#heard.get(one.terminal) ?? this.#deps.store.load(one.terminal) ?? {};
    // The settings of another printer must not send this one's documents there.
    const isOthers = known.port !== undefined && portOf([known.port], one) === undefined;
    this.#heard.set(one.terminal, isOthers ? {} : known);
    this.#ports.readAgain();
    this.#configs.readAgain(one.terminal);
  }

  forget(terminal: string): void {
    this.#wanted.delete(terminal);
    this.#heard.delete(terminal);
    this.#configs.forget(terminal);
  }

  async look(): Promise<void> {
    this.#configs.readAgain();
    if (this.#ports.isPutOff() && this.#isAllKnown()) this.#ports.readAgain();
    else await this.#ports.look();
  }

  async offer(terminal: string, token: UserToken): Promise<void> {
    this.#configs.hurry(terminal);
    this.#configs.offer(terminal, token);
    if (!this.#ports.isPutOff()) return this.#ports.offer(token);
    const reading = this.#ports.look().then(() => this.#ports.offer(token));
    // Until then the earlier settings count.
    if (!this.#isKnown(terminal)) await reading;
  }

  readAgain(): void {
    this.#ports.readAgain();
    this.#configs.readAgain();
  }

  #isAllKnown(): boolean {
    return [...this.#wanted.keys()].every((terminal) => this.#isKnown(terminal));
  }

  #isKnown(terminal: string): boolean {
    return this.of(terminal).port !== undefined;
  }

  #hearList(listed: readonly OutputPort[]): void {
    const said = new Map<string, CloudSettings>();
    for (const one of this.#wanted.values()) {
      const port = portOf(listed, one);
      this.#judge(one, port);
      if (port) said.set(one.terminal, { ...this.of(one.terminal), port });
    }
    this.#hear(said);
  }

  #hearConfig(terminal: string, config: TerminalConfig | undefined): void {
    if (this.#wanted.has(terminal))
      this.#hear(new Map([[terminal, { port: this.of(terminal).port, config }]]));
  }

  #judge({ terminal, ...wants }: WantedSettings, port: OutputPort | undefined): void {
    const { conditions } = this.#deps;
    const complaint = port ? aboutSerial(wants, port) : whyUnknown(wants);
    if (complaint === undefined) return conditions.clear(terminal, subject);
    const code = port ? 'serial-number-wrong' : 'output-port-unknown';
    conditions.raise({ code, severity: 'warning', scope: terminal, subject, detail: complaint });
  }

  #hear(said: ReadonlyMap<string, CloudSettings>): void {
    const now = this.#deps.clock.now();
    const news = new Map<string, KeptSettings>();
    for (const [terminal, { port, config }] of said) {
      const before = this.of(terminal);
      const isNews = before.since === undefined || !isSame(before, { port, config });
      const since = isNews ? now : before.since;
      this.#heard.set(terminal, { port, config, since, lastRead: now });
      if (isNews) news.set(terminal, { port, config, since });
      this.#comparePorts(terminal, before.port, port);
    }
    this.#keep(news);
    for (const terminal of news.keys()) this.#deps.onChange(terminal);
  }

  #comparePorts(terminal: string, before: OutputPort | undefined, port: OutputPort | undefined): void {
    if (port && before?.id !== port.id) {
      this.#deps.log.info('output port found', { terminal, outputPortId: port.id });
    }
    const isOther = before && (before.id !== port?.id || before.address !== port.address);
    if (isOther) this.#configs.readAgain(terminal);
  }

  /** If the copy cannot be kept, only the next start misses it. */
  #keep(news: ReadonlyMap<string, KeptSettings>): void {
    const { store, log } = this.#deps;
    if (news.size === 0) return;
    try {
      store.save(news);
    } catch (error) {
      log.warn('settings not kept', { error: error as Error });
    }
  }
}

function whyUnknown({ serialNumber, address, outputPortId: id }: Omit<WantedSettings, 'terminal'>): string {
  if (id !== undefined) return `no output port has the id ${id}`;
  const orAddress = address === undefined ? '' : ` or the address ${address}`;
  return `no output port has the serial number ${serialNumber}${orAddress}`;
}

/** For a port that was found by its address, or by its configured id. */
function aboutSerial(
  { serialNumber, outputPortId }: Omit<WantedSettings, 'terminal'>,
  { id, name, address, deviceSerial }: OutputPort,
): string | undefined {
  if (deviceSerial === undefined || isSameSerial(deviceSerial, serialNumber)) return undefined;
  const foundBy = outputPortId === undefined ? `at the address ${address}` : 'that outputPortId names';
  return `output port ${id} (${name}), ${foundBy}, has the serial number ${deviceSerial}, and this terminal is configured with ${serialNumber}`;
}

const soughtBy = ({ serialNumber, address, outputPortId: id }: WantedSettings): SoughtPort => ({
  serialNumber,
  address,
  ...(id === undefined ? {} : { id }),
});

const portOf = (listed: readonly OutputPort[], wanted: WantedSettings): OutputPort | undefined =>
  findOutputPort(listed, soughtBy(wanted));

/** Absent and undefined fields are the same, as in the kept copy. */
const isSame = (a: CloudSettings, b: CloudSettings): boolean =>
  isDeepStrictEqual(asKept([a.port, a.config]), asKept([b.port, b.config]));
const asKept = (value: object): unknown => JSON.parse(JSON.stringify(value));
