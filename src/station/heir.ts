/**
 * Goes on with releases that no person at a terminal here began: those left by another gateway, or by a terminal that
 * no longer exists (F6).
 */
import type { Ledger, OpenAttempt } from '../domain/ports/ledger.ts';
import type { Heir } from '../domain/ports/wills.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { Station } from './station.ts';

export const createHeir = (stations: () => readonly Station[], ledger: Pick<Ledger, 'open'>): Heir => ({
  isBusyWith: (documentUuid) =>
    ledger.open().some((one) => one.documentUuid.toLowerCase() === documentUuid.toLowerCase()),

  canAsk: (printerUri) => stations().some((station) => hasPrinter(station, printerUri)),

  /** At the terminal that has its printer. If there is none, any terminal settles it as unknown. */
  resume(attempts) {
    for (const attempt of attempts) {
      const heir = stations().find((station) => isOf(station, attempt)) ?? stations()[0];
      heir?.desk.resume([attempt]);
    }
  },
});

const isOf = (station: Station, { terminal, printerUri }: OpenAttempt): boolean =>
  printerUri === undefined ? station.id === terminal : hasPrinter(station, printerUri);

const hasPrinter = (station: Station, printerUri: string): boolean =>
  station.printerUris().some((uri) => isSamePrinter(uri, printerUri));
