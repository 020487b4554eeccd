/**
 * The configuration's plans for the terminals: the values for which a terminal must be opened again, and the groups
 * that move together.
 */
import { printersOf } from '../config/printers.ts';
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import type { Servable } from '../domain/ports/holds.ts';
import { printerAddress } from '../domain/printer/printer-address.ts';

/** The part of the configuration that makes a terminal open again when it changes. */
export interface Plan {
  readonly terminal: TerminalConfig;
  /** Set if the service tells the address of the printer. */
  readonly printerNetwork?: Config['printerNetwork'];
}

export const plansOf = ({ terminals, printerNetwork }: Config): readonly Plan[] =>
  terminals.map((terminal) =>
    terminal.printer.uri === 'auto' ? { terminal, printerNetwork } : { terminal },
  );

/**
 * Terminals that take turns at one printer are one group. A terminal that shares another printer with any of these, or
 * its serial number, also belongs to the group. If the service tells the address of a printer, the serial number
 * decides.
 */
export function servablesOf(plans: readonly Plan[]): readonly Servable[] {
  const terminals = plans.map(({ terminal }) => ({
    terminal: terminal.id,
    serialNumber: terminal.serialNumber,
    addresses: [...addressesOf(terminal), terminal.serialNumber],
  }));
  const serialNumbers = new Set(terminals.map(({ serialNumber }) => serialNumber));
  /** The address, and all addresses that are reached from there. */
  const shared = new Map<string, ReadonlySet<string>>();
  for (const { addresses } of terminals) {
    const joined = new Set(addresses.flatMap((one) => [one, ...(shared.get(one) ?? [])]));
    for (const address of joined) shared.set(address, joined);
  }
  return terminals.map(({ terminal, serialNumber, addresses: [address = ''] }) => {
    const [group = address] = [...(shared.get(address) ?? [])]
      .filter((one) => !serialNumbers.has(one))
      .toSorted();
    return { terminal, serialNumber, group };
  });
}

const addressesOf = (terminal: TerminalConfig): readonly string[] =>
  printersOf(terminal).map(({ uri }) =>
    uri === 'auto' ? `serial ${terminal.serialNumber}` : printerAddress(uri),
  );
