/** What a configuration wants of the terminals: what each is opened anew for, and which of them move together. */
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

/** Those that take turns at one printer are one group; where the service says where it is, its serial number does. */
export const servablesOf = (plans: readonly Plan[]): readonly Servable[] =>
  plans.map(
    ({
      terminal: {
        id,
        serialNumber,
        printer: { uri },
      },
    }) => ({
      terminal: id,
      group: uri === 'auto' ? `serial ${serialNumber}` : printerAddress(uri),
    }),
  );
