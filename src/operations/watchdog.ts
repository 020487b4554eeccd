/**
 * Feeds systemd's watchdog by the progress of the services (INVARIANTS.md E.2): a ping only while no service is overdue
 * and the event loop is not blocked. It never looks at the cloud or at a printer: their absence is no reason to
 * restart. It also sends the line of `systemctl status`.
 */
import type { Duration } from '../core/duration.ts';
import { inSeconds, milliseconds, seconds, shortest } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Health } from './health.ts';
import type { ServiceManager } from './service-manager.ts';

const look = seconds(1);
const lookAtStatus = seconds(3);
/** B.4 table 11: a lag from here on is logged … */
const reportedLag = seconds(1);
/** … and from here on there is no ping, until the loop is free again. */
const mostLag = seconds(5);

export interface WatchdogDeps extends Pick<Env, 'clock' | 'log'> {
  readonly manager: ServiceManager;
  readonly health: Pick<Health, 'overdue'>;
  describe(): string;
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
    if (lag >= reportedLag) {
      log.warn('event loop blocked', { seconds: inSeconds(lag) });
      deps.onBlocked(lag);
    }
    const now = clock.monotonic();
    if (now >= statusAt) {
      statusAt = now + lookAtStatus;
      manager.status(deps.describe());
    }
    // After a pause of the machine every promise is late; the services report before the next look.
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
