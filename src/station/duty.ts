/**
 * Whether one terminal takes badges: the service lets the device act for it, and has it switched on, and this gateway
 * holds it (F11). A session that is open when the engine goes away is its person's until another gateway is known to
 * serve the terminal: its releases wait for their claims in any case (F12). Badges are taken only once its readers are known to be up or down.
 */
import type { HoldStanding } from '../domain/ports/holds.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { StationReaders } from './readers.ts';

export interface StationDuty {
  /** The device may act for the terminal, or may not. */
  authorized(yes: boolean): void;
  /** It was switched on or off in the service. */
  enabledChanged(): void;
  /** Who serves it may be another. Resolves when the readers are closed, where they are to be. */
  holdChanged(): Promise<void>;
  standing(): HoldStanding;
  /** By this gateway. */
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
        // Whoever stands there reads what is waited for; nobody else begins.
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
