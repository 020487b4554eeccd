/**
 * The settings one terminal works with at the moment, adopted anew whenever the service says something else; tells of
 * changes, and of a terminal that the service has switched off.
 */
import type { HeardSettings } from '../cloud/settings/settings-directory.ts';
import { localSettings } from '../config/local-settings.ts';
import type { TerminalConfig } from '../config/schema/config.ts';
import { isoInstant } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { CardFormat } from '../domain/card/format.ts';
import type { Conditions } from '../domain/condition.ts';
import type { TypedWay } from '../domain/login.ts';
import type { AdoptedSettings } from '../domain/terminal/terminal-settings.ts';
import { adopt } from '../domain/terminal/terminal-settings.ts';
import type { TerminalSettings } from '../terminal/runner.ts';
import type { PageHandling } from '../printing/conversion/conversion-plan.ts';

export interface StationSettings {
  current(): AdoptedSettings;
  /** The service says something else, perhaps. */
  renew(): void;
  /** Whether people can type on a page of the kiosk; down at first. */
  pagesAre(state: 'up' | 'down'): void;
  /** The service lets the terminal work. */
  isEnabled(): boolean;
  ofTerminal(): Omit<TerminalSettings, 'askAbovePages'>;
  /** At each moment. */
  readonly pageHandling: PageHandling;
  /** The configuration asks for that, not only the service. */
  demandsPageHandling(): boolean;
  cardFormat(): CardFormat;
  /** Each setting with its source, since when the service says so, and when it was last heard. */
  status(): object;
}

const subject = 'service';

export function createStationSettings(
  config: TerminalConfig,
  world: { heard(): HeardSettings; readonly conditions: Conditions; readonly log: Log },
): StationSettings {
  const { heard, conditions, log } = world;
  const { id } = config;
  let canType = config.prompt !== undefined;
  let adopted = adoptedNow();
  const isEnabled = () => adopted.active.value && adopted.printEnabled.value;

  function adoptedNow(): AdoptedSettings {
    return adopt({ local: localSettings(config, { canType }), ...heard() });
  }

  function renew(): void {
    const before = adopted;
    adopted = adoptedNow();
    const changed = namesOfChanges(before, adopted);
    if (changed.length === 0) return;
    log.info('settings adopted', { changed });
    tellWhatFollows();
  }

  function tellWhatFollows(): void {
    if (isEnabled()) conditions.clear(id, subject);
    else {
      const detail = adopted.active.value
        ? 'its terminal config in the service has printing off'
        : 'its output port is not active in the service';
      conditions.raise({ code: 'terminal-disabled', severity: 'error', scope: id, subject, detail });
    }
  }
  tellWhatFollows();

  return {
    current: () => adopted,
    isEnabled,
    renew,
    pagesAre(state) {
      canType = config.prompt !== undefined || state === 'up';
      renew();
    },
    ofTerminal: () => ({
      autoRelease: adopted.autoRelease.value,
      logoutTimeout: seconds(adopted.logoutTimeoutSeconds.value),
      monochrome: adopted.monochrome.value,
      sendUsername: adopted.sendUsername.value,
      login: {
        ways: waysOf(adopted, config.login),
        cardPin: config.login.cardPin === 'on',
        enrollment: adopted.cardEnrollment.value,
      },
      canBeAsked: canType,
    }),
    pageHandling: {
      get softwareCopies() {
        return adopted.softwareCopyCollation.value;
      },
      get reversed() {
        return adopted.isReverseFinisher.value;
      },
    },
    demandsPageHandling: () =>
      [adopted.softwareCopyCollation, adopted.isReverseFinisher].some(
        ({ value, from }) => value && from === 'config',
      ),
    cardFormat: () => ({
      rule: config.card.rule,
      decimal: adopted.decimalFormatForCardIds.value,
      trim: adopted.trimCardId.value,
    }),
    status() {
      const { since, lastRead } = heard();
      return {
        settings: adopted,
        settingsSince: since === undefined ? null : isoInstant(since),
        settingsRead: lastRead === undefined ? null : isoInstant(lastRead),
      };
    },
  };
}

/** What may be typed, in the order in which it is offered. */
function waysOf(
  { shortIdLogin, passwordLogin }: AdoptedSettings,
  { nameOnly, emailOnly }: TerminalConfig['login'],
): readonly TypedWay[] {
  const ways: Readonly<Record<TypedWay, boolean>> = {
    'short-id': shortIdLogin.value,
    password: passwordLogin.value,
    name: nameOnly,
    email: emailOnly,
  };
  return (Object.keys(ways) as TypedWay[]).filter((way) => ways[way]);
}

const namesOfChanges = (before: AdoptedSettings, after: AdoptedSettings): readonly string[] =>
  Object.entries(after)
    .filter(
      ([name, setting]) => JSON.stringify(before[name as keyof AdoptedSettings]) !== JSON.stringify(setting),
    )
    .map(([name]) => name);
