/**
 * Sends notifications to the receivers under `notify:` in the configuration in force. Without receivers the code is not
 * even loaded. A failure here ends nothing else.
 */
import { Channel } from '../core/channel.ts';
import { authorities } from '../cloud/http/dispatcher.ts';
import { createPosting } from '../cloud/http/posting.ts';
import { memberName } from '../config/fleet-part.ts';
import { isSameValue } from '../config/changes.ts';
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../core/clock.ts';
import { forEver, hours, minutes } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { ProgressWatch, Service } from '../core/service.ts';
import { runServices } from '../core/service.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';
import type { Holds } from '../domain/ports/holds.ts';
import { isServedByAnother } from '../domain/ports/holds.ts';
import type { Teller } from '../notify/message.ts';
import { reachableAt } from '../operations/reachable.ts';
import type { ConditionList } from '../status/conditions.ts';
import { openSentNotices } from '../store/files/condition-notes.ts';

export interface Notifying extends Service {
  configChanged(): void;
  /** Called when another terminal is served here, or elsewhere. */
  servingChanged(): void;
}

interface NotifyingDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  config(): Config;
  readonly conditions: ConditionList;
  /** If another gateway serves a terminal, that gateway sends the notifications about it. */
  readonly holds: Pick<Holds, 'standing'>;
  readonly health: ProgressWatch;
}

/** After a bug of ours. */
const pause = minutes(1);

export function createNotifying(deps: NotifyingDeps): Notifying {
  const { clock, log } = deps;
  const wake = new Wake();
  let inForce = wishOf(deps.config());
  let running: AbortController | undefined;
  const servings = new Channel();

  async function runOnce(signal: AbortSignal): Promise<void> {
    const { notify } = deps.config();
    if (!notify) return restOrWake(hours(24), { clock, wake }, signal);
    try {
      await tell(notify, { ...deps, servings }, signal);
    } catch (error) {
      log.error('notification failed', { code: 'internal', error: error as Error });
      await restOrWake(pause, { clock, wake }, signal);
    }
  }

  return {
    name: 'notify',
    configChanged() {
      const next = wishOf(deps.config());
      if (isSameValue(inForce, next)) return;
      inForce = next;
      running?.abort();
      wake.ring();
    },
    servingChanged: servings.tell,
    async run(signal, progress) {
      progress?.(forEver);
      while (!signal.aborted) {
        wake.answered();
        running = new AbortController();
        await runOnce(AbortSignal.any([signal, running.signal]));
      }
    },
  };
}

const wishOf = (config: Config) => ({ notify: config.notify, from: tellerOf(config) });

async function tell(
  notify: NonNullable<Config['notify']>,
  world: NotifyingDeps & { readonly servings: Channel },
  signal: AbortSignal,
): Promise<void> {
  const { config, conditions, holds, servings, health, clock, chance, log } = world;
  const { notifierServices } = await import('../notify/notifier.ts');
  await using posting = postingFor(notify, clock);
  const services = notifierServices(notify, {
    from: tellerOf(config()),
    posting,
    authorities,
    conditions,
    clock,
    chance,
    log,
    timed: () => conditions.timed().filter(({ scope }) => !isServedByAnother(holds.standing(scope))),
    onChange(listener) {
      const ends = [servings.hear(listener), conditions.onChange(listener)];
      return () => ends.forEach((end) => end());
    },
    register: openSentNotices({ stateDir: config().stateDir, log }),
  });
  await runServices(services, signal, health);
}

export const postingFor = (
  { caFile: ca, proxyUrl }: NonNullable<Config['notify']>,
  clock: Pick<Clock, 'now'>,
) => createPosting({ section: 'notify', ca, proxyUrl, version, clock });

/** The sender, as receivers of notifications see it. */
export function tellerOf(config: Config): Teller {
  const { fleet, operations } = config;
  const place = reachableAt(operations);
  return {
    gateway: memberName(config),
    ...(fleet ? { site: fleet.site } : {}),
    version,
    ...(place === null ? {} : { url: `${operations.tls ? 'https' : 'http'}://${place}/ui/` }),
  };
}
