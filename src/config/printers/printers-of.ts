/** The printers of a terminal in its configuration: one, or several with the default first. */
import { printerAddress } from '../../domain/printer/printer-address.ts';
import type { TerminalConfig } from '../schema/config.ts';

export type PrinterConfig = TerminalConfig['printer'] & {
  /** Absent if the terminal has only one printer. */
  readonly name?: string;
};

export const printersOf = ({
  printer,
  printers,
}: Pick<TerminalConfig, 'printer' | 'printers'>): readonly PrinterConfig[] => printers ?? [printer];

/** The terminal with one of its printers as the only one. */
export const atPrinter = (terminal: TerminalConfig, printer: PrinterConfig): TerminalConfig => ({
  ...terminal,
  printer,
});

/** For example `terminals[0].printer`, or `terminals[0].printers[1]`. */
export const printerPath = (
  { printers }: { readonly printers?: readonly unknown[] | undefined },
  terminal: number,
  printer: number,
) => ['terminals', terminal, ...(printers ? ['printers', printer] : ['printer'])] as const;

/**
 * The address that tells a printer from the terminal's other printers at the same host, for example two queues of one
 * spooler. By host and port alone, they would be remembered as one printer that was swapped (INVARIANTS.md D9).
 * `undefined` if no other printer is at the host.
 */
export function queueOf(terminal: Pick<TerminalConfig, 'printer' | 'printers'>): string | undefined {
  const { uri } = terminal.printer;
  const host = hostOf(uri);
  const others = printersOf(terminal).filter((one) => one.uri !== uri);
  return host !== undefined && others.some((one) => hostOf(one.uri) === host)
    ? printerAddress(uri)
    : undefined;
}

function hostOf(uri: string): string | undefined {
  const address = printerAddress(uri);
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
