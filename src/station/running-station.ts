/**
 * One terminal from its opening to its end: its services, its page at the kiosk, and its place in the reading of
 * settings. `station.ts` has its parts, and `stations.ts` decides when it opens and ends.
 */
import { readerName } from '../config/schema/reader.ts';
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Duration } from '../core/duration.ts';
import { runServices } from '../core/service.ts';
import type { WantedSettings } from '../cloud/settings/settings-reading.ts';
import type { Kiosk } from '../kiosk/server/kiosk-server.ts';
import type { MeasuredTerminal } from '../operations/metrics.ts';
import type { Plan } from './plans.ts';
import type { Station } from './station.ts';
import { buildStation } from './station.ts';
import type { Shared } from './world.ts';

export interface RunningStation extends AsyncDisposable {
  readonly plan: Plan;
  readonly station: Station;
  readonly measured: MeasuredTerminal;
  begin(): void;
  /** Ends the services that speak with people. */
  close(): Promise<void>;
  /**
   * Ends the services that speak with people, then waits for releases past their intent for the grace, then ends the
   * rest.
   */
  end(grace: Duration): Promise<void>;
}

export interface StationHooks {
  /** The terminal may have become idle, or its last release may have ended. */
  onRest(): void;
  /** A service ended by itself. */
  onFailure(error: unknown): void;
}

export function openStation(
  plan: Plan,
  world: StationHooks & { readonly shared: Shared; readonly kiosk: Pick<Kiosk, 'serve'> },
): RunningStation {
  const { shared, kiosk, onFailure } = world;
  const { terminal } = plan;
  const { health } = shared;
  shared.settingsReading.want(wantedSettings(terminal));
  const station = buildStation(terminal, { ...shared, onRest: world.onRest });
  const served = kiosk.serve({
    id: terminal.id,
    terminal: station.terminal,
    onPages: (state) => station.pagesAre(state),
  });
  const stopFront = new AbortController();
  const stopBack = new AbortController();
  let front = Promise.resolve();
  let back = Promise.resolve();
  const close = (): Promise<void> => {
    stopFront.abort();
    return front.catch(onFailure);
  };

  return {
    plan,
    station,
    measured: { id: terminal.id, readers: terminal.readers.map(readerName) },
    begin() {
      const left = shared.store.ledger
        .open()
        // Another terminal may be about to settle the releases that this one left open earlier.
        .filter(({ terminal: id, from }) => id === terminal.id && from === undefined)
        .filter(({ documentUuid }) => !shared.onTheWay.isInHand(documentUuid));
      station.desk.resume(left);
      back = runServices(station.back, stopBack.signal, health);
      front = runServices(station.front, stopFront.signal, health);
      front.catch(onFailure);
      back.catch(onFailure);
    },
    close,
    async end(grace) {
      await close();
      await station.desk.stop(grace);
      stopBack.abort();
      await back.catch(onFailure);
    },
    async [Symbol.asyncDispose]() {
      served[Symbol.dispose]();
      await station[Symbol.asyncDispose]();
    },
  };
}

const wantedSettings = ({ id, serialNumber, printer, outputPortId }: TerminalConfig): WantedSettings => ({
  terminal: id,
  serialNumber,
  // An IPv6 address has brackets in a URI, and none in an output port.
  address: printer.uri === 'auto' ? undefined : new URL(printer.uri).hostname.replace(/^\[|\]$/g, ''),
  outputPortId: outputPortId === 'auto' ? undefined : outputPortId,
});
