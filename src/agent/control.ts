/**
 * Connects the agent with the sockets of its own user. `operations/control.ts` and `operations/launch.ts` open these
 * sockets.
 */
import type { Config } from '../config/schema/config.ts';
import type { RootLog } from '../core/log.ts';
import type { KioskSecrets } from '../domain/ports/kiosk.ts';
import type { Kiosk } from '../kiosk/server/kiosk-server.ts';
import type { ControlActions } from '../operations/control.ts';
import { startControl } from '../operations/control.ts';
import { startLaunch } from '../operations/launch.ts';
import type { GuestActions } from '../operations/guest-calls.ts';
import type { OperationsPages } from '../operations/pages.ts';

export async function startAgentControl(options: {
  readonly config: Pick<Config, 'stateDir'>;
  readonly log: RootLog;
  readonly retryOutbox: ControlActions['retryOutbox'];
  readonly settle: ControlActions['settle'];
  readonly reload: ControlActions['reload'];
  readonly guests: GuestActions;
  readonly pages: OperationsPages;
  readonly kiosk: Pick<Kiosk, 'address'>;
  readonly secrets: Pick<KioskSecrets, 'launch'>;
  /** The descriptor of the launch socket, if systemd keeps it. */
  readonly launchSocket: number | undefined;
}): Promise<AsyncDisposable> {
  const { config, log, retryOutbox, settle, reload, guests, pages, kiosk, secrets } = options;
  const { levels } = log;
  const { stateDir } = config;
  await using opened = new AsyncDisposableStack();
  opened.use(
    await startLaunch({
      kept: options.launchSocket,
      log,
      page: kiosk.address,
      secret: () => secrets.launch(),
    }),
  );
  opened.use(
    await startControl({
      stateDir,
      log,
      guests,
      pages,
      actions: {
        retryOutbox,
        settle,
        reload,
        recentLog: () => log.recent(),
        logLevel: (level, span, by) =>
          span === 0 ? levels.closeWindow(by) : levels.openWindow(level, span, by),
        administered: (deed) => log.info('administrator acted', { ...deed }),
      },
    }),
  );
  return opened.move();
}
