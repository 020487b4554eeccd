/** The printers of a terminal as its configuration names them: one, or several at one screen, the default first. */
import { printerAddress } from '../../domain/printer/printer-address.ts';
import type { TerminalConfig } from '../schema/config.ts';

export type PrinterConfig = TerminalConfig['printer'] & {
  /** Absent: it is the only one. */
  readonly name?: string;
};

export const printersOf = ({
  printer,
  printers,
}: Pick<TerminalConfig, 'printer' | 'printers'>): readonly PrinterConfig[] => printers ?? [printer];

/** The terminal as one of its printers has it. */
export const atPrinter = (terminal: TerminalConfig, printer: PrinterConfig): TerminalConfig => ({
  ...terminal,
  printer,
});

/** `terminals[0].printer`, or `terminals[0].printers[1]`. */
export const printerPath = (
  { printers }: { readonly printers?: readonly unknown[] | undefined },
  terminal: number,
  printer: number,
) => ['terminals', terminal, ...(printers ? ['printers', printer] : ['printer'])] as const;

/**
 * What tells the printer from others of the terminal at the same host, as two queues of one spooler are: by host and port
 * alone it would be remembered as one of them that was swapped (INVARIANTS.md D9). `undefined`: it is alone there.
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
