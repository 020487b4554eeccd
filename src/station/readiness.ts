/**
 * When a terminal is ready: it takes badges, which it does only once its readers are known to be up or down, and its
 * printer has answered, or was found not to. Nobody can release while the service is away. Who reads `terminal ready` in
 * the log may hold a badge to the reader at once, and knows by the same record whether paper is to be expected.
 */
import type { Log } from '../core/log.ts';
import type { ServiceState } from '../terminal/context.ts';
import type { Terminal } from '../terminal/runner.ts';

type PrinterState = 'ready' | 'not-ready';

export interface StationReadiness {
  /** `undefined`: it is another one now, and nothing is known of that yet. */
  printerIs(state: PrinterState | undefined): void;
  canPrint(): boolean;
  serviceIs(state: ServiceState): void;
  isServiceAway(): boolean;
  /** The terminal may have come into service, or gone out of it. */
  look(): void;
}

export function createStationReadiness(world: {
  readonly terminal: Pick<Terminal, 'view'>;
  /** What the service prints does not need our own way to the printer. */
  readonly isPrintedHere: boolean;
  readonly log: Log;
}): StationReadiness {
  const { isPrintedHere, log } = world;
  let printer: PrinterState | undefined;
  /** Before the first call to it nothing is known. */
  let service: ServiceState | undefined;
  let isTold = false;

  function look(): void {
    const { state } = world.terminal.view.current();
    const isServing = state !== 'outOfService' && state !== 'stopped';
    const isKnown = !isPrintedHere || printer !== undefined;
    if (isServing && isKnown && !isTold) log.info('terminal ready', isPrintedHere ? { printer } : {});
    isTold = isServing && (isTold || isKnown);
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
