/**
 * Whether one terminal takes badges: the service lets the device act for it, and has it switched on, and this gateway
 * holds it (F11). Badges are taken only once its readers are known to be up or down.
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
  let isHeld = false;

  const isOn = (): boolean => isAuthorized && isHeld && isEnabled();
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
      const wasHeld = isHeld;
      isHeld = standing().is === 'held';
      const closed = readers.serve(isHeld);
      if (wasHeld && !isHeld) terminal.tell({ type: 'hold-lost' });
      if (isHeld && !wasHeld) tellWhenSettled();
      await closed;
    },
    standing,
    isHeld: () => isHeld,
    isOn,
  };
}
