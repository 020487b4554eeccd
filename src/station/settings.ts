/**
 * The present settings of one terminal, computed again whenever the service says something else. It reports changes,
 * and a terminal that the service has switched off.
 */
import type { HeardSettings } from '../cloud/settings/settings-reading.ts';
import { localSettings } from '../config/local-settings.ts';
import type { PrinterConfig } from '../config/printers.ts';
import { atPrinter } from '../config/printers.ts';
import type { TerminalConfig } from '../config/schema/config.ts';
import { isoInstant } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Env } from '../domain/env.ts';
import type { CardFormat } from '../domain/card/format.ts';
import type { TypedWay } from '../domain/login.ts';
import type { AdoptedSettings, Setting } from '../domain/terminal/terminal-settings.ts';
import { adopt } from '../domain/terminal/terminal-settings.ts';
import type { TerminalSettings } from '../terminal/given.ts';
import { PrinterSettings } from './printers/printer-settings.ts';

const subject = 'service';

export interface StationSettingsDeps extends Pick<Env, 'log' | 'conditions'> {
  heard(): HeardSettings;
}

export class StationSettings {
  readonly #config: TerminalConfig;
  readonly #deps: StationSettingsDeps;
  #canType: boolean;
  #adopted: AdoptedSettings;

  constructor(config: TerminalConfig, deps: StationSettingsDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#canType = config.prompt !== undefined;
    this.#adopted = this.#adoptedNow();
  }

  /** Reports at once if the terminal is off. */
  start(): void {
    this.#tellWhatFollows();
  }

  current(): AdoptedSettings {
    return this.#adopted;
  }

  /** The service may say something else now. */
  renew(): void {
    const before = this.#adopted;
    this.#adopted = this.#adoptedNow();
    const changed = namesOfChanges(before, this.#adopted);
    if (changed.length === 0) return;
    this.#deps.log.info('settings adopted', { changed });
    this.#tellWhatFollows();
  }

  /** Whether people can type on a page of the kiosk; `down` at first. */
  pagesAre(state: 'up' | 'down'): void {
    this.#canType = this.#config.prompt !== undefined || state === 'up';
  }

  /** Whether the service lets the terminal work. */
  isEnabled(): boolean {
    return this.#adopted.active.value && this.#adopted.printEnabled.value;
  }

  ofTerminal(): Omit<TerminalSettings, 'askAbovePages' | 'account'> {
    const { autoRelease, logoutTimeoutSeconds } = this.#adopted;
    return {
      autoRelease: autoRelease.value,
      logoutTimeout: seconds(logoutTimeoutSeconds.value),
      login: {
        ways: this.#ways(),
        cardPin: this.#config.login.cardPin === 'on',
        enrollment: this.#isOffered(this.#adopted.cardEnrollment),
      },
      canBeAsked: this.#canType,
      preview: this.#config.preview === 'on',
    };
  }

  /** The settings of one of its printers. The service's settings of the terminal count for each of them. */
  at(printer: PrinterConfig): PrinterSettings {
    if (printer === this.#config.printer) return new PrinterSettings(() => this.#adopted);
    const local = localSettings(atPrinter(this.#config, printer));
    return new PrinterSettings(() => adopt({ local, ...this.#deps.heard() }));
  }

  cardFormat(): CardFormat {
    return {
      rule: this.#config.card.rule,
      decimal: this.#adopted.decimalFormatForCardIds.value,
      trim: this.#adopted.trimCardId.value,
    };
  }

  /** Each setting with its source, the time since when the service says so, and the time when it was last heard. */
  status(): object {
    const { since, lastRead } = this.#deps.heard();
    return {
      settings: this.#adopted,
      settingsSince: since === undefined ? null : isoInstant(since),
      settingsRead: lastRead === undefined ? null : isoInstant(lastRead),
    };
  }

  #adoptedNow(): AdoptedSettings {
    return adopt({ local: localSettings(this.#config), ...this.#deps.heard() });
  }

  /** The ways to log in by typing, in the order in which they are offered. */
  #ways(): readonly TypedWay[] {
    const { nameOnly, emailOnly } = this.#config.login;
    const ways: Readonly<Record<TypedWay, boolean>> = {
      'short-id': this.#isOffered(this.#adopted.shortIdLogin),
      password: this.#isOffered(this.#adopted.passwordLogin),
      name: nameOnly,
      email: emailOnly,
    };
    return (Object.keys(ways) as TypedWay[]).filter((way) => ways[way]);
  }

  /** Ways that need typing follow the service only if the terminal has something to type on. */
  #isOffered({ value, from }: Setting<boolean>): boolean {
    return value && (from === 'config' || this.#canType);
  }

  #tellWhatFollows(): void {
    const { conditions } = this.#deps;
    const scope = this.#config.id;
    if (this.isEnabled()) return conditions.clear(scope, subject);
    const detail = this.#adopted.active.value
      ? 'its terminal config in the service has printing off'
      : 'its output port is not active in the service';
    conditions.raise({ code: 'terminal-disabled', severity: 'error', scope, subject, detail });
  }
}

const namesOfChanges = (before: AdoptedSettings, after: AdoptedSettings): readonly string[] =>
  Object.entries(after)
    .filter(
      ([name, setting]) => JSON.stringify(before[name as keyof AdoptedSettings]) !== JSON.stringify(setting),
    )
    .map(([name]) => name);
