/**
 * The desks of a terminal with several printers, as one desk. Each printer has its own desk, so that it does not keep
 * another printer waiting. A ticket goes to the desk of its printer. A release that a restart found open goes to the
 * desk with the printer address of its record.
 */
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { Ticket } from '../domain/release.ts';
import type { ReleaseDesk } from './desk.ts';

export interface PrinterDesk {
  /** Absent if it is the only printer. */
  readonly name: string | undefined;
  readonly desk: ReleaseDesk;
  /** The current address of the printer. */
  uri(): string;
}

/** The first desk is the default. */
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
    // All desks share the documents in hand and the ledger, so the first can answer.
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
