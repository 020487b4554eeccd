/**
 * The desks of a terminal with several printers, as one: each printer has its own, so that none keeps another waiting. A
 * ticket goes to the desk of its printer, and what a restart found open to the one of its address.
 */
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { Ticket } from '../domain/release.ts';
import type { ReleaseDesk } from './desk.ts';

export interface PrinterDesk {
  /** Absent: it is the only one. */
  readonly name: string | undefined;
  readonly desk: ReleaseDesk;
  /** Of the printer, at this moment. */
  uri(): string;
}

/** The first is the default. */
export function deskOf(all: readonly [PrinterDesk, ...PrinterDesk[]]): ReleaseDesk {
  const [first] = all;
  if (all.length === 1) return first.desk;
  const desks = all.map(({ desk }) => desk);
  const ofTicket = ({ printer }: Ticket) => (all.find(({ name }) => name === printer) ?? first).desk;
  const ofAttempt = ({ printerUri }: OpenAttempt) =>
    (all.find(({ uri }) => printerUri !== undefined && isSamePrinter(uri(), printerUri)) ?? first).desk;

  return {
    isReleasing: () => desks.some((desk) => desk.isReleasing()),
    isIdle: () => desks.every((desk) => desk.isIdle()),
    // What is in hand, and what the ledger knows, is known to all of them.
    standing: (documentUuid) => first.desk.standing(documentUuid),
    release(tickets, listener) {
      for (const [desk, own] of Map.groupBy(tickets, ofTicket)) desk.release(own, listener);
    },
    ownerLeft: (sessionId) => desks.forEach((desk) => desk.ownerLeft(sessionId)),
    resume(attempts) {
      for (const [desk, own] of Map.groupBy(attempts, ofAttempt)) desk.resume(own);
    },
    async stop(grace) {
      await Promise.all(desks.map((desk) => desk.stop(grace)));
    },
  };
}
