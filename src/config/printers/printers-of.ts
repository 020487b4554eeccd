/** The printers of a terminal as its configuration names them: one, or several at one screen, the default first. */
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
