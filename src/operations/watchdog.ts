/**
 * Feeds systemd's watchdog by the progress of the services (INVARIANTS.md E.2): a ping only while none of them is overdue
 * and the event loop is not held up. It never looks at the cloud or at a printer: that these are away is no reason to
 * start again. Also tells the line of `systemctl status`.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds, milliseconds, seconds, shortest } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Health } from './health.ts';
import type { ServiceManager } from './service-manager.ts';

const look = seconds(1);
const lookAtStatus = seconds(3);
/** B.4 table 11: told from here on … */
const toldLag = seconds(1);
/** … and from here on no ping, until the loop is free again. */
const mostLag = seconds(5);

export interface WatchdogDeps extends Pick<Env, 'clock' | 'log'> {
  readonly manager: ServiceManager;
  readonly health: Pick<Health, 'overdue'>;
  /** How the agent is, in a line. */
  describe(): string;
  /** The event loop was held up for so long. */
  onBlocked(span: Duration): void;
}

export function createWatchdog(deps: WatchdogDeps): Service {
  const { manager, health, clock, log } = deps;
  const { pingEvery } = manager;
  let pingAt = Number.NEGATIVE_INFINITY;
  let statusAt = Number.NEGATIVE_INFINITY;
  let overdue = '';

  function hasProgress(): boolean {
    const late = health.overdue();
    const services = late.map(({ service }) => service).join(', ');
    if (services !== overdue && services !== '') {
      log.error('service overdue', { services, detail: late.map(({ reason }) => reason).join(', ') });
    }
    overdue = services;
    return late.length === 0;
  }

  function lookOnce(lag: Duration): void {
    if (lag >= toldLag) {
      log.warn('event loop blocked', { seconds: inSeconds(lag) });
      deps.onBlocked(lag);
    }
    const now = clock.monotonic();
    if (now >= statusAt) {
      statusAt = now + lookAtStatus;
      manager.status(deps.describe());
    }
    // A machine that was paused has passed every promise; its services come by before the next look.
    if (lag >= mostLag || !hasProgress() || pingEvery === undefined || now < pingAt) return;
    pingAt = now + pingEvery;
    void manager.ping();
  }

  const every = shortest(look, pingEvery ?? look);
  return {
    name: 'watchdog',
    async run(signal) {
      lookOnce(milliseconds(0));
      while (!signal.aborted) {
        const due = clock.monotonic() + every;
        await clock.sleep(every, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
        if (!signal.aborted) lookOnce(milliseconds(clock.monotonic() - due));
      }
    },
  };
}
