/**
 * Whether one terminal takes badges. The service must let the device act for it and have it switched on, and this
 * gateway must hold it (F11). If the engine goes away during a session, the session goes on until another gateway is
 * known to serve the terminal. Its releases wait for their claims in any case (F12). Badges are taken only when its
 * readers are known to be up or down.
 */
import type { HoldStanding } from '../domain/ports/holds.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { StationReaders } from './readers.ts';

export interface StationDuty {
  /** Whether the device may act for the terminal. */
  authorized(yes: boolean): void;
  /** The terminal was switched on or off in the service. */
  enabledChanged(): void;
  /** The gateway that serves it may have changed. Resolves when the readers are closed, if they must be. */
  holdChanged(): Promise<void>;
  standing(): HoldStanding;
  /** Held by this gateway. */
  isHeld(): boolean;
  isOn(): boolean;
}

export function createStationDuty(world: {
  standing(): HoldStanding;
  isEnabled(): boolean;
  readonly terminal: Pick<Terminal, 'tell'>;
  readonly readers: Pick<StationReaders, 'serve' | 'settled'>;
}): StationDuty {
  const { standing, isEnabled, terminal, readers } = world;
  let isAuthorized = false;
  let held: HoldStanding['is'] = 'elsewhere';

  const isHeld = (): boolean => held === 'held';
  const isOn = (): boolean => isAuthorized && isHeld() && isEnabled();
  const tell = (): void => terminal.tell({ type: isOn() ? 'authorized' : 'unauthorized' });
  const tellWhenSettled = (): void => void readers.settled().then(tell);

  return {
    authorized(yes) {
      isAuthorized = yes;
      if (yes) tellWhenSettled();
      else tell();
    },
    enabledChanged: tell,
    async holdChanged() {
      const before = held;
      held = standing().is;
      const closed = readers.serve(isHeld());
      if (held !== before) {
        if (held === 'held') tellWhenSettled();
        // A person with a session may go on. Until the engine answers, no new session begins.
        else if (held === 'engine-away') tell();
        else terminal.tell({ type: 'hold-lost' });
      }
      await closed;
    },
    standing,
    isHeld,
    isOn,
  };
}
