/**
 * When a terminal is ready. It must take badges, which it does only when its readers are known to be up or down. Its
 * printer must have answered, or must be known not to. While the service is away, no release is possible. After
 * `terminal ready` in the log, a person may hold a badge to the reader at once. The same record tells whether to expect
 * paper.
 */
import type { Log } from '../core/log.ts';
import type { ServiceState } from '../terminal/context.ts';
import type { Terminal } from '../terminal/runner.ts';

type PrinterState = 'ready' | 'not-ready';

export interface StationReadiness {
  /** `undefined`: the printer was replaced, and nothing is known of the new one yet. */
  printerIs(state: PrinterState | undefined): void;
  canPrint(): boolean;
  serviceIs(state: ServiceState): void;
  isServiceAway(): boolean;
  /** The terminal may have come into service, or gone out of it. */
  look(): void;
}

export function createStationReadiness(world: {
  readonly terminal: Pick<Terminal, 'state'>;
  /** If the service prints, our own way to the printer is not needed. */
  readonly isPrintedHere: boolean;
  readonly log: Log;
}): StationReadiness {
  const { isPrintedHere, log } = world;
  let printer: PrinterState | undefined;
  /** Nothing is known before the first call to the service. */
  let service: ServiceState | undefined;
  let isLogged = false;

  function look(): void {
    const state = world.terminal.state();
    const isServing = state !== 'outOfService' && state !== 'stopped';
    const isKnown = !isPrintedHere || printer !== undefined;
    if (isServing && isKnown && !isLogged) log.info('terminal ready', isPrintedHere ? { printer } : {});
    isLogged = isServing && (isLogged || isKnown);
  }

  return {
    printerIs(state) {
      printer = state;
      look();
    },
    canPrint: () => !isPrintedHere || printer === 'ready',
    serviceIs(state) {
      service = state;
    },
    isServiceAway: () => service === 'down',
    look,
  };
}
