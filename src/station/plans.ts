/** What a configuration wants of the terminals: what each is opened anew for, and which of them move together. */
import { printersOf } from '../config/printers/printers-of.ts';
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import type { Servable } from '../domain/ports/holds.ts';
import { printerAddress } from '../domain/printer/printer-address.ts';

/** All of the configuration that a terminal is opened anew for when it changes. */
export interface Plan {
  readonly terminal: TerminalConfig;
  /** Where the service says where its printer is. */
  readonly printerNetwork?: Config['printerNetwork'];
}

export const plansOf = ({ terminals, printerNetwork }: Config): readonly Plan[] =>
  terminals.map((terminal) =>
    terminal.printer.uri === 'auto' ? { terminal, printerNetwork } : { terminal },
  );

/**
 * Those that take turns at one printer are one group, and with them whoever shares another one with any of these, or
 * its serial number; where the service says where a printer is, that number does.
 */
export function servablesOf(plans: readonly Plan[]): readonly Servable[] {
  const terminals = plans.map(({ terminal }) => ({
    terminal: terminal.id,
    serialNumber: terminal.serialNumber,
    addresses: [...addressesOf(terminal), terminal.serialNumber],
  }));
  const serialNumbers = new Set(terminals.map(({ serialNumber }) => serialNumber));
  /** By address, all that are reached from there. */
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
